// Reading files, the deep stack, the embedded library.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "compiler/driver/big_stack.h"
#include "compiler/driver/embedded.h"
#include "compiler/driver/files.h"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

TEST_CASE("a file is read whole, zero bytes included") {
  TempFolder folder;
  std::string text("a\0b\n", 4);
  FileText file = read_file(folder.write("x.bend", text));
  CHECK(file.result == ReadResult::kOk);
  CHECK(file.text == text);
}

TEST_CASE("what cannot be read says why") {
  TempFolder folder;
  CHECK(read_file(folder.at("none.bend")).result == ReadResult::kMissing);
  std::string file = folder.write("x.bend", "");
  CHECK(read_file(file + "/y.bend").result == ReadResult::kMissing);
  CHECK(read_file(file + std::string("\0z", 2)).result ==
        ReadResult::kMissing);
  FileText dir = read_file(folder.path());
  CHECK(dir.result == ReadResult::kUnreadable);
  CHECK(dir.why == "Is a directory");
}

TEST_CASE("an endless or huge file is too large") {
  CHECK(read_file("/dev/zero").result == ReadResult::kTooLarge);
  TempFolder folder;
  std::string big = folder.write("big.bend", "");
  REQUIRE(truncate(big.c_str(), off_t(kMaxFile) + 1) == 0);
  CHECK(read_file(big).result == ReadResult::kTooLarge);
}

namespace {

// Large frames, since the thread sanitizer follows 65,536 calls at most.
constexpr std::size_t kFrame = 16384;

// Uses about `frames` times kFrame bytes of stack.
int dig(int frames) {
  volatile char frame[kFrame];
  std::memset(const_cast<char*>(frame), frames & 0x7f, sizeof frame);
  int below = frames > 0 ? dig(frames - 1) : 0;
  return below + (frame[512] == (frames & 0x7f) ? 1 : 0);
}

}  // namespace

TEST_CASE("the big stack is deep") {
  int reached = 0;
  std::size_t stack = 0;
  StackResult result = on_big_stack([&](std::size_t bytes) {
    stack = bytes;
    // An eighth of it: sanitizers enlarge the frames.
    reached = dig(static_cast<int>(bytes / 8 / kFrame));
  });
  CHECK(result == StackResult::kDone);
  CHECK(stack >= std::size_t{16} << 20);
  CHECK(reached == static_cast<int>(stack / 8 / kFrame) + 1);
}

TEST_CASE("running out of memory there is a value") {
  StackResult result =
      on_big_stack([](std::size_t) { throw std::bad_alloc(); });
  CHECK(result == StackResult::kNoMemory);
}

TEST_CASE("Base and the scan module are embedded byte by byte") {
  std::string root = std::string(TINE_SOURCE_DIR) + "/compiler/lib/";
  for (const char* name : {"base.bend", "par/scan.bend"}) {
    std::optional<std::string_view> text = find_embedded(name);
    REQUIRE(text.has_value());
    CHECK(*text == read_file(root + name).text);
  }
  CHECK_FALSE(find_embedded("par/none.bend").has_value());
  CHECK_FALSE(find_embedded("").has_value());
}
