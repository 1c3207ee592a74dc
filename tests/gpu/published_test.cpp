// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>

#include "models/gpu/torch_layers.h"
#include "tests/gpu/gpus.h"

// Compares predictions with published measurements: Shekofteh et al. 2023, "Reducing Memory
// Requirements for the IPU using Butterfly Factorizations", arXiv 2309.08946, Table 2, Table 4 and
// section 4.1, A30; and S. Boehm, "How to Optimize a CUDA Matmul Kernel", RTX A6000, 4096 x 4096 x
// 4096.
//
// Where the paper gives the best over sizes without the sizes, powers of two are used: 64 to 8192
// for products, 1024 to 4096 for sparse products, 128 to 32,768 for layers.

namespace ipusim::gpu {
namespace {

constexpr double kGiga = 1e9;

struct Published {
  const char* name;
  double value;
  double tolerance;  ///< relative
  std::function<double()> predict;
};

std::ostream& operator<<(std::ostream& out, const Published& row) {
  return out << row.name;
}

std::string nameOfCase(const testing::TestParamInfo<Published>& info) {
  return info.param.name;
}

/// The largest of `figure` over powers of two.
double best(unsigned from, unsigned to, const std::function<double(std::uint64_t)>& figure) {
  double largest = 0;
  for (unsigned power = from; power <= to; ++power) {
    largest = std::max(largest, figure(std::uint64_t{1} << power));
  }
  return largest;
}

double rate(std::uint64_t n, double seconds) {
  return flopsOf({n, n, n}) / seconds / kGiga;
}

double bestThreads(Staging staging) {
  return best(6, 13, [=](std::uint64_t n) {
    return rate(n, threadGemmTime(a30(), {{n, n, n}, staging}).seconds);
  });
}

double bestLibrary(Precision precision) {
  return best(6, 13, [=](std::uint64_t n) {
    return rate(n, gemmTime(a30(), {{n, n, n}, precision}).seconds);
  });
}

double eagerSeconds(const Program& program) {
  return programTime(a30(), program, Host::Eager).total.value().seconds;
}

double bestTorch(Precision precision) {
  return best(6, 13, [=](std::uint64_t n) {
    return rate(n, eagerSeconds(linearLayer({n, n, precision})));
  });
}

/// The rate counts as if the matrix were dense, as in the paper.
double bestCsr(std::uint64_t one_in) {
  return best(10, 12, [=](std::uint64_t n) {
    return rate(n, csrSpmmTime(a30(), {n, n, n, n * n / one_in}).seconds);
  });
}

enum class Layer { Butterfly, Pixelfly };

/// The time of a layer over that of a linear layer.
double slowdown(Layer layer, std::uint64_t n, Precision precision) {
  const LayerShape shape{n, n, precision};
  const Program program =
      layer == Layer::Butterfly ? butterflyLayer(shape) : pixelflyLayer(usualPixelfly(shape));
  const ProgramTime time = programTime(a30(), program, Host::Eager);
  return time.total ? time.total->seconds / eagerSeconds(linearLayer(shape)) : 0;
}

double worstSlowdown(Layer layer) {
  return best(7, 15, [=](std::uint64_t n) {
    return std::max(slowdown(layer, n, Precision::Fp32), slowdown(layer, n, Precision::Tf32));
  });
}

class Paper : public testing::TestWithParam<Published> {};

TEST_P(Paper, IsMetWithinTheTolerance) {
  const Published& row = GetParam();
  const double predicted = row.predict();
  const double error = predicted / row.value - 1;
  RecordProperty("predicted", fmt::format("{:.5g}", predicted));
  fmt::print("{:<28} published {:>9.5g} predicted {:>9.5g} {:+.1f} %\n", row.name, row.value,
             predicted, 100 * error);
  EXPECT_LE(std::abs(error), row.tolerance);
}

/// A constant is fitted to each of these.
constexpr double kCalibration = 0.01;
/// Nothing is fitted to these.
constexpr double kValidation = 0.06;

std::vector<Published> tableTwo() {
  return {
      {"Naive", 1091, kCalibration, [] { return bestThreads(Staging::None); }},
      {"SharedMemory", 2076, kValidation, [] { return bestThreads(Staging::SharedMemory); }},
      {"CublasFp32", 9722, kCalibration, [] { return bestLibrary(Precision::Fp32); }},
      {"CublasTf32", 59312, kCalibration, [] { return bestLibrary(Precision::Tf32); }},
      {"PytorchFp32", 9286, kCalibration, [] { return bestTorch(Precision::Fp32); }},
      {"PytorchTf32", 58146, kValidation, [] { return bestTorch(Precision::Tf32); }},
      {"Csr99Percent", 93215, kCalibration, [] { return bestCsr(100); }},
      {"Csr90Percent", 10817, kValidation, [] { return bestCsr(10); }},
  };
}

std::vector<Published> slowdowns() {
  return {
      {"Butterfly", 14.45, kCalibration, [] { return worstSlowdown(Layer::Butterfly); }},
      {"Pixelfly", 8.8, kCalibration, [] { return worstSlowdown(Layer::Pixelfly); }},
  };
}

/// Device operations of the hidden layer, forward and backward, beyond those of a linear layer, as
/// counted for eager PyTorch.
constexpr std::uint64_t kLowRank = 3;
constexpr std::uint64_t kCirculant = 8;
constexpr std::uint64_t kFastfood = 13;
constexpr std::uint64_t kPixelfly = 21;
constexpr std::uint64_t kButterfly = 60;

/// The paper states neither epochs nor steps. The scale is therefore the mean of its two baselines,
/// 50.43 s with tensor cores and 49.46 s without.
std::function<double()> training(std::uint64_t extra_operations) {
  return [=] { return (50.43 + 49.46) / 2 * trainingFactor(a30(), extra_operations); };
}

std::vector<Published> tableFour() {
  return {
      {"Baseline", 49.46, kCalibration, training(0)},
      {"BaselineTensor", 50.43, kCalibration, training(0)},
      {"Butterfly", 61.46, kCalibration, training(kButterfly)},
      {"ButterflyTensor", 61.93, kValidation, training(kButterfly)},
      {"Fastfood", 51.15, kValidation, training(kFastfood)},
      {"FastfoodTensor", 53.55, kValidation, training(kFastfood)},
      {"Circulant", 53.92, kValidation, training(kCirculant)},
      {"CirculantTensor", 54.26, kValidation, training(kCirculant)},
      {"LowRank", 53.21, kValidation, training(kLowRank)},
      {"LowRankTensor", 49.71, kValidation, training(kLowRank)},
      {"Pixelfly", 56.01, kValidation, training(kPixelfly)},
      {"PixelflyTensor", 52.79, kValidation, training(kPixelfly)},
  };
}

INSTANTIATE_TEST_SUITE_P(Table2, Paper, testing::ValuesIn(tableTwo()), nameOfCase);
INSTANTIATE_TEST_SUITE_P(WorstSlowdown, Paper, testing::ValuesIn(slowdowns()), nameOfCase);
INSTANTIATE_TEST_SUITE_P(Table4, Paper, testing::ValuesIn(tableFour()), nameOfCase);

TEST(BreakEven, IsAtTwoToTheEleventhInFp32) {
  for (const Layer layer : {Layer::Butterfly, Layer::Pixelfly}) {
    for (std::uint64_t n = 128; n < 2048; n *= 2) {
      EXPECT_GT(slowdown(layer, n, Precision::Fp32), 1) << n;
    }
    EXPECT_LT(slowdown(layer, 2048, Precision::Fp32), 1);
  }
}

/// A known miss, which the test keeps from being tuned away: six passes over DRAM per stage cannot
/// beat tensor cores at 2048, where one sentence of the paper puts the break-even.
TEST(BreakEven, ComesLaterWithTensorCores) {
  EXPECT_GT(slowdown(Layer::Butterfly, 8192, Precision::Tf32), 1);
  EXPECT_LT(slowdown(Layer::Butterfly, 16384, Precision::Tf32), 1);
  EXPECT_GT(slowdown(Layer::Pixelfly, 2048, Precision::Tf32), 1);
  EXPECT_LT(slowdown(Layer::Pixelfly, 4096, Precision::Tf32), 1);
}

/// Section 4.1 and Figure 4, in words: a skewed product loses in both directions, more with tensor
/// cores, and TF32 stays faster.
TEST(SkewedProducts, LoseInBothDirections) {
  const auto relative = [](std::uint64_t m, std::uint64_t n, Precision precision) {
    const GemmShape shape{m, 2048, n};
    const double square = gemmTime(a30(), {{2048, 2048, 2048}, precision}).seconds;
    return square / gemmTime(a30(), {shape, precision}).seconds;
  };
  for (const auto& [m, n] : {std::pair<std::uint64_t, std::uint64_t>{16, 262144}, {262144, 16}}) {
    EXPECT_LT(relative(m, n, Precision::Fp32), 0.7);
    EXPECT_LT(relative(m, n, Precision::Tf32), relative(m, n, Precision::Fp32));
    const GemmShape shape{m, 2048, n};
    EXPECT_LT(gemmTime(a30(), {shape, Precision::Tf32}).seconds,
              gemmTime(a30(), {shape, Precision::Fp32}).seconds);
  }
}

/// 84 multiprocessors, twice the FP32 lanes, 1.8 GHz assumed, 768 GB/s.
Machine a6000() {
  Machine machine = a30();
  machine.sms = 84;
  machine.clock_hz = 1.8e9;
  machine.fp32_flops_per_cycle = 256;
  machine.memory.dram_bytes_per_second = 768e9;
  return machine;
}

double a6000Rate(Staging staging) {
  constexpr std::uint64_t kSize = 4096;
  return rate(kSize, threadGemmTime(a6000(), {{kSize, kSize, kSize}, staging, 32}).seconds);
}

TEST(AnotherChip, RunsTheNaiveKernelAsTheSameLoadPipeSays) {
  EXPECT_NEAR(a6000Rate(Staging::None) / 1986.5, 1, 0.03);
}

/// A known miss: barriers are not modelled, so the staged kernel is predicted half as fast again.
TEST(AnotherChip, RunsTheStagedKernelSlowerThanPredicted) {
  const double ratio = a6000Rate(Staging::SharedMemory) / 2980.3;
  EXPECT_GT(ratio, 1.3);
  EXPECT_LT(ratio, 1.5);
}

}  // namespace
}  // namespace ipusim::gpu
