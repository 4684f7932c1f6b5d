// Primitives. One that gives a pair gives it as a virtual constructor, so
// that the usual take behind it costs nothing; one that hands an array back
// leaves it in its register.
#include "runtime/net/f32_prims.h"
#include "runtime/net/rule_compiler.h"

namespace tine {

void RuleCompiler::prim(const Stmt& stmt) {
  ++count().prims;
  auto binary = [&](Code code, Code code_k, bool commutes) {
    give(stmt, arithmetic(code, code_k, commutes, stmt));
  };
  auto test = [&](Code code, bool swapped = false) {
    Operand x = input(stmt, swapped ? 1 : 0);
    Operand y = input(stmt, swapped ? 0 : 1);
    give(stmt, compare(code, std::move(x), std::move(y)));
  };
  auto plain = [&](Code code) { give(stmt, simple(code, stmt)); };
  switch (stmt.prim) {
    case Prim::kU32Add: return binary(Code::kU32Add, Code::kU32AddK, true);
    case Prim::kU32Sub: return binary(Code::kU32Sub, Code::kU32SubK, false);
    case Prim::kU32Mul: return binary(Code::kU32Mul, Code::kU32MulK, true);
    case Prim::kU32Div: return binary(Code::kU32Div, Code::kU32DivK, false);
    case Prim::kU32Mod: return binary(Code::kU32Mod, Code::kU32ModK, false);
    case Prim::kU32And: return binary(Code::kU32And, Code::kU32AndK, true);
    case Prim::kU32Or: return binary(Code::kU32Or, Code::kU32OrK, true);
    case Prim::kU32Xor: return binary(Code::kU32Xor, Code::kU32XorK, true);
    case Prim::kNatAdd: return binary(Code::kNatAdd, Code::kNatAddK, true);
    case Prim::kU32Not: return plain(Code::kU32Not);
    case Prim::kU32Shl: return plain(Code::kU32Shl);
    case Prim::kU32Shr: return plain(Code::kU32Shr);
    case Prim::kU32Shln:
      return give(stmt, shift(Code::kU32Shln, Code::kU32ShlnK, stmt));
    case Prim::kU32Shrn:
      return give(stmt, shift(Code::kU32Shrn, Code::kU32ShrnK, stmt));
    case Prim::kU32ToNat: return plain(Code::kU32ToNat);
    case Prim::kU32FromNat: return plain(Code::kU32FromNat);
    case Prim::kCharFromU32: return plain(Code::kCharFromU32);
    case Prim::kCharToU32: return plain(Code::kCharToU32);
    case Prim::kNatSub: return plain(Code::kNatSub);
    case Prim::kNatMul: return plain(Code::kNatMul);
    case Prim::kBoolOr: return plain(Code::kBoolOr);
    case Prim::kBoolXor: return plain(Code::kBoolXor);
    case Prim::kStringAppend: return plain(Code::kStringAppend);
    case Prim::kStringLength: return plain(Code::kStringLength);
    case Prim::kF32Add: return plain(Code::kF32Add);
    case Prim::kF32Sub: return plain(Code::kF32Sub);
    case Prim::kF32Mul: return plain(Code::kF32Mul);
    case Prim::kF32Div: return plain(Code::kF32Div);
    case Prim::kF32IsEq: return plain(Code::kF32IsEq);
    case Prim::kF32IsNe: return plain(Code::kF32IsNe);
    case Prim::kF32IsLt: return plain(Code::kF32IsLt);
    case Prim::kF32IsLe: return plain(Code::kF32IsLe);
    case Prim::kF32IsGt: return give(stmt, swapped(Code::kF32IsLt, stmt));
    case Prim::kF32IsGe: return give(stmt, swapped(Code::kF32IsLe, stmt));
    case Prim::kF32ToU32: return plain(Code::kF32ToU32);
    case Prim::kF32Bits: return plain(Code::kF32Bits);
    case Prim::kU32ToF32: return plain(Code::kU32ToF32);
    case Prim::kF32Show: return plain(Code::kF32Show);
    case Prim::kF32Read: return plain(Code::kF32Read);
    case Prim::kF32Make: return plain(Code::kF32Make);
    case Prim::kF32Take: return plain(Code::kF32Take);
    case Prim::kU32Cmp:
    case Prim::kNatCmp: return plain(Code::kCmp);
    case Prim::kU32IsEq: return test(Code::kIsEq);
    case Prim::kU32IsNe: return test(Code::kIsNe);
    case Prim::kU32IsLt:
    case Prim::kNatIsLt: return test(Code::kIsLt);
    case Prim::kU32IsLe: return test(Code::kIsLe);
    case Prim::kU32IsGt: return test(Code::kIsLt, true);
    case Prim::kU32IsGe: return test(Code::kIsLe, true);
    case Prim::kU32IsZero:
      return give(stmt, compare(Code::kIsEq, input(stmt, 0),
                                Operand::of_word(make_u32(0))));
    case Prim::kU32Inc: {
      Reg x = use(input(stmt, 0));
      Reg to = take_reg();
      emit(Code::kU32AddK, to, x);
      word(make_u32(1));
      return give(stmt, Operand::of_reg(to));
    }
    case Prim::kNatSucc: return give(stmt, nat_add_word(input(stmt, 0), 1));
    case Prim::kNatDouble: {
      Reg x = use(input(stmt, 0));
      Reg to = take_reg();
      emit(Code::kNatAdd, to, x, x);
      return give(stmt, Operand::of_reg(to));
    }
    case Prim::kNatDivmod: return give(stmt, divmod(stmt));
    default: break;
  }
  if (is_f32_math(stmt.prim)) {
    Operand made = simple(Code::kF32Math, stmt);
    word(static_cast<Word>(f32_math_of(stmt.prim)));
    return give(stmt, std::move(made));
  }
  give(stmt, array_prim(stmt));
}

Operand RuleCompiler::arithmetic(Code code, Code code_k, bool commutes,
                               const Stmt& stmt) {
  Operand x = input(stmt, 0);
  Operand y = input(stmt, 1);
  if (commutes && x.kind == Operand::Kind::kConst) std::swap(x, y);
  if (y.kind == Operand::Kind::kConst) {
    Reg from = use(std::move(x));
    Reg to = take_reg();
    emit(code_k, to, from);
    word(y.word);
    return Operand::of_reg(to);
  }
  Reg left = reg(x);
  Reg right = reg(y);
  release(x);
  release(y);
  Reg to = take_reg();
  emit(code, to, left, right);
  return Operand::of_reg(to);
}

// By a literal number of bits: past 32 any number does.
Operand RuleCompiler::shift(Code code, Code code_k, const Stmt& stmt) {
  Operand bits = input(stmt, 1);
  if (bits.kind != Operand::Kind::kConst) return simple(code, stmt);
  Reg from = use(input(stmt, 0));
  Reg to = take_reg();
  emit(code_k, to, from,
       std::min<std::uint64_t>(nat_of(bits.word), kMostShift));
  return Operand::of_reg(to);
}

Operand RuleCompiler::nat_add_word(Operand x, std::uint64_t more) {
  Reg from = use(std::move(x));
  Reg to = take_reg();
  emit(Code::kNatAddK, to, from);
  word(make_nat(more));
  return Operand::of_reg(to);
}

// Deferred: most comparisons are matched at once.
Operand RuleCompiler::compare(Code code, Operand x, Operand y) {
  Operand place;
  place.kind = Operand::Kind::kCompare;
  place.compare = code;
  place.parts.push_back(std::move(x));
  place.parts.push_back(std::move(y));
  return place;
}

// One or two registers in, one out.
Operand RuleCompiler::simple(Code code, const Stmt& stmt) {
  std::vector<Reg> args = use_all(stmt);
  Reg to = take_reg();
  emit(code, to, args[0], args.size() > 1 ? args[1] : 0);
  return Operand::of_reg(to);
}

Operand RuleCompiler::swapped(Code code, const Stmt& stmt) {
  std::vector<Reg> args = use_all(stmt);
  Reg to = take_reg();
  emit(code, to, args[1], args[0]);
  return Operand::of_reg(to);
}

Operand RuleCompiler::tuple(Operand first, Operand second) {
  std::vector<Operand> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(second));
  return Operand::of_node(book_.known.tuple, std::move(parts));
}

Operand RuleCompiler::divmod(const Stmt& stmt) {
  std::vector<Reg> args = use_all(stmt);
  Reg quotient = take_reg();
  Reg rest = take_reg();
  emit(Code::kNatDivmod, quotient, rest, args[0]);
  emit(Code::kCount, args[1]);
  return tuple(Operand::of_reg(quotient), Operand::of_reg(rest));
}

CellKind RuleCompiler::cell_kind(TypeId element) const {
  if (element == TypeId::kNone) return CellKind::kWord;
  switch (book_.type(element).kind) {
    case TypeKind::kU32: return CellKind::kU32;
    case TypeKind::kF32: return CellKind::kF32;
    case TypeKind::kChar: return CellKind::kChar;
    default: return CellKind::kWord;
  }
}

// The array, the first input, stays where it is.
Operand RuleCompiler::array_prim(const Stmt& stmt) {
  std::vector<Operand> ins;
  std::vector<Reg> regs;
  for (std::size_t i = 0; i < stmt.ins.size(); ++i) {
    ins.push_back(input(stmt, i));
    regs.push_back(reg(ins.back()));
  }
  bool fresh = stmt.prim == Prim::kArrayNew || stmt.prim == Prim::kArrayJoin;
  for (std::size_t i = fresh ? 0 : 1; i < ins.size(); ++i) release(ins[i]);
  Operand array = ins[0];
  auto with = [&](Reg to) { return tuple(array, Operand::of_reg(to)); };
  switch (stmt.prim) {
    case Prim::kArrayNew: {
      Reg to = take_reg();
      emit(Code::kArrayNew, to, regs[0], regs[1]);
      TypeId element =
          stmt.type != TypeId::kNone ? stmt.type : wire_type(stmt.ins[1]);
      word(static_cast<Word>(cell_kind(element)));
      return Operand::of_reg(to);
    }
    case Prim::kArrayJoin: {
      Reg to = take_reg();
      emit(Code::kArrayJoin, to, regs[0], regs[1]);
      return Operand::of_reg(to);
    }
    case Prim::kArraySet:
      emit(Code::kArraySet, regs[0], regs[1], regs[2]);
      return array;
    default: break;
  }
  Reg to = take_reg();
  auto atomic = [&](AtomicOp op) {
    emit(Code::kArrayAtomic, to, regs[0], regs[1]);
    emit(Code::kCount, static_cast<std::size_t>(op), regs[2],
         regs.size() > 3 ? regs[3] : 0);
  };
  switch (stmt.prim) {
    case Prim::kArraySize: emit(Code::kArraySize, to, regs[0]); break;
    case Prim::kArrayGet: emit(Code::kArrayGet, to, regs[0], regs[1]); break;
    case Prim::kArraySwap:
      emit(Code::kArraySwap, to, regs[0], regs[1]);
      emit(Code::kCount, regs[2]);
      break;
    case Prim::kArrayClone: emit(Code::kArrayClone, to, regs[0]); break;
    case Prim::kArrayFork: emit(Code::kArrayFork, to, regs[0]); break;
    case Prim::kAtomicAdd: atomic(AtomicOp::kAdd); break;
    case Prim::kAtomicMin: atomic(AtomicOp::kMin); break;
    case Prim::kAtomicMax: atomic(AtomicOp::kMax); break;
    case Prim::kAtomicAnd: atomic(AtomicOp::kAnd); break;
    case Prim::kAtomicOr: atomic(AtomicOp::kOr); break;
    case Prim::kAtomicXor: atomic(AtomicOp::kXor); break;
    case Prim::kAtomicExch: atomic(AtomicOp::kExch); break;
    case Prim::kAtomicCas: atomic(AtomicOp::kCas); break;
    case Prim::kAtomicFadd: atomic(AtomicOp::kFadd); break;
    default: too_large("unknown primitives");
  }
  return with(to);
}

}  // namespace tine
