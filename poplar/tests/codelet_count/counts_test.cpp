// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "poplar/tests/codelet_count/counted_code.h"

// What is counted while code runs.

namespace ipusim::codelets {
namespace {

using testing::Contains;
using testing::ElementsAre;

CountOptions scalar() {
  CountOptions options = popcOptions(OptimisationLevel::O2, {});
  options.vectorise = Vectorise::Off;
  return options;
}

class Counts : public testing::Test {
 protected:
  void SetUp() override {
    if (!hasClang()) GTEST_SKIP() << "no clang-16";
  }

  /// Counts of the counters with these slots.
  static std::vector<std::uint64_t> countsAt(CountedCode& code, std::uint64_t slots) {
    const std::vector<std::uint64_t> counts = code.takeCounts();
    std::vector<std::uint64_t> found;
    for (std::size_t n = 0; n < counts.size(); ++n) {
      if (code.counted().counters[n].slots.value() == slots) found.push_back(counts[n]);
    }
    return found;
  }
};

TEST_F(Counts, AreThePassesOfEachBlock) {
  CountedCode code(
      "extern \"C\" float dot(const float* a, const float* b, unsigned n) {"
      "  float sum = 0; for (unsigned i = 0; i < n; ++i) sum += a[i] * b[i]; return sum; }",
      scalar(), CompiledFor::Host);
  using Dot = float (*)(const float*, const float*, unsigned);
  auto* const dot = reinterpret_cast<Dot>(code.load("dot"));
  const std::array<float, 5> a = {1, 2, 3, 4, 5};
  EXPECT_EQ(dot(a.data(), a.data(), 5), 55);
  EXPECT_THAT(code.takeCounts(), ElementsAre(1, 1, 5, 1));
  EXPECT_EQ(dot(a.data(), a.data(), 0), 0);
  EXPECT_THAT(code.takeCounts(), ElementsAre(1, 0, 0, 1));
}

TEST_F(Counts, OfASortAreItsShifts) {
  CountedCode code(
      "extern \"C\" void sort(int* a, int n) { for (int i = 1; i < n; ++i) {"
      "  int k = a[i]; int j = i - 1; while (j >= 0 && a[j] > k) { a[j + 1] = a[j]; --j; }"
      "  a[j + 1] = k; } }",
      scalar(), CompiledFor::Host);
  auto* const sort = reinterpret_cast<void (*)(int*, int)>(code.load("sort"));
  std::array<int, 6> values = {5, 1, 4, 2, 6, 3};
  std::uint64_t inversions = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) inversions += values[j] > values[i] ? 1 : 0;
  }
  sort(values.data(), 6);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_THAT(code.takeCounts(), Contains(inversions));
}

TEST_F(Counts, OfADivisionAreTheBitsOfTheQuotient) {
  CountedCode code("extern \"C\" unsigned divide(unsigned a, unsigned b) { return a / b; }",
                   scalar(), CompiledFor::Host);
  auto* const divide = reinterpret_cast<unsigned (*)(unsigned, unsigned)>(code.load("divide"));
  constexpr std::uint64_t kSlotsOfABit = 11;
  EXPECT_EQ(divide(1000, 10), 100U);
  EXPECT_THAT(countsAt(code, kSlotsOfABit), ElementsAre(7));  // 10 and 4 bits long
  EXPECT_EQ(divide(3, 10), 0U);
  EXPECT_THAT(countsAt(code, kSlotsOfABit), ElementsAre(0));
  EXPECT_EQ(divide(0xFFFFFFFF, 1), 0xFFFFFFFF);
  EXPECT_THAT(countsAt(code, kSlotsOfABit), ElementsAre(32));
}

TEST_F(Counts, OfASelectAreTheOtherValue) {
  CountedCode code(
      "extern \"C\" float most(const float* a, int n) { float m = a[0];"
      "  for (int i = 1; i < n; ++i) m = a[i] > m ? a[i] : m; return m; }",
      scalar(), CompiledFor::Host);
  auto* const most = reinterpret_cast<float (*)(const float*, int)>(code.load("most"));
  const std::array<float, 5> a = {3, 1, 4, 1, 5};
  EXPECT_EQ(most(a.data(), 5), 5);
  const std::vector<std::uint64_t> counts = code.takeCounts();
  EXPECT_THAT(counts, Contains(4));  // turns
  EXPECT_THAT(counts, Contains(2));  // 1 and 1 leave the maximum as it is
}

TEST_F(Counts, OfHalfWordsAreThoseAtEvenPlaces) {
  CountedCode code("extern \"C\" void set(short* p, short v) { *p = v; }", scalar(),
                   CompiledFor::Host);
  auto* const set = reinterpret_cast<void (*)(short*, short)>(code.load("set"));
  alignas(4) std::array<short, 2> values = {0, 0};
  set(values.data(), 1);
  EXPECT_THAT(countsAt(code, 1), ElementsAre(1));
  set(values.data() + 1, 2);
  EXPECT_THAT(countsAt(code, 1), ElementsAre(0));
  EXPECT_THAT(values, ElementsAre(1, 2));
}

}  // namespace
}  // namespace ipusim::codelets
