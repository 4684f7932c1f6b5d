#include "runtime/net/plain.h"

#include <algorithm>

#include "runtime/io/utf8.h"
#include "runtime/net/counts.h"
#include "runtime/net/f32_prims.h"

namespace tine {
namespace {

CellKind cell_kind(TypeId element) {
  if (element == kTypeU32) return CellKind::kU32;
  if (element == kTypeF32) return CellKind::kF32;
  if (element == kTypeChar) return CellKind::kChar;
  return CellKind::kWord;
}

}  // namespace

PlainReducer::PlainReducer(Run& run)
    : run_(run),
      book_(run.book),
      worker_(*run.workers[0]),
      heap_(worker_.heap),
      calls_(run.book.defs.size() + 1),
      prims_(run.book.defs.size() + 1) {}

// ---- agents -----------------------------------------------------------------

bool PlainReducer::begin(DefId def, const Word* args, std::size_t n,
                         Agent* parent) {
  ++calls_[index(def)];
  if (index(def) == book_.defs.size()) {  // the last continuation
    top_ = parent;
    Word value = make(book_.known.emit, args, 1, TypeId::kNone);
    --makes_;
    return value != 0 && deliver(value);
  }
  const DefRow& row = book_.def(def);
  auto words = static_cast<unsigned>(sizeof(Agent) / 8 + row.wires.size());
  Frame* memory = worker_.new_frame(words);
  if (!memory) return false;
  auto* agent = reinterpret_cast<Agent*>(memory);
  *agent = {parent, &row, &row.block, 0, 0};
  std::copy(args, args + n, agent->wires());
  top_ = agent;
  return true;
}

void PlainReducer::free_agent(Agent* agent) {
  auto words =
      static_cast<unsigned>(sizeof(Agent) / 8 + agent->def->wires.size());
  worker_.free_frame(reinterpret_cast<Frame*>(agent), words);
}

bool PlainReducer::begin_apply(Word function, Word argument, Agent* parent) {
  std::vector<Word> args;
  std::uint32_t def = low32(function);
  if (tag_of(function) == Tag::kClosure) {
    HeapNode* node = node_of(function);
    def = node->id();
    args.assign(node->fields(), node->fields() + node->size());
    free_node(heap_, node);
  } else if (tag_of(function) != Tag::kFun) {
    return fail(Fault::kNoArm);
  }
  args.push_back(argument);
  std::size_t params =
      def == book_.defs.size() ? 1 : book_.defs[def].params;
  if (args.size() == params) {
    return begin(static_cast<DefId>(def), args.data(), params, parent);
  }
  HeapNode* longer = new_node(heap_, def, static_cast<unsigned>(args.size()));
  if (!longer) return false;
  std::copy(args.begin(), args.end(), longer->fields());
  top_ = parent;
  return deliver(node_word(Tag::kClosure, longer));
}

// The agent that has its value is gone; its parent goes on.
bool PlainReducer::finish(Word value) {
  Agent* done = top_;
  top_ = done->parent;
  free_agent(done);
  return deliver(value);
}

bool PlainReducer::deliver(Word value) {
  if (!top_) {
    value_ = value;
    return true;
  }
  const Stmt& stmt = (*top_->block)[top_->at];
  if (stmt.op != Op::kPar) {
    ++top_->at;
    return set(stmt.outs[0], value);
  }
  top_->wires()[index(stmt.outs[top_->par])] = value;
  if (++top_->par == stmt.calls.size()) {
    top_->par = 0;
    ++top_->at;
  }
  return true;
}

bool PlainReducer::set(Wire wire, Word value) {
  if (wire == Wire::kOut) return finish(value);
  top_->wires()[index(wire)] = value;
  return true;
}

Word PlainReducer::reduce() {
  while (top_) {
    int left = worker_.fuel.load(std::memory_order_relaxed) - 1;
    worker_.fuel.store(left, std::memory_order_relaxed);
    if (left <= 0 && !worker_.poll()) return 0;
    const DefRow* def = top_->def;
    if (!step()) {
      run_.trap_fault(worker_);
      run_.name_trap(worker_, *def);
      return 0;
    }
  }
  return value_;
}

Word PlainReducer::call(DefId def, const std::vector<Word>& args) {
  top_ = nullptr;
  bool begun = begin(def, args.data(), args.size(), nullptr);
  --calls_[index(def)];  // an entry is no call statement
  if (!begun) run_.trap_fault(worker_);
  return begun ? reduce() : 0;
}

Word PlainReducer::apply(Word function, Word argument) {
  top_ = nullptr;
  if (begin_apply(function, argument, nullptr)) return reduce();
  run_.trap_fault(worker_);
  return 0;
}

// ---- statements -------------------------------------------------------------

bool PlainReducer::begin_call(const Stmt& call, Agent* parent,
                              const Word* args) {
  if (call.op == Op::kApply) return begin_apply(args[0], args[1], parent);
  return begin(call.def, args, call.ins.size(), parent);
}

bool PlainReducer::step() {
  const Stmt& stmt = (*top_->block)[top_->at];
  const Stmt& acting =
      stmt.op == Op::kPar ? stmt.calls[top_->par] : stmt;
  if (stmt.op == Op::kPar) forks_ += top_->par == 0;
  if (acting.op != Op::kCall && acting.op != Op::kApply) {
    return statement(acting);
  }
  std::vector<Word> args;
  for (Wire in : acting.ins) args.push_back(top_->wires()[index(in)]);
  bool tail = stmt.op != Op::kPar && stmt.outs[0] == Wire::kOut;
  if (!tail) return begin_call(acting, top_, args.data());
  // In tail position the callee takes the place of its caller.
  Agent* caller = top_;
  Agent* parent = caller->parent;
  free_agent(caller);
  return begin_call(acting, parent, args.data());
}

bool PlainReducer::statement(const Stmt& stmt) {
  std::vector<Word> args;
  for (Wire in : stmt.ins) args.push_back(top_->wires()[index(in)]);
  if (stmt.op == Op::kMatch) return match(stmt, args[0]);
  Word value = 0;
  switch (stmt.op) {
    case Op::kU32: value = make_u32(static_cast<std::uint32_t>(stmt.num)); break;
    case Op::kNat: value = make_nat(stmt.num); break;
    case Op::kF32:
      value = make_f32_bits(static_cast<std::uint32_t>(stmt.num));
      break;
    case Op::kChar:
      value = make_char(static_cast<std::uint32_t>(stmt.num));
      break;
    case Op::kString:
      value = make_string(heap_, run_.strings, decode_literal(stmt.text));
      break;
    case Op::kMove: value = args[0]; break;
    case Op::kMake:
      value = make(stmt.ctor, args.data(), args.size(),
                   args.empty() ? TypeId::kNone
                                : top_->def->wires[index(stmt.ins[0])].type);
      break;
    case Op::kTake:
      ++top_->at;
      ++takes_;
      return take(stmt.ctor, args[0], stmt.outs);
    case Op::kCopy:
      if (!copy_word(heap_, args[0])) return false;
      ++top_->at;
      return set(stmt.outs[0], args[0]) && set(stmt.outs[1], args[0]);
    case Op::kDrop:
      ++top_->at;
      if (is_owned(args[0])) {
        ++heap_.counts.drops;
        drop_owned(heap_, args[0]);
      }
      return heap_.fault() == Fault::kNone;
    case Op::kPrim:
      ++prims_[static_cast<std::size_t>(top_->def - book_.defs.data())];
      value = prim(stmt, args.data());
      break;
    case Op::kClosure: {
      auto def = index(stmt.def);
      if (args.empty()) {
        value = make_fun(def);
        break;
      }
      HeapNode* node = new_node(heap_, def, static_cast<unsigned>(args.size()));
      if (!node) return false;
      std::copy(args.begin(), args.end(), node->fields());
      value = node_word(Tag::kClosure, node);
      break;
    }
    case Op::kEffect: {
      HeapNode* node = new_node(heap_, static_cast<std::uint32_t>(stmt.effect),
                            static_cast<unsigned>(args.size()));
      if (!node) return false;
      std::copy(args.begin(), args.end(), node->fields());
      value = node_word(Tag::kRequest, node);
      break;
    }
    default:
      return fail(Fault::kNoArm);
  }
  if (heap_.fault() != Fault::kNone) return false;
  ++top_->at;
  return set(stmt.outs[0], value);
}

Word PlainReducer::make(CtorId ctor, const Word* fields, std::size_t n,
                        TypeId element) {
  ++makes_;
  if (ctor == kCtorALeaf) {
    return array_leaf(heap_, cell_kind(element), fields[0]);
  }
  if (ctor == kCtorANode) return array_node(heap_, fields[0], fields[1]);
  std::uint32_t id = run_.program.id(ctor);
  if (n == 0) return make_ctor(id);
  HeapNode* node = new_node(heap_, id, static_cast<unsigned>(n));
  if (!node) return 0;
  std::copy(fields, fields + n, node->fields());
  return node_word(Tag::kNode, node);
}

bool PlainReducer::take(CtorId ctor, Word value,
                        const std::vector<Wire>& outs) {
  Word* wires = top_->wires();
  if (ctor == kCtorALeaf || ctor == kCtorANode) {
    if (tag_of(value) != Tag::kArray) return fail(Fault::kNoArm);
    Word first = 0, second = 0;
    bool leaf = ctor == kCtorALeaf;
    bool one = array_size(value) == 1;
    if (leaf != one) return fail(Fault::kNoArm);
    bool done = leaf ? array_take_leaf(heap_, value, first)
                     : array_split(heap_, value, first, second);
    if (!done) return false;
    wires[index(outs[0])] = first;
    if (!leaf) wires[index(outs[1])] = second;
    return true;
  }
  std::uint32_t id = run_.program.id(ctor);
  if (outs.empty()) {
    return value == make_ctor(id) || fail(Fault::kNoArm);
  }
  if (tag_of(value) != Tag::kNode || node_of(value)->id() != id ||
      node_of(value)->size() != outs.size()) {
    return fail(Fault::kNoArm);
  }
  std::vector<Word> fields(outs.size());
  if (!take_fields(heap_, node_of(value), fields.data())) return false;
  for (std::size_t i = 0; i < outs.size(); ++i) {
    wires[index(outs[i])] = fields[i];
  }
  return true;
}

bool PlainReducer::match(const Stmt& stmt, Word value) {
  std::uint32_t id = tag_of(value) == Tag::kCtor   ? low32(value)
                     : tag_of(value) == Tag::kNode ? node_of(value)->id()
                                                   : UINT32_MAX;
  bool array = tag_of(value) == Tag::kArray;
  for (const Arm& arm : stmt.arms) {
    bool fits = false;
    switch (arm.kind) {
      case ArmKind::kCtor:
        fits = array ? (arm.ctor == kCtorALeaf) == (array_size(value) == 1)
                     : arm.ctor != kCtorALeaf && arm.ctor != kCtorANode &&
                           run_.program.id(arm.ctor) == id;
        break;
      case ArmKind::kZero: fits = nat_of(value) == 0; break;
      case ArmKind::kSucc: fits = nat_of(value) != 0; break;
      case ArmKind::kLiteral:
        fits = (tag_of(value) == Tag::kNat ? nat_of(value)
                                           : Word{low32(value)}) == arm.value;
        break;
      case ArmKind::kElse: fits = true; break;
    }
    if (!fits) continue;
    top_->block = &arm.block;
    top_->at = 0;
    if (arm.kind == ArmKind::kCtor) {
      takes_ += !arm.binds.empty();
      return take(arm.ctor, value, arm.binds);
    }
    if (arm.binds.empty()) return true;
    Word bound = arm.kind == ArmKind::kSucc ? make_nat(nat_of(value) - 1)
                                            : value;
    top_->wires()[index(arm.binds[0])] = bound;
    return true;
  }
  return fail(Fault::kNoArm);
}

// ---- primitives -------------------------------------------------------------

Word PlainReducer::pair(Word first, Word second) {
  HeapNode* node = new_node(heap_, run_.program.id(book_.known.tuple), 2);
  if (!node) return 0;
  node->fields()[0] = first;
  node->fields()[1] = second;
  return node_word(Tag::kNode, node);
}

Word PlainReducer::boolean(bool value) {
  return make_ctor(
      run_.program.id(value ? book_.known.true_ : book_.known.false_));
}

Word PlainReducer::order(Word x, Word y) {
  const Known& known = book_.known;
  return make_ctor(
      run_.program.id(x < y ? known.lt : x > y ? known.gt : known.eq));
}

Word PlainReducer::u32_prim(Prim prim, std::uint32_t x, std::uint32_t y) {
  switch (prim) {
    case Prim::kU32Add: return make_u32(x + y);
    case Prim::kU32Sub: return make_u32(x - y);
    case Prim::kU32Mul: return make_u32(x * y);
    case Prim::kU32Div: return make_u32(y == 0 ? 0 : x / y);
    case Prim::kU32Mod: return make_u32(y == 0 ? x : x % y);
    case Prim::kU32And: return make_u32(x & y);
    case Prim::kU32Or: return make_u32(x | y);
    case Prim::kU32Xor: return make_u32(x ^ y);
    case Prim::kU32Not: return make_u32(~x);
    case Prim::kU32Inc: return make_u32(x + 1);
    case Prim::kU32Shl: return make_u32(x << 1);
    case Prim::kU32Shr: return make_u32(x >> 1);
    case Prim::kU32Cmp: return order(x, y);
    case Prim::kU32IsEq: return boolean(x == y);
    case Prim::kU32IsNe: return boolean(x != y);
    case Prim::kU32IsLt: return boolean(x < y);
    case Prim::kU32IsLe: return boolean(x <= y);
    case Prim::kU32IsGt: return boolean(x > y);
    case Prim::kU32IsGe: return boolean(x >= y);
    case Prim::kU32IsZero: return boolean(x == 0);
    case Prim::kU32ToNat: return make_nat(x);
    case Prim::kU32FromNat: return make_u32(x);
    case Prim::kCharFromU32: return make_char(x);
    case Prim::kCharToU32: return make_u32(x);
    default: return 0;
  }
}

Word PlainReducer::f32_prim(Prim prim, std::uint32_t x, std::uint32_t y) {
  if (is_f32_math(prim)) {
    return make_f32_bits(f32_math(f32_math_of(prim), x, y));
  }
  switch (prim) {
    case Prim::kF32Add: return make_f32_bits(f32_add(x, y));
    case Prim::kF32Sub: return make_f32_bits(f32_sub(x, y));
    case Prim::kF32Mul: return make_f32_bits(f32_mul(x, y));
    case Prim::kF32Div: return make_f32_bits(f32_div(x, y));
    case Prim::kF32IsEq: return boolean(f32_is_eq(x, y));
    case Prim::kF32IsNe: return boolean(!f32_is_eq(x, y));
    case Prim::kF32IsLt: return boolean(f32_is_lt(x, y));
    case Prim::kF32IsLe: return boolean(f32_is_le(x, y));
    case Prim::kF32IsGt: return boolean(f32_is_lt(y, x));
    case Prim::kF32IsGe: return boolean(f32_is_le(y, x));
    case Prim::kF32ToU32: return make_u32(f32_to_u32(x));
    case Prim::kF32Bits: return make_u32(f32_canonical(x));
    case Prim::kU32ToF32: return make_f32_bits(f32_from_u32(x));
    case Prim::kF32Make: return make_f32_bits(x);
    case Prim::kF32Take: return make_u32(x);
    default: return 0;
  }
}

Word PlainReducer::nat_prim(Prim prim, Word a, Word b) {
  std::uint64_t x = nat_of(a), y = nat_of(b);
  auto checked = [this](bool fits, std::uint64_t n) -> Word {
    if (fits && n <= kMaxNat) return make_nat(n);
    fail(Fault::kNatRange);
    return 0;
  };
  switch (prim) {
    case Prim::kNatSucc: return checked(true, x + 1);
    case Prim::kNatAdd: return checked(true, x + y);
    case Prim::kNatDouble: return checked(true, 2 * x);
    case Prim::kNatMul: return checked(y == 0 || x <= kMaxNat / y, x * y);
    case Prim::kNatSub: return make_nat(x > y ? x - y : 0);
    case Prim::kNatCmp: return order(x, y);
    case Prim::kNatIsLt: return boolean(x < y);
    case Prim::kNatDivmod:
      return y == 0 ? pair(make_nat(0), a)
                    : pair(make_nat(x / y), make_nat(x % y));
    default: return 0;
  }
}

Word PlainReducer::array_prim(const Stmt& stmt, const Word* args) {
  if (stmt.prim == Prim::kArrayNew) {
    return array_new(heap_, nat_of(args[0]), cell_kind(stmt.type), args[1]);
  }
  Word array = args[0];
  if (tag_of(array) != Tag::kArray) return fail(Fault::kNoArm), 0;
  Word other = 0;
  switch (stmt.prim) {
    case Prim::kArraySize:
      return pair(array,
                  make_u32(static_cast<std::uint32_t>(array_size(array))));
    case Prim::kArrayGet:
      if (!array_get(heap_, array, low32(args[1]), other)) return 0;
      return pair(array, other);
    case Prim::kArraySet:
      return array_set(heap_, array, low32(args[1]), args[2]) ? array : 0;
    case Prim::kArraySwap:
      if (!array_swap(heap_, array, low32(args[1]), args[2], other)) return 0;
      return pair(array, other);
    case Prim::kArrayClone:
      other = array_clone(heap_, array);
      return other == 0 ? 0 : pair(array, other);
    case Prim::kArrayFork:
      array_fork(heap_, array, other);
      return heap_.fault() == Fault::kNone ? pair(array, other) : 0;
    case Prim::kArrayJoin:
      if (tag_of(args[1]) != Tag::kArray) return fail(Fault::kNoArm), 0;
      return array_join(heap_, array, args[1]);
    default: break;
  }
  auto op = static_cast<AtomicOp>(static_cast<int>(stmt.prim) -
                                  static_cast<int>(Prim::kAtomicAdd));
  std::uint32_t y = stmt.prim == Prim::kAtomicCas ? low32(args[3]) : 0;
  if (!array_atomic(heap_, op, array, low32(args[1]), low32(args[2]), y,
                    other)) {
    return 0;
  }
  return pair(array, other);
}

Word PlainReducer::prim(const Stmt& stmt, const Word* args) {
  Prim prim = stmt.prim;
  Word x = args[0];
  Word y = stmt.ins.size() > 1 ? args[1] : 0;
  switch (prim) {
    case Prim::kU32Shln:
      return make_u32(nat_of(y) < 32 ? low32(x) << nat_of(y) : 0);
    case Prim::kU32Shrn:
      return make_u32(nat_of(y) < 32 ? low32(x) >> nat_of(y) : 0);
    case Prim::kBoolOr: return x == boolean(true) ? x : y;
    case Prim::kBoolXor: return boolean(x != y);
    case Prim::kStringAppend: return append_strings(heap_, run_.strings, x, y);
    case Prim::kStringLength: return string_length(heap_, run_.strings, x);
    case Prim::kF32Show: return show_f32(heap_, run_.strings, x);
    case Prim::kF32Read: return read_f32(heap_, run_.strings, x);
    default: break;
  }
  if (prim >= Prim::kF32Add && prim <= Prim::kF32Take) {
    return f32_prim(prim, low32(x), low32(y));
  }
  if (prim >= Prim::kNatSucc && prim <= Prim::kNatIsLt) {
    return nat_prim(prim, x, y);
  }
  if (prim >= Prim::kArrayNew) return array_prim(stmt, args);
  return u32_prim(prim, low32(x), low32(y));
}

// ---- counts -----------------------------------------------------------------

void PlainReducer::add_counts(RunStats& stats) const {
  add_def_counts(book_, calls_.data(), prims_.data(), stats);
  stats.takes += takes_;
  stats.makes += makes_;
  stats.forks += forks_;
}

}  // namespace tine
