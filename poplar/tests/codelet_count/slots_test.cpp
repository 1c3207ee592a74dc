// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "poplar/tests/codelet_count/counted_code.h"

// Slots of the blocks of small codelets, counted by hand from the rules in poplar/tile_compiler,
// and against published output of popc where a test says so.

namespace ipusim::codelets {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

CountOptions scalarForSlots() {
  CountOptions options = popcOptions(OptimisationLevel::O2, {});
  options.vectorise = Vectorise::Off;
  return options;
}

class Slots : public testing::Test {
 protected:
  void SetUp() override {
    if (!hasClang()) GTEST_SKIP() << "no clang-16";
  }
};

TEST_F(Slots, OfADotProductAreFourAnElement) {
  const CountedCode code(
      "float dot(const float* __restrict a, const float* __restrict b, unsigned n) {"
      "  float sum = 0; for (unsigned i = 0; i < n; ++i) sum += a[i] * b[i]; return sum; }",
      popcOptions(OptimisationLevel::O2, {}));
  // zero beside the test | zero beside the count | ld ld mul (add, brnzdec) | return
  EXPECT_THAT(code.slotsOf("dot"), ElementsAre(1, 1, 4, 1));
}

TEST_F(Slots, OfASumOfVectorsAreFiveAnElement) {
  const CountedCode code(
      "void add(const float* __restrict a, const float* __restrict b, float* __restrict c,"
      "         unsigned n) { for (unsigned i = 0; i < n; ++i) c[i] = a[i] + b[i]; }",
      scalarForSlots());
  // brz | add -1 | ld ld add st brnzdec | return
  EXPECT_THAT(code.slotsOf("add"), ElementsAre(1, 1, 5, 1));
}

TEST_F(Slots, OfAMatrixVectorProductAreFourAnElement) {
  const CountedCode code(
      "void product(const float* __restrict a, const float* __restrict x, float* __restrict y,"
      "             unsigned m, unsigned n) {"
      "  for (unsigned i = 0; i < m; ++i) { float sum = 0;"
      "    for (unsigned j = 0; j < n; ++j) sum += a[i * n + j] * x[j]; y[i] = sum; } }",
      scalarForSlots());
  EXPECT_THAT(code.slotsOf("product"), Contains(4));
}

TEST_F(Slots, OfAStencilFollowItsStreams) {
  const CountedCode code(
      "void blur(const float* __restrict in, float* __restrict out, unsigned n) {"
      "  for (unsigned i = 0; i < n; ++i) out[i] = in[i] + in[i + 1] + in[i + 2]; }",
      scalarForSlots());
  // One value is loaded, two are kept: ld | (mov, st) of the two moves and two sums | brnzdec. Main
  // has three instructions a turn and aux four, of which the last sum waits for the load.
  EXPECT_THAT(code.slotsOf("blur"), ElementsAre(1, 3, 4, 1));
}

// SomeVertex, SkeletonVertex and SkeletonVertex2 of UoB-HPC/ipu-hpc-cookbook print what popc made.

TEST_F(Slots, OfALoopThatReadsItsLimitAgainAreAsPublished) {
  const CountedCode code(
      "struct V { int* p; unsigned n; bool compute(); };"
      "bool V::compute() { for (unsigned i = 0; i < n; i++) p[i] += 1; return true; }",
      popcOptions(OptimisationLevel::O2, {"_ZN1V7computeEv"}));
  const std::vector<std::uint64_t> slots = code.slotsOf("compute");
  EXPECT_THAT(slots, Contains(7));
  EXPECT_EQ(std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}), 12U);
}

TEST_F(Slots, OfAVectorAlignedToFourBytesAreAsPublished) {
  const CountedCode code(
      "struct V { float* p; unsigned n; float c; bool compute(); };"
      "bool V::compute() { float* q = p; unsigned m = n; float d = c;"
      "  for (unsigned i = 0; i < m; ++i) q[i] += d; return true; }",
      popcOptions(OptimisationLevel::O3, {}));
  EXPECT_THAT(code.slotsOf("compute"), Contains(6));  // two elements
}

TEST_F(Slots, OfAVectorAlignedToEightBytesAreAsPublished) {
  const CountedCode code(
      "struct V { float* p; unsigned n; float c; bool compute(); };"
      "bool V::compute() { float* q = static_cast<float*>(__builtin_assume_aligned(p, 8));"
      "  unsigned m = n; float d = c; for (unsigned i = 0; i < m; ++i) q[i] += d; return true; }",
      popcOptions(OptimisationLevel::O3, {}));
  EXPECT_THAT(code.slotsOf("compute"), Contains(4));  // two elements
}

TEST_F(Slots, OfALoopWithFewTripsHaveNoBranch) {
  const CountedCode code(
      "void twice(float* __restrict a, const float* __restrict b) {"
      "  for (int i = 0; i < 500; ++i) a[i] = b[i] * 2.0f; }",
      scalarForSlots());
  // 2.0, rpt and its filler | ld, mul, st in bundles of their own | return
  EXPECT_THAT(code.slotsOf("twice"), ElementsAre(2, 3, 1));
}

TEST_F(Slots, OfAStoreBelowAWordHoldItsRoutine) {
  const CountedCode code("void set(short* p, short v) { *p = v; }", scalarForSlots());
  // The call with its frame and stack check | the routine at an odd place | one more at an even one
  EXPECT_THAT(code.slotsOf("set"), ElementsAre(6 + 3, 7, 1));
}

TEST_F(Slots, OfASupervisorAreInstructions) {
  CountOptions options = scalarForSlots();
  options.supervisors = {"spin"};
  const CountedCode code(
      "extern \"C\" void spin(int n) { for (volatile int i = 0; i < n; ++i) {} }", options);
  // A turn is ld, add, st, ld, compare, brnz: 3,650 cycles for 100 turns were measured.
  EXPECT_THAT(code.slotsOf("spin"), Contains(6));
}

TEST_F(Slots, OfFloatsInASupervisorAreCallsOfRoutines) {
  CountOptions options = scalarForSlots();
  options.supervisors = {"sum", "negative", "halves", "isLess"};
  const CountedCode code(
      "extern \"C\" { float sum(float a, float b) { return a + b; }"
      "float negative(float a) { return -a; }"
      "int isLess(float a, float b) { return a < b; }"
      "void halves(float* a, unsigned n) { for (unsigned i = 0; i < n; ++i) a[i] *= 0.5f; } }",
      options);
  // sp, check of three, link | call | link, sp, return; and the routine, whose 40 are assumed
  EXPECT_THAT(code.slotsOf("sum"), ElementsAre(9 + 40));
  // the sign and the exclusive or, return
  EXPECT_THAT(code.slotsOf("negative"), ElementsAre(3));
  // as the sum, and a test of the answer's sign
  EXPECT_THAT(code.slotsOf("isLess"), ElementsAre(10 + 40));
  // A turn is ld, the factor, call, st with the step of the pointer, brnzdec, and the routine.
  EXPECT_THAT(code.slotsOf("halves"), Contains(5 + 40));
}

TEST_F(Slots, OfALoopOverBoolsAreThoseOfItsVectors) {
  const std::string both =
      "void both(const bool* __restrict a, const bool* __restrict b, bool* __restrict c,"
      "          unsigned n) { for (unsigned i = 0; i < n; ++i) c[i] = a[i] & b[i]; }";
  const auto slots = CountedCode(both, popcOptions(OptimisationLevel::O2, {})).slotsOf("both");
  const auto one_by_one = CountedCode(both, scalarForSlots()).slotsOf("both");
  EXPECT_NE(slots, one_by_one);
}

TEST_F(Slots, OfANarrowingVectorAreSortsOfTwoWordsEach) {
  const CountedCode code(
      "using I = int __attribute__((ext_vector_type(4)));"
      "using C = signed char __attribute__((ext_vector_type(4)));"
      "void quarters(const I* a, C* b) { *b = __builtin_convertvector(*a, C); }",
      popcOptions(OptimisationLevel::O2, {}));
  // four loads, three sorts of four words into one, store, return
  EXPECT_THAT(code.slotsOf("quarters"), ElementsAre(9));
}

TEST_F(Slots, NameTheLinesThatTheyBelongTo) {
  const CountedCode code("float f(float a, float b) {\n  float c = a * b;\n  return c + a;\n}\n",
                         scalarForSlots());
  ASSERT_THAT(code.counted().counters, SizeIs(1));
  const Counter& counter = code.counted().counters[0];
  ASSERT_THAT(counter.lines, SizeIs(2));
  EXPECT_EQ(counter.lines[0].line, 2U);
  EXPECT_EQ(counter.lines[1].line, 3U);
  EXPECT_EQ(counter.lines[0].slots + counter.lines[1].slots, counter.slots);
}

TEST_F(Slots, ComeWithTheSizesOfFunctions) {
  const CountedCode code(
      "extern \"C\" __attribute__((noinline)) int inner(int a) { return a * a + 3; }"
      "extern \"C\" int outer(int a) { return inner(a) + 1; }",
      scalarForSlots());
  ASSERT_THAT(code.counted().functions, SizeIs(2));
  const FunctionSize& outer = code.counted().functions[1];
  EXPECT_THAT(outer.callees, ElementsAre("inner"));
  // sp, check of three, link | call | add, link, sp, return
  EXPECT_EQ(outer.code, Bytes(4UL * 10));
  EXPECT_EQ(outer.stack, Bytes(8));
}

TEST_F(Slots, WantCodeOfLlvm) {
  EXPECT_THROW(UnitCode("/dev/null/none"), ConfigError);
}

}  // namespace
}  // namespace ipusim::codelets
