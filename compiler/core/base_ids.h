// Ids of the Base types and constructors that the checker and the theory know
// by name. Filled once Base is declared; kNone where a program has no Base.
#pragma once

#include "compiler/core/term.h"

namespace tine::core {

struct BaseIds {
  Data u32 = Data::kNone, f32 = Data::kNone, nat = Data::kNone,
       chr = Data::kNone, string = Data::kNone, boolean = Data::kNone,
       array = Data::kNone, sigma = Data::kNone, list = Data::kNone,
       unit = Data::kNone, either = Data::kNone, empty = Data::kNone,
       cmp = Data::kNone;
  Ctor zero = Ctor::kNone, succ = Ctor::kNone, chr_of = Ctor::kNone,
       snil = Ctor::kNone, scon = Ctor::kNone, true_ = Ctor::kNone,
       false_ = Ctor::kNone, aleaf = Ctor::kNone, anode = Ctor::kNone,
       tuple = Ctor::kNone, nil = Ctor::kNone, con = Ctor::kNone,
       unit_of = Ctor::kNone, lt = Ctor::kNone, eq = Ctor::kNone,
       gt = Ctor::kNone, u32_of = Ctor::kNone, f32_of = Ctor::kNone,
       wnil = Ctor::kNone, wcon = Ctor::kNone, none = Ctor::kNone,
       some = Ctor::kNone;
};

// Reads the ids from the tables by their names.
BaseIds find_base_ids(const Globals& globals);

}  // namespace tine::core
