// Counted loops over arrays: strips without masks, and what the C compilers
// make of them.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "driver_temp.h"
#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

namespace {

const char* const kLoops = R"(
def sum(n: Nat, +i: U32, s: U32, a: Array<U32>) -> Array<U32> & U32:
  match n:
    case 0n: (a, s)
    case 1n+p:
      (b, x) = a[i]
      sum(p, (i + 1 : U32), (s + x : U32), b)
def map(n: Nat, +i: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p:
      (b, x) = a[i]
      map(p, (i + 1 : U32), b[i] <- (x * 3 : U32))
def fill(n: Nat, +i: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p: fill(p, (i + 1 : U32), a[i] <- i)
def snd(r: Array<U32> & U32) -> U32:
  (a, s) = r
  s
)";

std::string emitted(const std::string& main) {
  Context context;
  Program program = context.load_text(
      "loops.bend", std::string("import Base\n") + kLoops + main);
  REQUIRE_MESSAGE(program.ok(), program.messages()[0].rendered);
  return program.dump("c");
}

// The text of the function whose name holds `name`, up to its end.
std::string function_of(const std::string& text, const std::string& name,
                        const std::string& end) {
  std::size_t at = text.find(name);
  if (at == std::string::npos) return "";
  return text.substr(at, text.find(end, at) - at);
}

// The label of a function, which GCC may have copied for a constant argument.
std::string label_of(const std::string& code, const std::string& name) {
  std::smatch found;
  std::regex label("\n\\w+_" + name + "(\\.\\w+)*:");
  return std::regex_search(code, found, label) ? found.str() : "no label";
}

// Assembly of the text; "" where there is no such compiler.
std::string assembly(const std::string& compiler, const std::string& text) {
  if (std::system((compiler + " --version > /dev/null 2>&1").c_str()) != 0) {
    return "";
  }
  test::TempFolder folder;
  std::string source = folder.write("a.c", text);
  // Functions of their own, so that each can be found.
  std::string command = compiler +
                        " -std=gnu11 -O3 -fno-builtin -fno-inline -fPIC -w "
                        "-S -o " + folder.at("a.s") + " " + source;
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(folder.at("a.s"));
  return std::string(std::istreambuf_iterator<char>(in), {});
}

const char* const kMain =
    "def main() -> U32:\n"
    "  snd(sum(1000n, 0, 0, map(1000n, 0, fill(1000n, 0, [0 : U32^10n]))))\n";

}  // namespace

TEST_CASE("native: counted loops run in strips without masks") {
  std::string text = emitted(kMain);
  for (const char* name : {"_sum(W* w, u64 n_0", "_map(W* w, u64 n_0",
                           "_fill(W* w, u64 n_0"}) {
    std::size_t head = text.rfind(name);
    REQUIRE(head != std::string::npos);
    std::string body = text.substr(head, text.find("\n}\n", head) - head);
    CAPTURE(body);
    CHECK(body.find("for (u64 i = 0; i < strip; i++)") != std::string::npos);
    CHECK(body.find("c1[i]") != std::string::npos);
    CHECK(body.find("if ((i64)i_1 + (i64)strip <= (i64)array_last(a_") != std::string::npos);
  }
}

TEST_CASE("native: sum, map and fill are vectorised by the C compilers") {
#if !defined(__x86_64__)
  return;
#endif
  std::string text = emitted(kMain);
  for (const char* compiler : {"gcc", "clang"}) {
    std::string code = assembly(compiler, text);
    if (code.empty()) {
      MESSAGE("skipped: no ", std::string(compiler));
      continue;
    }
    for (const char* name : {"sum", "map", "fill"}) {
      std::string body = function_of(code, label_of(code, name), ".size");
      INFO(compiler, " ", name);
      CHECK(body.find("paddd") != std::string::npos);
    }
  }
}

TEST_CASE("native: loops that leave their array wrap as others do") {
  NATIVE_OR_SKIP();
  for (const char* size : {"1n", "3n", "10n"}) {
    for (const char* count : {"1n", "7n", "1000n", "40000n"}) {
      for (const char* first : {"0", "5", "4294967290"}) {
        std::string rounds = std::string(count) + ", " + first;
        std::string main =
            "def main() -> Array<U32> & U32:\n  sum(" + rounds + ", 0, map(" +
            rounds + ", fill(" + rounds + ", [0 : U32^" + size + "])))\n";
        Outcome native = run_native_text(kLoops + main);
        Outcome net = run_native_text(kLoops + main, {}, nullptr, "net");
        CHECK(net.status == kOk);
        CHECK(native.value == net.value);
      }
    }
  }
}

namespace {

// Loops whose array is in a pair or a record, with neighbours and values that
// are read for the next round. Each ends with the array's hash and a word.
const char* const kCarried = R"(
type Two is Type:
  Two{a: Array<U32>, b: Array<U32>}
def fill(n: Nat, +i: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p: fill(p, (i + 1 : U32), a[i] <- (i * i + 3 : U32))
def scan(n: Nat, +j: U32, +s: U32, r: Array<U32> & U32) -> Array<U32> & U32:
  match n:
    case 0n:
      (a, +x) = r
      (a[j] <- s, (s + x : U32))
    case 1n+p:
      (a, +x) = r
      +q = (j + 1 : U32)
      scan(p, q, (s + x : U32), (a[j] <- s)[q])
def apart(n: Nat, +j: U32, s: U32, x: U32, a: Array<U32>) -> Array<U32> & U32:
  match n:
    case 0n: (a, (s + x : U32))
    case 1n+p:
      (b, +y) = a[(j + 3 : U32)]
      apart(p, (j + 1 : U32), (s * 3 + x : U32), y, b)
def ease(n: Nat, +j: U32, s: U32, a: Array<U32>) -> Array<U32> & U32:
  match n:
    case 0n: (a, s)
    case 1n+p:
      (b, +x) = a[(j - 1 : U32)]
      (c, y) = b[(2 + j : U32)]
      ease(p, (j + 1 : U32), (s + x : U32), c[j] <- (x + y : U32))
def late(n: Nat, +j: U32, +s: U32, r: Array<U32> & U32) -> Array<U32> & U32:
  match n:
    case 0n:
      (a, x) = r
      (a, (s + x : U32))
    case 1n+p:
      (a, x) = r
      (b, y) = a[(j + 1 : U32)]
      late(p, (j + 1 : U32), (s * 5 + x : U32), (b[(j + 1 : U32)] <- s, y))
def side(n: Nat, +j: U32, +s: U32, x: U32, t: Two) -> Two & U32:
  match n:
    case 0n: (t, (s + x : U32))
    case 1n+p:
      Two{a, b} = t
      (c, y) = a[(j + 1 : U32)]
      side(p, (j + 1 : U32), (s * 7 + x : U32), y, Two{c, b[(j + 1 : U32)] <- s})
def torus(n: Nat, +j: U32, +up: U32, +last: U32, s: U32, a: Array<U32>) -> Array<U32> & U32:
  match n:
    case 0n: (a, s)
    case 1n+p:
      (b, +x) = a[(up + ((j - 1) .&. last) : U32)]
      (c, y) = b[(((j + 1) .&. last) + up : U32)]
      (d, z) = c[(j - up : U32)]
      (e, v) = d[((j .&. 31) + up + 1 : U32)]
      torus(p, (j + 1 : U32), up, last, (s + x + v : U32),
        e[(up + j : U32)] <- (x + y * 3 + z : U32))
def spread(n: Nat, +j: U32, +k: U32, s: U32, a: Array<U32>) -> Array<U32> & U32:
  match n:
    case 0n: (a, s)
    case 1n+p:
      (b, x) = a[(j + k : U32)]
      (c, y) = b[(j + j : U32)]
      spread(p, (j + 1 : U32), (k + 2 : U32), (s * 3 + x + y : U32), c[(k .&. 3 : U32)] <- j)
def join(r: Two & U32) -> Array<U32> & U32:
  (t, s) = r
  Two{a, b} = t
  (Array.join(U32, a, b), s)
def two(r: Array<U32> & Array<U32>) -> Two:
  (a, b) = r
  Two{a, b}
def end(m: Nat, r: Array<U32> & U32) -> U32:
  (a, s) = r
  (hash(m, 0, 0, a) * 17 + s : U32)
)";

using Words = std::vector<std::uint32_t>;
struct Loop {
  const char* call;  // N: rounds, J: first index, A: the array
  std::function<std::uint32_t(Words&, std::uint32_t, std::uint32_t)> run;
};

// A row of a torus, for loops that begin at its start `up`.
auto torus(std::uint32_t up, std::uint32_t wide) {
  return [up, wide](Words& a, std::uint32_t n, std::uint32_t j) {
    std::uint32_t last = a.size() - 1, s = 5;
    for (; n > 0; --n, ++j) {
      std::uint32_t x = a[(up + ((j - 1) & wide)) & last];
      std::uint32_t y = a[(((j + 1) & wide) + up) & last];
      std::uint32_t z = a[(j - up) & last];
      s += x + a[((j & 31) + up + 1) & last];
      a[(up + j) & last] = x + y * 3 + z;
    }
    return s;
  };
}

// A loop that writes an entry behind its read, by one handle or another.
auto late(std::uint32_t factor) {
  return [factor](Words& a, std::uint32_t n, std::uint32_t j) {
    std::uint32_t last = a.size() - 1, s = 5, x = 9;
    for (; n > 0; --n, ++j) {
      std::uint32_t y = a[(j + 1) & last];
      a[(j + 1) & last] = s;
      s = s * factor + x;
      x = y;
    }
    return s + x;
  };
}

// The same in C++, every index masked.
const Loop kLoopsCarried[] = {
    {"scan(N, J, 5, (A, 9))",
     [](Words& a, std::uint32_t n, std::uint32_t j) {
       std::uint32_t last = a.size() - 1, s = 5, x = 9;
       for (; n > 0; --n) {
         a[j & last] = s;
         s += x;
         x = a[++j & last];
       }
       a[j & last] = s;
       return s + x;
     }},
    {"apart(N, J, 5, 9, A)",
     [](Words& a, std::uint32_t n, std::uint32_t j) {
       std::uint32_t last = a.size() - 1, s = 5, x = 9;
       for (; n > 0; --n, ++j) {
         s = s * 3 + x;
         x = a[(j + 3) & last];
       }
       return s + x;
     }},
    {"ease(N, J, 5, A)",
     [](Words& a, std::uint32_t n, std::uint32_t j) {
       std::uint32_t last = a.size() - 1, s = 5;
       for (; n > 0; --n, ++j) {
         std::uint32_t x = a[(j - 1) & last], y = a[(j + 2) & last];
         s += x;
         a[j & last] = x + y;
       }
       return s;
     }},
    {"torus(N, J, 2, 3, 5, A)", torus(2, 3)},
    {"torus(N, J, 16, 15, 5, A)", torus(16, 15)},
    {"torus(N, J, 1024, 4095, 5, A)", torus(1024, 4095)},
    {"torus(N, J, 0, 4294967295, 5, A)", torus(0, 4294967295)},
    {"torus(N, J, 4294967295, 11, 5, A)", torus(4294967295, 11)},
    {"spread(N, J, 1, 5, A)",
     [](Words& a, std::uint32_t n, std::uint32_t j) {
       std::uint32_t last = a.size() - 1, s = 5, k = 1;
       for (; n > 0; --n, ++j, k += 2) {
         s = s * 3 + a[(j + k) & last] + a[(j + j) & last];
         a[k & 3 & last] = j;
       }
       return s;
     }},
    {"late(N, J, 5, (A, 9))", late(5)},
    {"join(side(N, J, 5, 9, two(Array.fork(U32, A))))", late(7)},
};

std::string replaced(std::string text, char what, const std::string& with) {
  std::size_t at = text.find(what);
  return text.replace(at, 1, with);
}

}  // namespace

TEST_CASE("native: loops that carry an array in a struct, with neighbours") {
  for (const Loop& loop : kLoopsCarried) {
    std::string calls, values;
    for (std::uint32_t depth : {0u, 1u, 4u, 15u}) {
      for (std::uint32_t rounds : {0u, 1u, 2u, 14u, 65u, 16385u, 32767u}) {
        for (std::uint32_t first : {0u, 1u, 7u, 4294967290u}) {
          if (rounds > 100 && depth < 15 && first != 1) continue;
          Words words(std::size_t{1} << depth);
          for (std::uint32_t i = 0; i < words.size(); ++i) {
            words[i] = i * i + 3;
          }
          std::uint32_t hash = 0, s = loop.run(words, rounds, first);
          for (std::uint32_t word : words) hash = hash * 31 + word;
          std::string size = std::to_string(words.size()) + "n";
          std::string array = "fill(" + size + ", 0, [0 : U32^" +
                              std::to_string(depth) + "n])";
          std::string call =
              replaced(loop.call, 'N', std::to_string(rounds) + "n");
          call = replaced(call, 'J', std::to_string(first));
          call.replace(call.rfind('A'), 1, array);
          std::string comma = calls.empty() ? "" : ", ";
          calls += comma + "end(" + size + ", " + call + ")";
          values += comma + std::to_string(hash * 17 + s);
        }
      }
    }
    same_value((kHash + std::string(kCarried)) + "def main() -> List<U32>: [" + calls +
                   "]\n",
               "[" + values + "]");
  }
}

TEST_CASE("native: floats that are read for the next round") {
  std::string text = R"(
def scan(n: Nat, +j: U32, +s: F32, r: Array<F32> & F32) -> Array<F32> & F32:
  match n:
    case 0n: r
    case 1n+p:
      (a, x) = r
      scan(p, (j + 1 : U32), (s + x : F32),
        Array.get(F32, Array.set(F32, a, j, s), (j + 1 : U32)))
def fill(n: Nat, +i: U32, a: Array<F32>) -> Array<F32>:
  match n:
    case 0n: a
    case 1n+p:
      fill(p, (i + 1 : U32), Array.set(F32, a, i, U32.to_f32((i .&. 3 : U32))))
def at(i: U32, r: Array<F32> & F32) -> F32 & F32:
  (a, y) = r
  (b, x) = Array.get(F32, a, i)
  (x, y)
)";
  // 0 + .. + 3 four times in 16 entries; the last one read is entry 99999.
  std::string array = "(fill(131072n, 0, [0.0 : F32^17n]), 7.0)";
  same_value(text + "def main() -> F32 & F32: at(16, scan(99999n, 0, 0.5, " +
                 array + "))\n",
             "(31.5, 3.0)");
  same_value(text + "def main() -> F32 & F32: at(0, scan(99999n, 0, 0.5, " +
                 array + "))\n",
             "(0.5, 3.0)");
}

TEST_CASE("native: neighbours need no mask, reads for the next round wait") {
  std::string text = emitted_text((kHash + std::string(kCarried)) +
      "def main() -> U32: end(8n, scan(7n, 0, 0, ([0 : U32^3n], 1)))\n");
  CHECK(text.find("r_3.f1 = c1[i];") != std::string::npos);
  CHECK(text.find("r_3.f1 = c1[strip];") != std::string::npos);
  text = emitted_text((kHash + std::string(kCarried)) +
      "def main() -> U32: end(8n, torus(7n, 0, 1, 3, 5, [0 : U32^3n]))\n");
  CHECK(text.find("strip_room(room, (i64)j_1 + up_2, -1, 1, array_last(a_") !=
        std::string::npos);
  CHECK(text.find("strip_room(room, (i64)j_1 - up_2, 0, 0, array_last(a_") !=
        std::string::npos);
  CHECK(text.find("strip_room(room, (i64)j_1, -1, 1, mask_last(last_3), ") !=
        std::string::npos);
  CHECK(text.find("strip_room(room, (i64)j_1, 0, 0, mask_last(31u), ") !=
        std::string::npos);
  // Not where the round writes behind the read, itself or by another handle.
  for (const char* call : {"late(7n, 0, 0, ([0 : U32^3n], 1))",
                           "join(side(7n, 0, 0, 1, two(Array.fork(U32, "
                           "[0 : U32^3n]))))"}) {
    text = emitted_text((kHash + std::string(kCarried)) + "def main() -> U32: end(8n, " +
                        call + ")\n");
    CHECK(text.find("strip_room(room, (i64)j_1, 1, 1, ") != std::string::npos);
    CHECK(text.find("c1[strip") == std::string::npos);
  }
}
