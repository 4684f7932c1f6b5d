// How values of a type stand in C: words of the machine, boxed words, or
// structs by value.
//
// A type of one constructor with few fields is a struct (a pair, a record);
// one whose constructors have no fields is the number of the constructor;
// everything else of data is a boxed word as in runtime/heap/term.h. In nodes
// and closures every value is boxed. Where a book's types do not hold (see
// runtime/net/trust.h) every value is a boxed word everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/book/book.h"
#include "runtime/net/code.h"

namespace tine {

enum class RepKind : std::uint8_t {
  kWord, kU32, kF32, kNat, kChar, kEnum, kStruct,
};
enum class RepId : std::uint32_t {};

struct Rep {
  RepKind kind = RepKind::kWord;
  std::uint32_t id = 0;        // kEnum: number of the first constructor;
                               // kStruct: number of the constructor
  std::vector<RepId> fields;   // kStruct
  auto operator<=>(const Rep&) const = default;
};

inline constexpr RepId kRepWord{0}, kRepU32{1}, kRepF32{2}, kRepNat{3},
    kRepChar{4};

class Reps {
 public:
  Reps(const Book& book, const NetProgram& numbers, bool trust);

  // Of values in locals, parameters and results.
  RepId of(TypeId type) { return trust_ ? natural(type) : kRepWord; }
  // What primitives work on, whether the types hold or not.
  RepId natural(TypeId type);
  RepId enum_of(CtorId any);
  RepId struct_of(CtorId ctor, std::vector<RepId> fields);
  const Rep& at(RepId rep) const { return rows_[static_cast<unsigned>(rep)]; }
  bool is_struct(RepId rep) const { return at(rep).kind == RepKind::kStruct; }
  bool trust() const { return trust_; }

  std::string c_type(RepId rep) const;
  // `text` of representation `from` as one of `to`. `def` is the text of the
  // number of the definition that a trap of the conversion names.
  std::string convert(const std::string& text, RepId from, RepId to,
                      const std::string& def) const;
  // As convert from a boxed word that stays what and whose it is.
  std::string peek(const std::string& text, RepId to) const;
  // The C of all structs: their declaration, boxing, copies and drops.
  std::string declarations() const;

 private:
  RepId intern(Rep rep);
  RepId data(TypeId type);
  std::size_t leaves(RepId rep) const;
  std::string box(const std::string& text, RepId from, const std::string& def) const;
  std::string unbox(const std::string& text, RepId to, const std::string& def) const;
  std::string struct_text(std::uint32_t number) const;

  Book book_;                        // types only, more are interned here
  const NetProgram& numbers_;
  bool trust_;
  std::vector<Rep> rows_;
  std::map<Rep, RepId> ids_;
  std::map<TypeId, RepId> types_;
  std::vector<DataId> open_;         // data types whose struct is being made
};

}  // namespace tine
