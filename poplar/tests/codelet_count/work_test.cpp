// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "poplar/tests/codelet_count/counted_code.h"

// Operations and bytes of the blocks of small codelets, counted by hand.

namespace ipusim::codelets {
namespace {

using tile_compiler::Work;

CountOptions scalarForWork() {
  CountOptions options = popcOptions(OptimisationLevel::O2, {});
  options.vectorise = Vectorise::Off;
  return options;
}

void expectWork(const Work& work, std::uint64_t flops, std::uint64_t loaded, std::uint64_t stored) {
  EXPECT_EQ(work.flops, Flops(flops));
  EXPECT_EQ(work.loaded, Bytes(loaded));
  EXPECT_EQ(work.stored, Bytes(stored));
}

class WorkOfCode : public testing::Test {
 protected:
  void SetUp() override {
    if (!hasClang()) GTEST_SKIP() << "no clang-16";
  }

  /// All counters of a module, each `counts` times; by default once.
  static Work sumOf(const CountedCode& code, std::vector<std::uint64_t> counts = {}) {
    Work sum;
    const std::vector<Counter>& counters = code.counted().counters;
    if (counts.empty()) counts.assign(counters.size(), 1);
    for (std::size_t n = 0; n < counters.size(); ++n) {
      for (std::uint64_t pass = 0; pass < counts[n]; ++pass) sum += counters[n].work;
    }
    return sum;
  }
};

TEST_F(WorkOfCode, OfALoopOfMultiplyAddsIsItsPassesTimesThatOfAPass) {
  CountedCode code(
      "extern \"C\" void axpy(const float* __restrict a, const float* __restrict x,"
      "                       float* __restrict y, float c, unsigned n) {"
      "  for (unsigned i = 0; i < n; ++i) y[i] = a[i] * x[i] + c; }",
      scalarForWork(), CompiledFor::Host);
  using Axpy = void (*)(const float*, const float*, float*, float, unsigned);
  auto* const axpy = reinterpret_cast<Axpy>(code.load("axpy"));
  const std::array<float, 5> a = {1, 2, 3, 4, 5};
  std::array<float, 5> y = {};
  axpy(a.data(), a.data(), y.data(), 1, 5);
  EXPECT_EQ(y[4], 26);
  // A pass: a product and a sum, two words in, one word out.
  expectWork(sumOf(code, code.takeCounts()), 2 * 5, 2 * 4 * 5, 4 * 5);
  axpy(a.data(), a.data(), y.data(), 1, 0);
  expectWork(sumOf(code, code.takeCounts()), 0, 0, 0);
}

TEST_F(WorkOfCode, OfVectorsIsThatOfTheirElements) {
  const CountedCode code(
      "typedef float Two __attribute__((vector_size(8)));"
      "typedef _Float16 Four __attribute__((vector_size(8)));"
      "void add(Two* a, const Two* b, Four* c, const Four* d) { *a = *a + *b; *c = *c * *d; }",
      scalarForWork());
  // 2 sums and 4 products; four loads and two stores of 8 bytes.
  expectWork(sumOf(code), 2 + 4, 4 * 8, 2 * 8);
}

TEST_F(WorkOfCode, OfAStoreBelowAWordIsThatOfAWord) {
  const CountedCode code("extern \"C\" void set(signed char* p, signed char v) { *p = v; }",
                         scalarForWork());
  // The link is kept on the stack over the call of the routine: 4 bytes out, and in again.
  expectWork(sumOf(code), 0, 4 + 4, 4 + 4);
}

TEST_F(WorkOfCode, HasNoOperationsForIntegersComparisonsAndConversions) {
  const CountedCode code(
      "int f(int a, float b) { return a * 3 + (b > 1.0f) + static_cast<int>(b); }",
      scalarForWork());
  expectWork(sumOf(code), 0, 0, 0);
}

TEST_F(WorkOfCode, OfFunctionsAndDoublesIsOneOperationEach) {
  const CountedCode code(
      "extern \"C\" float sqrtf(float);"
      "float f(float a, float b) { return sqrtf(a) / b; }",
      scalarForWork());
  expectWork(sumOf(code), 2, 0, 0);
  const CountedCode doubles("double g(double a, double b) { return a + b; }", scalarForWork());
  EXPECT_EQ(sumOf(doubles).flops, Flops(1));
}

}  // namespace
}  // namespace ipusim::codelets
