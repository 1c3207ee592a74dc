// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "models/gpu/batched_gemm.h"
#include "models/gpu/gemm.h"
#include "models/gpu/machine_fields.h"
#include "tests/gpu/gpus.h"

// Half products against those that LLMCompass measured on an A100 with 80 GB (BSD licence,
// github.com/PrincetonUniversity/LLMCompass, ae/figure5/ab/real_hardware/matmul_A100.csv). Their
// times include a call from Python and a synchronisation, which are taken for 29 us.

namespace ipusim::gpu {
namespace {

struct MeasuredProduct {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
  double milliseconds;
};

constexpr std::array<MeasuredProduct, 20> kMeasured{{
    {64, 12288, 12288, 0.1900},     {128, 12288, 12288, 0.2003},   {256, 12288, 12288, 0.3185},
    {512, 12288, 12288, 0.6118},    {1024, 12288, 12288, 1.1990},  {2048, 12288, 12288, 2.3586},
    {4096, 12288, 12288, 4.4576},   {8192, 12288, 12288, 8.6216},  {16384, 12288, 12288, 17.0307},
    {32768, 12288, 12288, 35.4407}, {8192, 64, 64, 0.0296},        {8192, 128, 128, 0.0310},
    {8192, 256, 256, 0.0356},       {8192, 512, 512, 0.0471},      {8192, 1024, 1024, 0.0927},
    {8192, 2048, 2048, 0.2818},     {8192, 4096, 4096, 1.0210},    {8192, 8192, 8192, 3.9614},
    {8192, 16384, 16384, 15.0087},  {8192, 32768, 32768, 61.1346},
}};

/// The preset with 80 GB: NVIDIA A100 data sheet, 2039 GB/s.
Machine largeA100() {
  return withValue(readPreset("a100"), "dram_bytes_per_second", 2039e9);
}

double errorOf(const Machine& machine, const MeasuredProduct& row) {
  constexpr double kCallSeconds = 29e-6;
  constexpr double kMilli = 1e-3;
  const double seconds = gemmTime(machine, {{row.m, row.n, row.k}, Precision::Fp16}).seconds -
                         machine.launch.kernel_seconds + kCallSeconds;
  return std::abs(seconds / (row.milliseconds * kMilli) - 1);
}

TEST(HalfProducts, MeetThoseOfAnA100) {
  const Machine machine = largeA100();
  std::array<double, kMeasured.size()> errors{};
  std::transform(kMeasured.begin(), kMeasured.end(), errors.begin(),
                 [&](const MeasuredProduct& row) { return errorOf(machine, row); });
  const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / kMeasured.size();
  EXPECT_LT(mean, 0.025);
  EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 0.085);
}

/// FlashAttention-2 on an A30: 64 sequences of 8192, 32 heads, width 128, in FP16: 669.855 ms
/// (JakeFlasher/benchmark_flash_attention, nvbench logs). It computes two products and a softmax,
/// so the products alone must be faster, and they are most of it.
TEST(HalfProducts, OfAnAttentionTakeMostOfItsTimeOnAnA30) {
  constexpr double kMeasuredSeconds = 669.855e-3;
  constexpr std::uint64_t kHeads = 64ULL * 32;
  const double scores =
      batchedGemmTime(a30(), {{8192, 8192, 128, kHeads}, Precision::Fp16}).compute_seconds;
  const double context =
      batchedGemmTime(a30(), {{8192, 128, 8192, kHeads}, Precision::Fp16}).compute_seconds;
  EXPECT_LT(scores + context, kMeasuredSeconds);
  EXPECT_GT(scores + context, 0.75 * kMeasuredSeconds);
}

TEST(HalfProducts, AreFasterThanTf32AndBelowThePeak) {
  const GemmShape large{8192, 8192, 8192};
  const double half = flopsOf(large) / gemmTime(a30(), {large, Precision::Fp16}).seconds;
  const double tf32 = flopsOf(large) / gemmTime(a30(), {large, Precision::Tf32}).seconds;
  EXPECT_GT(half, 1.8 * tf32);
  EXPECT_LT(half, a30().halfPeak());
}

}  // namespace
}  // namespace ipusim::gpu
