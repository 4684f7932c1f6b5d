// Natural numbers of any size. Apart from theory.h, because the header behind
// it is slow to compile.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "compiler/core/theory.h"

namespace tine::core {

using BigNat = boost::multiprecision::cpp_int;

// What `Value::big` points to.
struct BigBox {
  BigNat n;
};

// A natural number's value; `value` must be kNat.
inline BigNat nat_value(const Value* value) {
  return value->big ? value->big->n : BigNat(value->num);
}

// The value of a natural number.
Value* big_nat(Theory& theory, const BigNat& n);

}  // namespace tine::core
