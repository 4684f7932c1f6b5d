#include "compiler/core/base_ids.h"

namespace tine::core {

BaseIds find_base_ids(const Globals& g) {
  BaseIds ids;
  ids.u32 = g.find_data("U32");
  ids.f32 = g.find_data("F32");
  ids.nat = g.find_data("Nat");
  ids.chr = g.find_data("Char");
  ids.string = g.find_data("String");
  ids.boolean = g.find_data("Bool");
  ids.array = g.find_data("Array");
  ids.sigma = g.find_data("Sigma");
  ids.list = g.find_data("List");
  ids.unit = g.find_data("Unit");
  ids.either = g.find_data("Either");
  ids.empty = g.find_data("Empty");
  ids.cmp = g.find_data("Cmp");
  ids.zero = g.find_ctor("Zero");
  ids.succ = g.find_ctor("Succ");
  ids.chr_of = g.find_ctor("Chr");
  ids.snil = g.find_ctor("SNil");
  ids.scon = g.find_ctor("SCon");
  ids.true_ = g.find_ctor("True");
  ids.false_ = g.find_ctor("False");
  ids.aleaf = g.find_ctor("ALeaf");
  ids.anode = g.find_ctor("ANode");
  ids.tuple = g.find_ctor("Tuple");
  ids.nil = g.find_ctor("Nil");
  ids.con = g.find_ctor("Con");
  ids.unit_of = g.find_ctor("Unit");
  ids.lt = g.find_ctor("LT");
  ids.eq = g.find_ctor("EQ");
  ids.gt = g.find_ctor("GT");
  ids.u32_of = g.find_ctor("U32");
  ids.f32_of = g.find_ctor("F32");
  ids.none = g.find_ctor("None");
  ids.some = g.find_ctor("Some");
  ids.wnil = g.find_ctor("WNil");
  ids.wcon = g.find_ctor("WCon");
  return ids;
}

}  // namespace tine::core
