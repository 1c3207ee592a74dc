// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/run/simulate.h"

// One matrix-engine vertex on every tile of a Bow against its hardware cycle counters: notebooks of
// graphcore-research/tessellate-ipu, "IPU Peak Flops", cell 16; [field, 16] x [16, 16] half values
// on each of 1,472 tiles at 1.85 GHz.

namespace ipusim::run {
namespace {

struct Measured {
  const char* id;
  int field;
  double cycles;
};

class AmpCodelet : public testing::TestWithParam<Measured> {};

TEST_P(AmpCodelet, IsWithinFivePercentOfTheCycleCounter) {
  const Measured& measured = GetParam();
  const ConfigReader config = ConfigReader::fromFile(
      "configs/runs/amp_codelet.toml", {{"workload.field", std::to_string(measured.field)}});
  const RunResult result = simulate(config, Engine::ClosedForm);
  const auto cycles = static_cast<double>(result.time.compute.value());
  EXPECT_LE(std::abs(cycles / measured.cycles - 1), 0.05)
      << fmt::format("{}: measured {}, predicted {}", measured.id, measured.cycles, cycles);
}

INSTANTIATE_TEST_SUITE_P(Bow, AmpCodelet,
                         testing::Values(Measured{"TES-P0016", 16, 402},
                                         Measured{"TES-P0064", 64, 584},
                                         Measured{"TES-P0256", 256, 1'352},
                                         Measured{"TES-P1024", 1'024, 4'424}));

}  // namespace
}  // namespace ipusim::run
