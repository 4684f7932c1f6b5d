// What a device could run: the functions that reach no fork, word for word as
// the host's compiler gets them.
#include <string>

#include "doctest/doctest.h"
#include "native_run.h"

using namespace tine;

namespace {

const char* const kProgram = R"(import Base
def leaf(n: Nat, +h: U32) -> U32:
  match n:
    case 0n: h
    case 1n+p: leaf(p, (h * 31 + 7 : U32))
def tree(+n: Nat) -> U32:
  match n:
    case 0n: leaf(10n, 1)
    case 1n+p:
      a b = tree(p) tree(p)
      (a + b : U32)
def above(+n: Nat) -> U32: (tree(n) + 1 : U32)
def main() -> U32: above(3n)
)";

std::string definitions(const std::string& text) {
  return text.substr(text.find("/* definitions */"));
}

std::string function(const std::string& text, const std::string& name) {
  std::size_t at = text.find("\n/* " + name + ", ");
  if (at == std::string::npos) return "";
  return text.substr(at, text.find("\n}\n", at) + 3 - at);
}

}  // namespace

TEST_CASE("native device: what reaches no fork, and its text is the host's") {
  Context context;
  Program program = context.load_text("tree.bend", kProgram);
  REQUIRE(program.ok());
  std::string host = definitions(program.dump("c"));
  std::string device = definitions(program.dump("device"));
  CHECK(function(device, "leaf") != "");
  CHECK(function(device, "leaf") == function(host, "leaf"));
  for (const char* forks : {"tree", "above", "main"}) {
    CHECK(function(host, forks) != "");
    CHECK(function(device, forks) == "");
  }
  CHECK(device.find("push_fork") == std::string::npos);
  CHECK(device.find("to[0] = (const void*)") != std::string::npos);
  CHECK(device.find("to[1]") == std::string::npos);
}

TEST_CASE("native device: a program that is refused has no device text") {
  Context context;
  Program program =
      context.load_text("bad.bend", "import Base\ndef main() -> U32: x\n");
  CHECK(program.dump("device") == "");
}
