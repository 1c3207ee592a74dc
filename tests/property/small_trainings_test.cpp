// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/parallel/pipeline/prediction.h"
#include "tests/property/draw.h"

// Small random [parallel] tables: networks that a few IPUs train, in stages, shards and phases.
// Each is a legal training, whose times add up.

namespace ipusim::parallel {
namespace {

using run::Draw;

class RandomTraining {
 public:
  explicit RandomTraining(std::uint64_t seed) : draw_(seed) {}

  std::string config() {
    return fmt::format(
        "machine = {{base = \"pod16\", ipu = {{base = \"gc200\", tiles = {}}}}}\n[workload]\n{}"
        "[parallel]\n{}",
        draw_.of<int>({40, 64}), workload(), execution());
  }

 private:
  std::string workload() {
    if (draw_.once(3)) {
      return fmt::format(
          "kind = \"shl_training\"\nhidden = \"{}\"\nfeatures = 32\nclasses = 4\nbatch = {}\n",
          draw_.of<std::string>({"linear", "butterfly", "circulant"}), batch());
    }
    std::vector<std::uint64_t> dims(5);
    for (std::uint64_t& size : dims) size = 4 * (1 + draw_.below(10));
    return fmt::format("kind = \"mlp_training\"\ndims = [{}]\nbatch = {}\n", fmt::join(dims, ", "),
                       batch());
  }
  std::uint64_t batch() { return 4 * (1 + draw_.below(4)); }

  std::string execution() {
    switch (draw_.below(3)) {
      case 0: {
        const std::uint64_t stages = draw_.of<std::uint64_t>({1, 2, 4});
        // A micro-batch for each stage at least, so that the pipeline fills.
        return fmt::format("stages = {}\nmicro_batches = {}\n{}", stages,
                           2 * stages + draw_.below(8), options() + replicas(16 / stages));
      }
      case 1:
        return fmt::format("execution = \"sharded\"\nstages = {}\nmicro_batches = {}\n",
                           draw_.of<int>({2, 4}), 1 + draw_.below(6));
      default:
        return fmt::format(
            "execution = \"phased\"\nphases = {}\nio_tiles = 32\nmicro_batches = {}\n"
            "recomputation = true\noffload = [\"weights\", \"activations\"{}]\n",
            draw_.of<int>({2, 3}), 1 + draw_.below(6),
            draw_.once(2) ? ", \"optimizer_state\"" : "");
    }
  }

  std::string options() { return draw_.once(2) ? "recomputation = true\n" : ""; }

  std::string replicas(std::uint64_t most) {
    std::uint64_t count = 1;
    while (2 * count <= most && !draw_.once(3)) count *= 2;
    if (count == 1) return "";
    return fmt::format("replicas = {}\n{}", count,
                       draw_.once(2) ? "replicated_tensor_sharding = true\n" : "");
  }

  Draw draw_;
};

void expectSound(const ParallelPrediction& prediction) {
  EXPECT_TRUE(prediction.fits());
  EXPECT_GT(prediction.step_seconds, 0);
  EXPECT_GT(prediction.samples, 0U);
  EXPECT_GT(prediction.programs, 0U);
  EXPECT_LE(prediction.efficiency(), 1);
  // Sums of doubles in another order.
  const double slack = 1e-9 * prediction.step_seconds;
  EXPECT_NEAR(prediction.parts.sum(), prediction.step_seconds, slack);
  for (const StagePrediction& stage : prediction.stages) {
    EXPECT_NEAR(stage.time.sum(), prediction.step_seconds, slack);
  }
  EXPECT_LE(prediction.low_seconds, prediction.step_seconds);
  EXPECT_GE(prediction.high_seconds, prediction.step_seconds);
}

}  // namespace

TEST(SmallTrainings, HaveTimesThatAddUp) {
  constexpr std::uint64_t kTrainings = 60;
  for (std::uint64_t seed = 1; seed <= kTrainings; ++seed) {
    const std::string text = RandomTraining(seed).config();
    SCOPED_TRACE(text);
    const ParallelTraining training = readParallel(ConfigReader::fromText(text, "test"));
    const ParallelPrediction closed = predictParallel(training, Engine::ClosedForm);
    expectSound(closed);
    const ParallelPrediction chip = predictParallel(training, Engine::SystemC);
    EXPECT_EQ(chip.step_seconds, closed.step_seconds);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace ipusim::parallel
