// A node as one line of source, in the canonical spelling.
//
// The pieces still to be written wait on a stack, texts and nodes mixed, so a
// tree of any depth is written without recursion. Parentheses are nodes
// (kGroup), so no precedence has to be known here.
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "compiler/syntax/surface.h"
#include "compiler/syntax/utf8.h"
#include "runtime/num/f32.h"

namespace tine {

namespace {

std::string hex(char32_t code) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits,
                                 static_cast<std::uint32_t>(code), 16);
  return std::string(digits, end.ptr);
}

void append_escaped(std::string& out, char32_t code, char quote) {
  switch (code) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    case '\0': out += "\\0"; return;
    case '\\': out += "\\\\"; return;
    default: break;
  }
  if (code == static_cast<unsigned char>(quote)) {
    out += '\\';
    out += quote;
  } else if (code < 0x20 || code == 0x7F || !is_scalar_value(code)) {
    out += "\\u{" + hex(code) + "}";
  } else {
    append_utf8(out, code);
  }
}

std::string quote_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    append_escaped(out, decoded.code, '"');
    at += decoded.length;
  }
  return out + "\"";
}

std::string quote_char(std::uint64_t code) {
  std::string out = "'";
  append_escaped(out, static_cast<char32_t>(code), '\'');
  return out + "'";
}

std::string mark_text(Mark mark) {
  return mark == Mark::kErased ? "-" : mark == Mark::kReuse ? "+" : "";
}

std::string binder_text(const Binder& binder) {
  return mark_text(binder.mark) + binder.text;
}

struct Piece {
  const Node* node = nullptr;
  std::string text;
};

using Pieces = std::vector<Piece>;

// Builds the pieces of one node from left to right.
class Builder {
 public:
  Builder& text(std::string text) {
    if (!text.empty()) pieces_.push_back({nullptr, std::move(text)});
    return *this;
  }
  Builder& node(const Node* node) {
    pieces_.push_back({node, ""});
    return *this;
  }
  // Kids [from, to) with `between` in between.
  Builder& kids(const Node& of, std::size_t from, std::size_t to,
                const std::string& between) {
    for (std::size_t i = from; i < to; ++i) {
      if (i > from) text(between);
      node(of.kids[i]);
    }
    return *this;
  }
  Pieces take() { return std::move(pieces_); }

 private:
  Pieces pieces_;
};

Pieces show_call(const Node& node) {
  Builder out;
  out.node(node.kids[0]).text(node.bang ? "!(" : "(");
  for (std::size_t i = 1; i < node.kids.size(); ++i) {
    if (i > 1) out.text(", ");
    if (i <= node.num) out.text("~");
    out.node(node.kids[i]);
  }
  return out.text(")").take();
}

Pieces show_let(const Node& node) {
  Builder out;
  const std::size_t values = node.kids.size() - 1;
  const bool typed = node.kind == NodeKind::kTypedLet;
  for (std::size_t i = 0; i < node.binders.size(); ++i) {
    Binder binder = node.binders[i];
    if (node.kind == NodeKind::kErasedLet && i > 0) binder.mark = Mark::kPlain;
    out.text((i > 0 ? " " : "") + binder_text(binder));
  }
  if (typed) out.text(" : ").node(node.kids[0]);
  return out.text(" = ")
      .kids(node, typed ? 1 : 0, values, " ")
      .text("; ")
      .node(node.kids[values])
      .take();
}

Pieces show_match(const Node& node) {
  Builder out;
  out.text("match ").kids(node, 0, node.kids.size(), ", ").text(":");
  for (const Case& arm : node.cases) {
    out.text(" case ");
    for (std::size_t i = 0; i < arm.patterns.size(); ++i) {
      out.text(i > 0 ? ", " : "").node(arm.patterns[i]);
    }
    out.text(": ").node(arm.body);
  }
  return out.take();
}

Pieces show_do(const Node& node) {
  Builder out;
  out.text("do " + node.text + "<")
      .kids(node, 0, node.kids.size(), ", ")
      .text(">:");
  for (std::size_t i = 0; i < node.steps.size(); ++i) {
    const Step& step = node.steps[i];
    out.text(i > 0 ? "; " : " ");
    const bool bound = step.kind == StepKind::kBind ||
                       step.kind == StepKind::kPure;
    if (bound) out.text(binder_text(step.binder) + " : ");
    if (step.type != nullptr) {
      out.node(step.type).text(step.kind == StepKind::kPure ? " = " : " <- ");
    }
    if (step.kind == StepKind::kReturn) out.text("return ");
    out.node(step.value);
  }
  return out.take();
}

Pieces show_raw_match(const Node& node) {
  Builder out;
  out.text("\\{");
  std::size_t i = 0;
  for (; i + 1 < node.kids.size(); i += 2) {
    out.text(i > 0 ? "; " : "");
    out.node(node.kids[i]).text(": ").node(node.kids[i + 1]);
  }
  if (i < node.kids.size()) {
    out.text(i > 0 ? "; " : "").node(node.kids[i]);
  }
  return out.text("}").take();
}

Pieces show_rewrite(const Node& node) {
  return Builder()
      .text("%")
      .node(node.kids[0])
      .text((node.text.empty() ? "" : "@" + node.text) + " : ")
      .node(node.kids[1])
      .text("; ")
      .node(node.kids[2])
      .take();
}

Pieces show_ctor_pattern(const Node& node) {
  const std::size_t count = node.kids.size();
  if (node.num == 1 && node.text == "Con" && count == 2) {
    return Builder().kids(node, 0, count, " <> ").take();
  }
  if (node.num == 1 && node.text == "Nil") return Builder().text("[]").take();
  if (node.num == 1) {
    return Builder().text("(").kids(node, 0, count, ", ").text(")").take();
  }
  return Builder().text(node.text + "{").kids(node, 0, count, ", ").text("}")
      .take();
}

Pieces leaf(std::string text) { return Builder().text(std::move(text)).take(); }

// What `open` kids `close` look like, kids separated by commas.
Pieces wrap(const Node& node, std::string open, std::string close) {
  return Builder()
      .text(std::move(open))
      .kids(node, 0, node.kids.size(), ", ")
      .text(std::move(close))
      .take();
}

Pieces show_binding_type(const Node& node, const std::string& sigil) {
  return Builder()
      .text(sigil + mark_text(node.mark) + node.text + ": ")
      .node(node.kids[0])
      .text(" -> ")
      .node(node.kids[1])
      .take();
}

Pieces show_array(const Node& node, const std::string& between) {
  return Builder()
      .text("[")
      .node(node.kids[0])
      .text(" : ")
      .node(node.kids[1])
      .text(between)
      .node(node.kids[2])
      .text("]")
      .take();
}

Pieces show_equal(const Node& node) {
  return Builder()
      .text("{")
      .node(node.kids[0])
      .text(node.num == 1 ? " != " : " == ")
      .node(node.kids[1])
      .text(" : ")
      .node(node.kids[2])
      .text("}")
      .take();
}

Pieces show_index(const Node& node) {
  Builder out;
  out.node(node.kids[0]).text("[").node(node.kids[1]).text("]");
  if (node.kind == NodeKind::kWrite) out.text(" <- ").node(node.kids[2]);
  return out.take();
}

Pieces show_infix(const Node& node, const std::string& op) {
  return Builder()
      .node(node.kids[0])
      .text(" " + op + " ")
      .node(node.kids[1])
      .take();
}

Pieces show_destruct(const Node& node) {
  return Builder()
      .node(node.kids[0])
      .text(" = ")
      .node(node.kids[1])
      .text("; ")
      .node(node.kids[2])
      .take();
}

Pieces show_type_app(const Node& node) {
  return Builder()
      .node(node.kids[0])
      .text("<")
      .kids(node, 1, node.kids.size(), ", ")
      .text(">")
      .take();
}

Pieces pieces_of(const Node& node) {
  const std::string num = std::to_string(node.num);
  const std::size_t kids = node.kids.size();
  switch (node.kind) {
    case NodeKind::kName: return leaf(node.text);
    case NodeKind::kCtor: return wrap(node, node.text + "{", "}");
    case NodeKind::kU32: return leaf(num);
    case NodeKind::kNat: return leaf(num + "n");
    case NodeKind::kSucc: return wrap(node, num + "n+", "");
    case NodeKind::kF32: 
      return leaf(f32_value_text(static_cast<std::uint32_t>(node.num)));
    case NodeKind::kChar: return leaf(quote_char(node.num));
    case NodeKind::kString: return leaf(quote_string(node.text));
    case NodeKind::kType: return leaf("Type");
    case NodeKind::kData: return leaf("Data");
    case NodeKind::kQuant: return leaf("Quant");
    case NodeKind::kKind: return wrap(node, "Kind(", ")");
    case NodeKind::kQuantity: return leaf("&" + num);
    case NodeKind::kPi: return show_binding_type(node, "@");
    case NodeKind::kArrow: return show_infix(node, "->");
    case NodeKind::kExists: return show_binding_type(node, "&");
    case NodeKind::kPlus: return wrap(node, "+", "");
    case NodeKind::kList: return wrap(node, "[", "]");
    case NodeKind::kTuple: return wrap(node, "(", ")");
    case NodeKind::kGroup:
      return Builder().text("(").kids(node, 0, kids, " : ").text(")").take();
    case NodeKind::kArrayPow: return show_array(node, "^");
    case NodeKind::kArrayMul: return show_array(node, "*");
    case NodeKind::kAnn:
      return Builder().text("{").kids(node, 0, kids, " : ").text("}").take();
    case NodeKind::kEqual: return show_equal(node);
    case NodeKind::kRefl: return leaf("{==}");
    case NodeKind::kRewrite: return show_rewrite(node);
    case NodeKind::kRawMatch: return show_raw_match(node);
    case NodeKind::kHole: return leaf("?" + node.text);
    case NodeKind::kDo: return show_do(node);
    case NodeKind::kCall: return show_call(node);
    case NodeKind::kIndex:
    case NodeKind::kWrite: return show_index(node);
    case NodeKind::kLambda:
      return wrap(node, mark_text(node.mark) + node.text + " => ", "");
    case NodeKind::kTypeApp: return show_type_app(node);
    case NodeKind::kOp: return show_infix(node, node.text);
    case NodeKind::kMatch: return show_match(node);
    case NodeKind::kLet:
    case NodeKind::kTypedLet:
    case NodeKind::kParLet:
    case NodeKind::kErasedLet: return show_let(node);
    case NodeKind::kDestruct: return show_destruct(node);
    case NodeKind::kPVar: return leaf(mark_text(node.mark) + node.text);
    case NodeKind::kPWild: return leaf("_");
    case NodeKind::kPCtor: return show_ctor_pattern(node);
    case NodeKind::kPSucc: return wrap(node, num + "n+", "");
    case NodeKind::kPLit: return wrap(node, "", "");
    case NodeKind::kError: break;
  }
  return leaf("<error>");
}

}  // namespace

std::string show(const Node* node) {
  std::string out;
  Pieces waiting{{node, ""}};
  while (!waiting.empty()) {
    const Piece piece = std::move(waiting.back());
    waiting.pop_back();
    out += piece.text;
    if (piece.node == nullptr) continue;
    Pieces pieces = pieces_of(*piece.node);
    for (std::size_t i = pieces.size(); i-- > 0;) {
      waiting.push_back(std::move(pieces[i]));
    }
  }
  return out;
}

}  // namespace tine
