// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "models/gpu/machine.h"
#include "models/gpu/machine_fields.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

using testing::ElementsAre;

constexpr double kTera = 1e12;

int countOf(const Machine& machine, Provenance kind) {
  int count = 0;
  for (const Constant& constant : machine.constants) count += constant.kind == kind ? 1 : 0;
  return count;
}

TEST(GpuPresets, AreListedByName) {
  EXPECT_THAT(presetNames(), ElementsAre("a100", "a30", "h100", "h200"));
}

TEST(GpuPresets, AreNamedAfterTheirFileAndSaySourceAndKind) {
  for (const std::string& name : presetNames()) {
    const Machine machine = readPreset(name);
    EXPECT_EQ(machine.name, name);
    ASSERT_EQ(machine.constants.size(), machineFields().size());
    for (const Constant& constant : machine.constants) {
      EXPECT_FALSE(constant.source.empty()) << name << " " << constant.key;
    }
  }
}

TEST(GpuPresets, FitOneConstantToEachCalibrationDatum) {
  // Seven of Table 2 and section 4.1 of arXiv 2309.08946, and two of the training step of Table 4.
  EXPECT_EQ(countOf(readPreset("a30"), Provenance::Fitted), 9);
  // The base of half products.
  EXPECT_EQ(countOf(readPreset("a100"), Provenance::Fitted), 1);
  // Bases of three types of products, and what the host takes for two launches and three calls.
  EXPECT_EQ(countOf(readPreset("h200"), Provenance::Fitted), 8);
  EXPECT_EQ(countOf(readPreset("h100"), Provenance::Fitted), 0);
}

TEST(GpuPresets, SayHowWellFittedConstantsAreKnown) {
  for (const Constant& constant : a30().constants) {
    const bool fitted = constant.kind == Provenance::Fitted;
    EXPECT_TRUE(constant.standard_error > 0 || !fitted) << constant.key;
    const bool zero = constant.value == 0 && constant.standard_error == 0;
    EXPECT_TRUE(zero || constant.standard_error < constant.value) << constant.key;
    for (const auto& [key, correlation] : constant.correlations) {
      EXPECT_LT(std::abs(correlation), 1) << constant.key << ' ' << key;
    }
  }
}

Machine readText(const std::string& text) {
  return readMachine(ConfigReader::fromText(text, "r.toml"));
}

TEST(GpuPresets, AreChangedByATableOfPlainNumbers) {
  const Machine half = readText("gpu = {base = \"a30\", sms = 28}");
  EXPECT_EQ(half.name, "a30");
  EXPECT_EQ(half.sms, 28U);
  EXPECT_EQ(half.constants.front().kind, Provenance::Assumed);
  EXPECT_DOUBLE_EQ(half.clock_hz, a30().clock_hz);
}

TEST(GpuPresets, MayHaveANameOfTheirOwn) {
  EXPECT_EQ(readText("gpu = {base = \"a30\", sms = 28, name = \"half a30\"}").name, "half a30");
  EXPECT_THROW(readText("gpu = {base = \"a30\", name = \"\"}"), ConfigError);
}

TEST(GpuPresets, AreChangedByOneValue) {
  EXPECT_DOUBLE_EQ(withValue(a30(), "fp32_tile_base", 0.5).fp32.base, 0.5);
  EXPECT_THROW(withValue(a30(), "fp32_tile", 0.5), InternalError);
}

TEST(A30, HasThePeaksOfItsDataSheet) {
  // 3584 lanes x 2 x 1.44 GHz; 24 GB.
  EXPECT_NEAR(a30().fp32Peak(), 10.32 * kTera, 0.01 * kTera);
  EXPECT_NEAR(a30().tf32Peak(), 82.6 * kTera, 0.1 * kTera);
  EXPECT_NEAR(a30().dramRate(), 0.85 * 933.1e9, 1);
  EXPECT_NEAR(a30().l2Rate(), 2.895 * kTera, 0.001 * kTera);
  EXPECT_EQ(a30().memory.dram, Bytes(24ULL << 30U));
  EXPECT_EQ(a30().memory.l2, Bytes(24ULL << 20U));
}

TEST(A100, HasThePeaksOfItsDataSheet) {
  const Machine a100 = readPreset("a100");
  EXPECT_NEAR(a100.fp32Peak(), 19.5 * kTera, 0.05 * kTera);
  EXPECT_NEAR(a100.tf32Peak(), 156 * kTera, 0.1 * kTera);
  EXPECT_EQ(a100.memory.dram, Bytes(40ULL << 30U));
  EXPECT_DOUBLE_EQ(a100.fp32.slope, a30().fp32.slope);
}

TEST(H200, HasThePeaksOfItsDataSheet) {
  const Machine h200 = readPreset("h200");
  EXPECT_NEAR(h200.fp32Peak(), 67 * kTera, 0.2 * kTera);
  // 989 and 495 TFLOP/s at the 1.83 GHz of its tensor cores; the clock here is that of FP32.
  EXPECT_NEAR(h200.halfPeak() * 1.83 / 1.98, 989 * kTera, 1 * kTera);
  EXPECT_NEAR(h200.tf32Peak() * 1.83 / 1.98, 495 * kTera, 1 * kTera);
  EXPECT_EQ(h200.memory.dram, Bytes(140ULL << 30U));
  EXPECT_EQ(h200.memory.l2, Bytes(60ULL << 20U));
}

TEST(H100, IsAnH200WithLessMemory) {
  const Machine h100 = readPreset("h100");
  const Machine h200 = readPreset("h200");
  EXPECT_DOUBLE_EQ(h100.fp32Peak(), h200.fp32Peak());
  EXPECT_DOUBLE_EQ(h100.fp32.base, h200.fp32.base);
  EXPECT_DOUBLE_EQ(h100.memory.dram_bytes_per_second, 3.35 * kTera);
  EXPECT_EQ(h100.memory.dram, Bytes(80ULL << 30U));
}

TEST(GpuMachineFields, HaveDistinctKeysAndRangesThatDoublesHold) {
  std::set<std::string> keys;
  for (const MachineField& field : machineFields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
    EXPECT_LT(field.low, field.high) << field.key;
    EXPECT_LE(field.high, 1e16) << field.key;
  }
}

/// Each field sets a part of the machine of its own.
TEST(GpuMachineFields, ReachTheMachineByTheirKeys) {
  EXPECT_EQ(a30().sms, 56U);
  EXPECT_EQ(a30().threads_per_block, 1024U);
  EXPECT_DOUBLE_EQ(a30().launch.kernel_seconds, 4e-6);
  EXPECT_DOUBLE_EQ(a30().launch.split_k_seconds, 2e-6);
  EXPECT_DOUBLE_EQ(a30().launch.graph_kernel_seconds, 2.5e-6);
  EXPECT_DOUBLE_EQ(a30().fp32_sliced_k_offset, 219);
  EXPECT_DOUBLE_EQ(a30().fp32_one_wave_efficiency, 0.96);
  EXPECT_DOUBLE_EQ(a30().tf32.k_offset, 60);
  EXPECT_DOUBLE_EQ(a30().memory.l2_resident_share, 0.8);
  EXPECT_DOUBLE_EQ(a30().memory.l2_elementwise_share, 0.6);
  EXPECT_DOUBLE_EQ(a30().framework.linear_host_seconds, 45e-6);
  EXPECT_NEAR(a30().framework.pixelfly_host_ratio, 8.8, 0.01);
  EXPECT_EQ(a30().residency.threads_per_sm, 2048U);
  EXPECT_EQ(a30().residency.blocks_per_sm, 32U);
  EXPECT_DOUBLE_EQ(readPreset("h200").split_k_least_ratio, 8);
  EXPECT_DOUBLE_EQ(readPreset("h200").exposed_store_share, 1);
}

}  // namespace
}  // namespace ipusim::gpu
