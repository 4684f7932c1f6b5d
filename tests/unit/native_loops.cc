// Random loops over arrays against the same loops in C++, every index masked:
// arrays by themselves, in pairs and in records; indices of sums, differences
// and masks; reads that the next round uses. TINE_DRAWS: how many programs.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

// What a loop's round computes with; v[i] is the word that step i read.
struct State {
  Word j, k, m, s, x;
  Words v;
};

// An expression: its text and its value.
struct Term {
  char what = '0';  // j k m s x v, a number, or an operation on two
  Word number = 0;
  std::vector<Term> parts;
  std::string text() const {
    switch (what) {
      case '0': return std::to_string(number);
      case 'v': return "v" + std::to_string(number);
      case '+': return "(" + both(" + ") + ")";
      case '-': return "(" + both(" - ") + ")";
      case '&': return "(" + both(" .&. ") + ")";
      case '*': return "(" + both(" * ") + ")";
      default: return std::string(1, what);
    }
  }
  Word value(const State& at) const {
    switch (what) {
      case '0': return number;
      case 'j': return at.j;
      case 'k': return at.k;
      case 'm': return at.m;
      case 's': return at.s;
      case 'x': return at.x;
      case 'v': return at.v[number];
      default: break;
    }
    Word a = parts[0].value(at), b = parts[1].value(at);
    return what == '+' ? a + b : what == '-' ? a - b
         : what == '&' ? a & b : a * b;
  }

 private:
  std::string both(const char* sign) const {
    return parts[0].text() + sign + parts[1].text();
  }
};

struct Step {
  bool reads, second;  // of the second array
  Term index, value;
};

enum class Shape { kApart, kPair, kRecord, kShapes };

struct Loop {
  Shape shape;
  std::vector<Step> steps;
  bool ends_early;      // when the word `early` is below 1000
  Term early, s, x;

  Word run(Words& a, Words& b, Word n, State at) const {
    Word last = static_cast<Word>(a.size()) - 1;
    for (; n > 0; --n) {
      at.v.clear();
      for (const Step& step : steps) {
        Word& cell = (step.second ? b : a)[step.index.value(at) & last];
        if (step.reads) {
          at.v.push_back(cell);
        } else {
          cell = step.value.value(at);
          at.v.push_back(0);
        }
      }
      if (ends_early && early.value(at) < 1000) break;
      Word next = s.value(at);
      at.x = x.value(at);
      at.s = next;
      ++at.j;
    }
    return at.s * 31 + at.x;
  }
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  Loop loop() {
    Loop loop;
    loop.shape = static_cast<Shape>(below(std::size_t(Shape::kShapes)));
    reads_.clear();
    int steps = 1 + below(5);
    for (int i = 0; i < steps; ++i) {
      Step step{below(3) > 0, below(3) == 0, index(), word()};
      if (step.reads) reads_.push_back(static_cast<Word>(i));
      loop.steps.push_back(step);
    }
    loop.ends_early = below(5) == 0;
    loop.early = word();
    loop.s = op("+*-"[below(3)], leaf('s'), word());
    loop.x = word();
    return loop;
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_() % n); }
  static Term leaf(char what) { return {what, 0, {}}; }
  static Term op(char what, Term a, Term b) { return {what, 0, {a, b}}; }
  Term number() { return {'0', static_cast<Word>(below(4)), {}}; }

  Term word() {
    int which = below(6);
    if (which < 3 && !reads_.empty()) {
      auto read = static_cast<std::size_t>(below(reads_.size()));
      return {'v', reads_[read], {}};
    }
    return leaf("jksxms"[which]);
  }

  Term index() {
    switch (below(9)) {
      case 0: return op('+', leaf('j'), number());
      case 1: return op('-', leaf('j'), number());
      case 2: return op('+', leaf('j'), leaf('k'));
      case 3: return op('-', op('+', leaf('k'), leaf('j')), number());
      case 4: {
        Term left = op('-', leaf('j'), number());
        return op('+', leaf('k'), op('&', left, leaf('m')));
      }
      case 5: return op('&', op('+', number(), leaf('j')), leaf('m'));
      case 6: return op('-', leaf('j'), leaf('k'));
      case 7: return op('+', number(), leaf('j'));
      default: return below(2) ? word() : op('+', word(), leaf('j'));
    }
  }

  std::mt19937 random_;
  std::vector<Word> reads_;
};

// The def of loop `number`, which gives Two{a, b} and a word.
std::string text_of(const Loop& loop, int number) {
  std::string name = "loop" + std::to_string(number), carried, taken;
  std::string a = "a", b = "b";
  switch (loop.shape) {
    case Shape::kApart:
      carried = "+x: U32, a: Array<U32>, b: Array<U32>";
      break;
    case Shape::kPair:
      carried = "r: Array<U32> & U32, b: Array<U32>";
      taken = "(a, +x) = r\n";
      break;
    default:
      carried = "+x: U32, t: Two";
      taken = "Two{a, b} = t\n";
      break;
  }
  auto handed = [&](const std::string& x) {
    switch (loop.shape) {
      case Shape::kApart: return x + ", " + a + ", " + b;
      case Shape::kPair: return "(" + a + ", " + x + "), " + b;
      default: return x + ", Two{" + a + ", " + b + "}";
    }
  };
  std::string text = "def " + name +
                     "(n: Nat, +j: U32, +k: U32, +m: U32, +s: U32, " +
                     carried + ") -> Two & U32:\n  match n:\n    case 0n:\n";
  std::string end = "(Two{a, b}, (s * 31 + x : U32))\n";
  if (!taken.empty()) text += "      " + taken;
  text += "      " + end + "    case 1n+p:\n";
  if (!taken.empty()) text += "      " + taken;
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    std::string& array = step.second ? b : a;
    std::string next = (step.second ? "b" : "a") + std::to_string(i);
    std::string at = array + "[" + "(" + step.index.text() + " : U32)]";
    if (step.reads) {
      text += "      (" + next + ", +v" + std::to_string(i) + ") = " + at +
              "\n";
    } else {
      text += "      " + next + " = (" + at + " <- (" + step.value.text() +
              " : U32) : Array<U32>)\n";
    }
    array = next;
  }
  std::string round = name + "(p, (j + 1 : U32), k, m, (" + loop.s.text() +
                      " : U32), " + handed("(" + loop.x.text() + " : U32)") +
                      ")\n";
  if (!loop.ends_early) return text + "      " + round;
  return text + "      match (" + loop.early.text() +
         " < 1000 : U32):\n        case True{}:\n          (Two{" + a + ", " +
         b + "}, (s * 31 + x : U32))\n        case False{}:\n          " + round;
}

const char* const kBegin = R"(type Two is Type:
  Two{a: Array<U32>, b: Array<U32>}
def fill(n: Nat, +i: U32, +c: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p:
      fill(p, (i + 1 : U32), c, a[i] <- ((i + c) * (i + 7) * 2654435761 : U32))
def end(+n: Nat, r: Two & U32) -> U32:
  (t, s) = r
  Two{a, b} = t
  hash(n, 0, hash(n, 0, s, a), b)
)";

// The text of a call on fresh arrays of 2^depth words, and its value.
struct Call {
  std::string text;
  Word value;
};

Call call_of(const Loop& loop, int number, unsigned depth, Word n,
             const State& at) {
  Words a(std::size_t{1} << depth), b(a);
  for (Word i = 0; i < a.size(); ++i) {
    a[i] = (i + 1) * (i + 7) * 2654435761u;
    b[i] = (i + 5) * (i + 7) * 2654435761u;
  }
  Word value = loop.run(a, b, n, at);
  for (Word x : a) value = value * 31 + x;
  for (Word x : b) value = value * 31 + x;
  std::string size = std::to_string(a.size()) + "n";
  auto filled = [&](const char* c) {
    return "fill(" + size + ", 0, " + c + ", [0 : U32^" +
           std::to_string(depth) + "n])";
  };
  std::string x = std::to_string(at.x), carried;
  std::string first = filled("1"), second = filled("5");
  switch (loop.shape) {
    case Shape::kApart: carried = x + ", " + first + ", " + second; break;
    case Shape::kPair: carried = "(" + first + ", " + x + "), " + second; break;
    default: carried = x + ", Two{" + first + ", " + second + "}"; break;
  }
  std::string text = "end(" + size + ", loop" + std::to_string(number) + "(" +
                     std::to_string(n) + "n";
  for (Word word : {at.j, at.k, at.m, at.s}) {
    text += ", " + std::to_string(word);
  }
  return {text + ", " + carried + "))", value};
}

void run_seed(unsigned seed) {
  constexpr int kLoops = 16;
  Draw draw(seed);
  std::mt19937 random(seed);
  auto below = [&](Word n) { return static_cast<Word>(random() % n); };
  std::string defs = std::string(kHash) + kBegin, calls, values;
  for (int i = 0; i < kLoops; ++i) {
    Loop loop = draw.loop();
    defs += text_of(loop, i);
    for (unsigned depth : {0u, 3u, 6u, 9u}) {
      Word size = Word{1} << depth;
      for (Word k : {Word{0}, Word{1}, size / 2}) {
        Word j = below(3) == 0 ? -Word{2} : below(3);
        State at{j, k, size / (below(3) + 1) - 1, 5, 9, {}};
        Call call = call_of(loop, i, depth, below(2 * size + 2), at);
        std::string comma = calls.empty() ? "" : ", ";
        calls += comma + call.text;
        values += comma + std::to_string(call.value);
      }
    }
  }
  CAPTURE(seed);
  same_value(defs + "def main() -> List<U32>: [" + calls + "]\n",
             "[" + values + "]");
}

}  // namespace

TEST_CASE("native: random loops over arrays") {
  for (unsigned seed = 1; seed <= draws(3); ++seed) run_seed(seed);
}
