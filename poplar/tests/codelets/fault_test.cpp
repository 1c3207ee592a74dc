// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <thread>

#include "base/process/signals.h"
#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using CodeletFaults = WithClang;

TEST_F(CodeletFaults, NameTheLineOfAWildAccess) {
  TileCode code(compileText(R"(
    struct Wild : Vertex {
      Output<Vector<int>> out;
      int from;
      bool compute() {
        out[from] = 1;
        return true;
      }
    };)"));
  code.connect("Wild", "out", 1024, 1, 2);
  code.setMember("Wild", "from", static_cast<int>(TileCode::kTileBytes / 4), 2);
  EXPECT_THAT(code.faultOf("Wild", 2),
              AllOf(StartsWith("codelet.cpp:8: "), HasSubstr("vertex Wild on tile 2, worker 0"),
                    HasSubstr("touches address 0x")));
}

TEST_F(CodeletFaults, NameTheLineOfTheUserBelowALibrary) {
  TileCode code(compileText(R"(
    #include <algorithm>
    struct Largest : Vertex {
      Input<Vector<int>> in;
      int largest;
      bool compute() {
        largest = *std::max_element(in.begin(), in.end());
        return true;
      }
    };)"));
  code.connect("Largest", "in", 0, TileCode::kTileBytes / 4 + 1);
  EXPECT_THAT(code.faultOf("Largest"), StartsWith("codelet.cpp:9: vertex Largest"));
}

TEST_F(CodeletFaults, LeaveTheCodeletsInOrder) {
  TileCode code(compileText(R"(
    struct Divide : Vertex {
      int a, b;
      bool compute() { a = a / b; return true; }
    };)"));
  code.setMember("Divide", "a", 6);
  EXPECT_THAT(code.faultOf("Divide"), HasSubstr("divides a whole number by zero"));
  code.setMember("Divide", "b", 3);
  EXPECT_EQ(code.faultOf("Divide"), "");
  EXPECT_EQ(code.read<int>(0), 2);
}

TEST_F(CodeletFaults, EndALoopWithoutEnd) {
  ExecutionOptions options;
  options.time_limit = std::chrono::milliseconds(50);
  TileCode code(compileText(R"(
    struct Endless : Vertex {
      int n;
      bool compute() {
        for (volatile int i = 0;; i = i + 1)
          if (n == 1) return false;
      }
    };)"),
                options);
  EXPECT_THAT(code.faultOf("Endless"),
              AllOf(StartsWith("codelet.cpp:"), HasSubstr("vertex Endless on tile 0"),
                    HasSubstr("does not end within 50 ms")));
}

TEST_F(CodeletFaults, EndARecursionWithoutEnd) {
  TileCode code(compileText(R"(
    struct Deep : Vertex {
      int n;
      __attribute__((noinline)) int down(int depth) { volatile int x[64]; x[depth & 63] = depth;
        return down(depth + 1) + x[depth & 63]; }
      bool compute() { n = down(0); return true; }
    };)",
                            {{"-O0"}}));
  EXPECT_THAT(code.faultOf("Deep"), HasSubstr("vertex Deep on tile 0"));
}

TEST_F(CodeletFaults, TellAFailedAssertion) {
  TileCode code(compileText(R"(
    #include <cassert>
    struct Assert : Vertex { int n; bool compute() { assert(n == 3); return true; } };)"));
  EXPECT_THAT(code.faultOf("Assert"), HasSubstr("assertion `n == 3' failed (codelet.cpp:5)"));
}

TEST_F(CodeletFaults, ComeBackOnAThreadThatLeavesSignalsToOthers) {
  TileCode code(compileText(R"(
    struct Null : Vertex { int n; bool compute() { *(volatile int*)(n) = 1; return true; } };)"));
  std::string said;
  std::thread([&] {
    leaveSignalsToOthers();
    said = code.faultOf("Null");
  }).join();
  EXPECT_THAT(said, HasSubstr("touches address 0x0,"));
}

}  // namespace
}  // namespace ipusim::codelets
