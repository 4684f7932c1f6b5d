// Source-level text of terms: lists, tuples, strings, arrays and numbers as
// language.md 4.8 prints them, everything else as it would be written.
#include <algorithm>
#include <cstdio>

#include "compiler/core/base_ids.h"
#include "compiler/core/term.h"
#include "compiler/syntax/utf8.h"
#include "runtime/num/f32.h"

namespace tine::core {

namespace {

// Precedence levels of language.md 2.6.
constexpr int kLoose = 0, kPairLevel = 1, kMeetLevel = 5, kTight = 12;
// Terms nested deeper than this are cut with `..`.
constexpr int kMaxShown = 3000;

void put_escaped(std::string& out, std::uint32_t c, char quote) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    case 0: out += "\\0"; return;
    case '\\': out += "\\\\"; return;
    default: break;
  }
  if (c == static_cast<unsigned char>(quote)) {
    out += '\\';
    out += quote;
  } else if (c < 32 || c == 127 || (c >= 0xD800 && c < 0xE000) ||
             c > 0x10FFFF) {
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "\\u{%x}", c);
    out += buffer;
  } else {
    append_utf8(out, c);
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char ch : text) {
    auto b = static_cast<unsigned char>(ch);
    if (b < 0x80)
      put_escaped(out, b, '"');
    else
      out += ch;
  }
  return out + "\"";
}

class Shower {
 public:
  Shower(const Globals& globals, std::vector<std::string> names)
      : globals_(globals), ids_(find_base_ids(globals)),
        names_(std::move(names)) {}

  std::string text(const Term* t) {
    show(t, kLoose);
    return std::move(out_);
  }

 private:
  struct Paren {
    Shower& s;
    bool on;
    Paren(Shower& shower, bool wanted) : s(shower), on(wanted) {
      if (on) s.out_ += '(';
    }
    ~Paren() {
      if (on) s.out_ += ')';
    }
  };

  std::string fresh(const std::string& name) {
    return name.empty() ? "_" : name;
  }

  // A name for a binder of `body`, so that the text means the term: `_` has
  // no uses, and no name of `body` that means something else is captured.
  std::string pick(const std::string& wanted, const Term* body) {
    std::string base = fresh(wanted);
    if (base == "_") {
      if (!mentions(body, 0)) return base;
      base = "x";
    }
    std::string name = base;
    for (int n = 1; is_known(name) && captures(body, 1, name); ++n)
      name = base + std::to_string(walked_ > kMostWalked ? ++serial_ : n);
    return name;
  }

  bool is_known(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end() ||
           globals_.find_def(name) != Def::kNone ||
           globals_.find_data(name) != Data::kNone;
  }

  // Looking into the body of every binder takes the square of a deep term:
  // past so many nodes every name is taken for used, and binders are numbered.
  static constexpr std::uint64_t kMostWalked = 1 << 20;

  // Does `t`, under `own` binders, use something else of this name?
  bool captures(const Term* t, std::uint64_t own, const std::string& name) {
    if (++walked_ > kMostWalked) return true;
    if (t->kind == TermKind::kVar && t->num >= own) {
      std::uint64_t n = t->num - own;
      return n < names_.size() && names_[names_.size() - 1 - n] == name;
    }
    if (t->kind == TermKind::kRef) return globals_.def(t->def).shown == name;
    if (t->kind == TermKind::kData && globals_.data(t->data).shown == name)
      return true;
    for (std::size_t i = 0; i < t->kids.size(); ++i)
      if (captures(t->kids[i], own + bound(t, i), name)) return true;
    for (const TermArm& arm : t->arms)
      if (captures(arm.body, own + arm.binds.size(), name)) return true;
    return false;
  }

  // How many variables a term binds in its kid number `i`.
  static std::uint64_t bound(const Term* t, std::size_t i) {
    bool last = i + 1 == t->kids.size();
    switch (t->kind) {
      case TermKind::kLam: return 1;
      case TermKind::kPi:
      case TermKind::kLet: return last ? 1 : 0;
      case TermKind::kPar: return last ? t->binders.size() : 0;
      default: return 0;
    }
  }

  void variable(std::uint64_t n) {
    if (n < names_.size())
      out_ += names_[names_.size() - 1 - n];
    else
      out_ += "#" + std::to_string(n);
  }

  void items(const std::vector<Term*>& kids, std::size_t from) {
    for (std::size_t i = from; i < kids.size(); ++i) {
      if (i > from) out_ += ", ";
      show(kids[i], kLoose);
    }
  }

  void under(const std::string& name, const Term* body, int level) {
    names_.push_back(name);
    show(body, level);
    names_.pop_back();
  }

  void mark(Mark m) {
    if (m == Mark::kErased) out_ += '-';
    if (m == Mark::kReuse) out_ += '+';
  }

  bool mentions(const Term* t, std::uint64_t n) {
    if (++walked_ > kMostWalked) return true;
    if (t->kind == TermKind::kVar) return t->num == n;
    for (std::size_t i = 0; i < t->kids.size(); ++i)
      if (mentions(t->kids[i], n + bound(t, i))) return true;
    for (const TermArm& arm : t->arms)
      if (mentions(arm.body, n + arm.binds.size())) return true;
    return false;
  }

  void show(const Term* t, int level) {
    if (depth_ > kMaxShown) {
      out_ += "..";
      return;
    }
    ++depth_;
    show_kind(t, level);
    --depth_;
  }

  void show_kind(const Term* t, int level) {
    switch (t->kind) {
      case TermKind::kVar:
        return variable(t->num);
      case TermKind::kRef:
        out_ += globals_.def(t->def).shown;
        return;
      case TermKind::kLam: {
        Paren p(*this, level > kLoose);
        mark(t->mark);
        std::string name = pick(t->text, t->kids[0]);
        out_ += name + " => ";
        return under(name, t->kids[0], kLoose);
      }
      case TermKind::kApp:
        show(t->kids[0], kTight);
        out_ += t->bang ? "!(" : "(";
        items(t->kids, 1);
        out_ += ')';
        return;
      case TermKind::kPi:
        return pi(t, level);
      case TermKind::kLet: {
        Paren p(*this, level > kLoose);
        mark(t->mark);
        std::string name = pick(t->text, t->kids.back());
        out_ += name + " = ";
        show(t->kids[t->kids.size() - 2], kLoose);
        out_ += "; ";
        return under(name, t->kids.back(), kLoose);
      }
      case TermKind::kPar: {
        Paren p(*this, level > kLoose);
        for (const TermBinder& b : t->binders) {
          mark(b.mark);
          out_ += fresh(b.text) + " ";
        }
        out_ += "=";
        for (std::size_t i = 0; i + 1 < t->kids.size(); ++i) {
          out_ += ' ';
          show(t->kids[i], kTight);
        }
        out_ += "; ";
        for (const TermBinder& b : t->binders) names_.push_back(fresh(b.text));
        show(t->kids.back(), kLoose);
        names_.resize(names_.size() - t->binders.size());
        return;
      }
      case TermKind::kMatch:
        return match(t);
      case TermKind::kCtor:
        return ctor(t, level);
      case TermKind::kData:
        return data(t, level);
      case TermKind::kKind: {
        const Term* q = t->kids[0];
        if (q->kind == TermKind::kQty && q->num == 1)
          out_ += "Type";
        else if (q->kind == TermKind::kQty && q->num == 2)
          out_ += "Data";
        else {
          out_ += "Kind(";
          show(q, kLoose);
          out_ += ')';
        }
        return;
      }
      case TermKind::kQuant:
        out_ += "Quant";
        return;
      case TermKind::kQty:
        out_ += "&" + std::to_string(t->num);
        return;
      case TermKind::kMeet: {
        Paren p(*this, level > kMeetLevel);
        show(t->kids[0], kMeetLevel + 1);
        out_ += " <&> ";
        return show(t->kids[1], kMeetLevel);
      }
      case TermKind::kEqual:
        out_ += '{';
        show(t->kids[0], kLoose);
        out_ += " == ";
        show(t->kids[1], kLoose);
        out_ += " : ";
        show(t->kids[2], kLoose);
        out_ += '}';
        return;
      case TermKind::kRefl:
        out_ += "{==}";
        return;
      case TermKind::kRewrite: {
        Paren p(*this, level > kLoose);
        out_ += "%";
        show(t->kids[0], kTight);
        const Term* motive = t->kids[1]->kids[0];
        if (t->num == 1) out_ += "@" + motive->text;
        out_ += " : ";
        names_.push_back("_");
        if (t->num == 1) {
          names_.push_back(motive->text);
          show(motive->kids[0], kLoose);
          names_.pop_back();
        } else {
          show(motive, kLoose);
        }
        names_.pop_back();
        out_ += "; ";
        return show(t->kids[2], kLoose);
      }
      case TermKind::kU32:
        out_ += std::to_string(t->num);
        return;
      case TermKind::kF32:
        out_ += f32_value_text(static_cast<std::uint32_t>(t->num));
        return;
      case TermKind::kChar:
        out_ += '\'';
        put_escaped(out_, static_cast<std::uint32_t>(t->num), '\'');
        out_ += '\'';
        return;
      case TermKind::kNat:
        out_ += (t->text.empty() ? std::to_string(t->num) : t->text) + "n";
        return;
      case TermKind::kSucc: {
        Paren p(*this, level > kLoose);
        out_ += std::to_string(t->num) + "n+";
        return show(t->kids[0], kTight);
      }
      case TermKind::kString:
        out_ += quoted(t->text);
        return;
      case TermKind::kAnn:
        out_ += '{';
        show(t->kids[0], kLoose);
        out_ += " : ";
        show(t->kids[1], kLoose);
        out_ += '}';
        return;
      case TermKind::kHole:
        out_ += "?" + t->text;
        return;
    }
  }

  void pi(const Term* t, int level) {
    Paren p(*this, level > kLoose);
    std::string name = pick(t->text, t->kids[1]);
    if (t->mark == Mark::kPlain && !mentions(t->kids[1], 0)) {
      show(t->kids[0], kPairLevel);
    } else {
      out_ += '@';
      mark(t->mark);
      out_ += name + ": ";
      show(t->kids[0], kPairLevel);
    }
    out_ += " -> ";
    under(name, t->kids[1], kLoose);
  }

  void match(const Term* t) {
    out_ += "match ";
    show(t->kids[0], kLoose);
    out_ += ": ..";
  }

  // [a, b, ..] from a chain of Con; a stuck tail is written with `<>`.
  void list(const Term* t, int level) {
    std::vector<const Term*> heads;
    const Term* rest = t;
    while (rest->kind == TermKind::kCtor && rest->ctor == ids_.con) {
      heads.push_back(rest->kids[0]);
      rest = rest->kids[1];
    }
    if (rest->kind == TermKind::kCtor && rest->ctor == ids_.nil) {
      out_ += '[';
      for (std::size_t i = 0; i < heads.size(); ++i) {
        if (i > 0) out_ += ", ";
        show(heads[i], kLoose);
      }
      out_ += ']';
      return;
    }
    Paren p(*this, level > kMeetLevel);
    for (const Term* head : heads) {
      show(head, kMeetLevel + 1);
      out_ += " <> ";
    }
    show(rest, kMeetLevel);
  }

  // A string that was built by constructors.
  bool string(const Term* t) {
    std::string text = "\"";
    const Term* rest = t;
    while (rest->kind == TermKind::kCtor && rest->ctor == ids_.scon) {
      const Term* c = rest->kids[0];
      std::uint64_t code = c->num;
      if (c->kind == TermKind::kCtor && c->ctor == ids_.chr_of &&
          c->kids[0]->kind == TermKind::kU32)
        code = c->kids[0]->num;
      else if (c->kind != TermKind::kChar)
        return false;
      put_escaped(text, static_cast<std::uint32_t>(code), '"');
      rest = rest->kids[1];
    }
    if (rest->kind == TermKind::kString) {
      out_ += text + quoted(rest->text).substr(1);
      return true;
    }
    if (rest->kind != TermKind::kCtor || rest->ctor != ids_.snil) return false;
    out_ += text + "\"";
    return true;
  }

  bool array_items(const Term* t, std::vector<const Term*>& leaves) {
    if (t->kind != TermKind::kCtor) return false;
    if (t->ctor == ids_.aleaf) {
      leaves.push_back(t->kids[0]);
      return true;
    }
    return t->ctor == ids_.anode && array_items(t->kids[0], leaves) &&
           array_items(t->kids[1], leaves);
  }

  void ctor(const Term* t, int level) {
    if (t->ctor == ids_.tuple && ids_.tuple != Ctor::kNone) {
      out_ += '(';
      show(t->kids[0], kLoose);
      const Term* rest = t->kids[1];
      while (rest->kind == TermKind::kCtor && rest->ctor == ids_.tuple) {
        out_ += ", ";
        show(rest->kids[0], kLoose);
        rest = rest->kids[1];
      }
      out_ += ", ";
      show(rest, kLoose);
      out_ += ')';
      return;
    }
    if (t->ctor == ids_.con || t->ctor == ids_.nil) return list(t, level);
    if (t->ctor == ids_.zero && ids_.zero != Ctor::kNone) {
      out_ += "0n";
      return;
    }
    if (t->ctor == ids_.succ && ids_.succ != Ctor::kNone) {
      Paren p(*this, level > kLoose);
      out_ += "1n+";
      return show(t->kids[0], kTight);
    }
    if ((t->ctor == ids_.scon || t->ctor == ids_.snil) && string(t)) return;
    if (t->ctor == ids_.chr_of && t->kids[0]->kind == TermKind::kU32) {
      out_ += '\'';
      put_escaped(out_, static_cast<std::uint32_t>(t->kids[0]->num), '\'');
      out_ += '\'';
      return;
    }
    std::vector<const Term*> leaves;
    if ((t->ctor == ids_.aleaf || t->ctor == ids_.anode) &&
        array_items(t, leaves)) {
      out_ += '[';
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (i > 0) out_ += ", ";
        show(leaves[i], kLoose);
      }
      out_ += ']';
      return;
    }
    out_ += globals_.ctor(t->ctor).shown + "{";
    items(t->kids, 0);
    out_ += '}';
  }

  bool is_qty(const Term* t, std::uint64_t n) {
    return t->kind == TermKind::kQty && t->num == n;
  }

  // A & B, A | B, D<..>, +D<..>.
  void data(const Term* t, int level) {
    const DataInfo& info = globals_.data(t->data);
    std::uint32_t quants = info.leading_quants;
    bool one = quants > 0, two = quants > 0;
    for (std::uint32_t i = 0; i < quants && i < t->kids.size(); ++i) {
      one &= is_qty(t->kids[i], 1);
      two &= is_qty(t->kids[i], 2);
    }
    if (t->data == ids_.sigma && one && t->kids.size() == 4 &&
        t->kids[3]->kind == TermKind::kLam) {
      const Term* lam = t->kids[3];
      Paren p(*this, level > kPairLevel);
      std::string name = pick(lam->text, lam->kids[0]);
      if (mentions(lam->kids[0], 0)) {
        out_ += "&" + name + ": ";
        show(t->kids[2], kPairLevel + 1);
        out_ += " -> ";
      } else {
        show(t->kids[2], kPairLevel + 1);
        out_ += " & ";
      }
      return under(name, lam->kids[0], kPairLevel);
    }
    if (t->data == ids_.either && one && t->kids.size() == 4) {
      Paren p(*this, level > kPairLevel);
      show(t->kids[2], kPairLevel + 1);
      out_ += " | ";
      return show(t->kids[3], kPairLevel);
    }
    if (two) out_ += '+';
    out_ += info.shown;
    std::size_t from = one || two ? quants : 0;
    if (t->kids.size() == 0) return;
    if (t->kids.size() == from) return;
    out_ += '<';
    // A comparison could start here, so the first argument is an operand.
    show(t->kids[from], kMeetLevel);
    if (from + 1 < t->kids.size()) out_ += ", ";
    items(t->kids, from + 1);
    out_ += '>';
  }

  const Globals& globals_;
  BaseIds ids_;
  std::vector<std::string> names_;
  std::string out_;
  int depth_ = 0;
  std::uint64_t walked_ = 0;  // nodes looked at for the sake of names
  std::uint64_t serial_ = 0;
};

}  // namespace

std::string show(const Globals& globals, const Term* term,
                 std::vector<std::string> names) {
  return Shower(globals, std::move(names)).text(term);
}

}  // namespace tine::core
