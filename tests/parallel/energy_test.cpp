// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/ipu/energy/draws.h"
#include "sim/parallel/pipeline/prediction.h"
#include "sim/run/simulate.h"

namespace ipusim::parallel {
namespace {

using energy::Constant;

constexpr const char* kWorkload =
    "kind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n";
constexpr const char* kPod = "{base = \"pod16\", ipus = 16, ipu = {base = \"gc200\", tiles = 16}}";

ParallelPrediction energyPredictionOf(const std::string& parallel) {
  const std::string text =
      fmt::format("machine = {}\n[workload]\n{}[parallel]\n{}", kPod, kWorkload, parallel);
  return predictParallel(readParallel(ConfigReader::fromText(text, "run.toml")),
                         Engine::ClosedForm);
}

double partOf(const energy::EnergyByPart& parts, energy::EnergyPart part) {
  return parts[static_cast<std::size_t>(part)];
}

double meanOf(Constant constant) {
  double sum = 0;
  for (const energy::Values& values : energy::shippedDraws()) sum += values[constant];
  return sum / static_cast<double>(energy::kDraws);
}

/// Joules of a part over those of the clocks, which do not depend on what else there is.
double overClock(const energy::EnergyByPart& parts, energy::EnergyPart part) {
  return partOf(parts, part) / partOf(parts, energy::EnergyPart::Clock);
}

TEST(ParallelEnergy, OfOneIpuIsThatOfTheRun) {
  const ParallelPrediction alone = energyPredictionOf("");
  const std::string text = fmt::format(
      "machine = {{base = \"gc200\", tiles = 16}}\n[workload]\n{}steps = 1\n", kWorkload);
  const run::RunResult run =
      run::simulate(ConfigReader::fromText(text, "run.toml"), Engine::ClosedForm);
  for (const energy::EnergyPart part :
       {energy::EnergyPart::FloatMac, energy::EnergyPart::Sram, energy::EnergyPart::Issue}) {
    const double ratio =
        overClock(alone.energy->by_part, part) / overClock(run.energy->by_part, part);
    EXPECT_NEAR(ratio, 1, 0.03) << nameOf(part);
  }
}

TEST(ParallelEnergy, OfLinksAndMachinesIsAddedUpByHand) {
  const ParallelPrediction step =
      energyPredictionOf("stages = 4\nreplicas = 4\nmicro_batches = 8\nmodules = [2, 2, 2, 2]\n");
  double link_bytes = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    // Activations of eight micro-batches go to the next stage, and gradients come back.
    const Bytes boundary = s < 3 ? 2 * 8 * step.stages[s].cost.sent_forward : Bytes(0);
    link_bytes += 4 * static_cast<double>((boundary + step.collective.sent[s]).value());
  }
  const double links = 8 * link_bytes * meanOf(Constant::LinkPicojoulesPerBit) * 1e-12;
  const double platform = 4 * meanOf(Constant::PlatformWatts) * step.step_seconds;
  const energy::EnergyByPart& parts = step.energy->by_part;
  EXPECT_NEAR(
      partOf(parts, energy::EnergyPart::Links) / partOf(parts, energy::EnergyPart::Platform),
      links / platform, 1e-6 * links / platform);
  EXPECT_NEAR(step.energy->per_sample->joules * static_cast<double>(step.samples),
              step.energy->joules, 1e-9 * step.energy->joules);
}

TEST(ParallelEnergy, OfMoreMicroBatchesIsMoreInEveryDraw) {
  const ParallelPrediction few = energyPredictionOf("stages = 2\nmicro_batches = 4\n");
  const ParallelPrediction many = energyPredictionOf("stages = 2\nmicro_batches = 8\n");
  for (std::size_t d = 0; d < energy::kDraws; ++d) {
    EXPECT_GT(many.energy->draws[d], few.energy->draws[d]);
  }
}

}  // namespace
}  // namespace ipusim::parallel
