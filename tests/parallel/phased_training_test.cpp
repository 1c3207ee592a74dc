// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/parallel/pipeline/report.h"

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;

constexpr const char* kSmallMachine = "{base = \"m2000\", ipu = {base = \"gc200\", tiles = 96}}";
constexpr double kPhasedTrainingClock = 1.33e9;
constexpr double kFixed = 2000 / kPhasedTrainingClock;

// Modules: four dense layers, three relus between them, loss.
constexpr const char* kPhasedTrainingChain =
    "kind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n";
constexpr const char* kAll = "offload = [\"weights\", \"activations\", \"optimizer_state\"]\n";
constexpr const char* kFour =
    "execution = \"phased\"\nphases = 4\nmicro_batches = 8\nmodules = [2, 2, 2, 2]\n";

// Weights and optimiser state of a section: 64 x 64 + 64 floats, and in the last one 64 x 8 + 8.
constexpr std::uint64_t kLayer = 16'640;
constexpr std::uint64_t kLastLayer = 2'080;
constexpr std::uint64_t kRow = std::uint64_t{16} * 64 * 4;

ParallelTraining phasedTrainingOf(const std::string& parallel,
                                  const std::string& machine = kSmallMachine) {
  return readParallel(
      ConfigReader::fromText(fmt::format("machine = {}\n[workload]\n{}[parallel]\n{}", machine,
                                         kPhasedTrainingChain, parallel),
                             "run.toml"));
}

ParallelPrediction phasedPredictionOf(const std::string& parallel,
                                      const std::string& machine = kSmallMachine) {
  return predictParallel(phasedTrainingOf(parallel, machine), Engine::ClosedForm);
}

Bytes heldAs(Holding holding, const HeldBytes& held) {
  return held[static_cast<std::size_t>(holding)];
}

/// A transfer of one IPU that has the streaming memory for itself, at 12 GB/s.
double transferSeconds(std::uint64_t bytes) {
  return bytes == 0 ? 0 : kFixed + static_cast<double>(bytes) / 12e9;
}

double secondsOf(const PassTime& pass) {
  return static_cast<double>(pass.length.value()) / kPhasedTrainingClock;
}

Transfers movedBy(const ParallelPrediction& prediction) {
  Transfers sum;
  for (const PhasePrediction& phase : prediction.phases) {
    sum.load += phase.cost.moved.load;
    sum.store += phase.cost.moved.store;
  }
  return sum;
}

void expectEveryPhaseAddsUp(const ParallelPrediction& prediction) {
  EXPECT_NEAR(prediction.parts.sum() / prediction.step_seconds, 1, 1e-12);
  for (const StagePrediction& stage : prediction.stages) {
    EXPECT_NEAR(stage.time.sum() / prediction.step_seconds, 1, 1e-9);
    EXPECT_GE(stage.time.bubble, 0);
    EXPECT_GE(stage.time.sync, 0);
  }
}

/// What a micro-batch of each of the seven phases moves: the input of sections 1 to 3, the input
/// and the result of the relu that backward passes read, and the rows that are handed on.
struct RowBytes {
  std::uint64_t load;
  std::uint64_t store;
};
constexpr std::array<RowBytes, 7> kPhasedTrainingRows = {{{0, 3 * kRow},
                                                          {kRow, 2 * kRow},
                                                          {kRow, 2 * kRow},
                                                          {kRow, kRow},
                                                          {3 * kRow, kRow},
                                                          {3 * kRow, kRow},
                                                          {3 * kRow, 0}}};

}  // namespace

/// Each term of a step on one IPU without overlap: rows of eight micro-batches; weights of the
/// seven phases; state, and weights with state on the way back, of the last four.
TEST(PhasedTraining, OnDemandIsCountedByHand) {
  const ParallelPrediction prediction = phasedPredictionOf(std::string(kFour) + kAll);
  ASSERT_EQ(prediction.phases.size(), 7U);
  double step = 0;
  for (std::size_t p = 0; p < 7; ++p) {
    const Phase& phase = prediction.phases[p].phase;
    const double batch = secondsOf(phase.batch) + transferSeconds(kPhasedTrainingRows[p].load) +
                         transferSeconds(kPhasedTrainingRows[p].store);
    const std::uint64_t layer = p == 3 ? kLastLayer : kLayer;
    double once = transferSeconds(layer);
    if (p >= 3) {
      once += transferSeconds(layer) + secondsOf(phase.update) + transferSeconds(2 * layer);
    }
    EXPECT_NEAR(prediction.phases[p].cost.total(), 8 * batch + once, 1e-12) << p;
    step += 8 * batch + once;
  }
  EXPECT_NEAR(prediction.step_seconds, step, 1e-12);
  EXPECT_EQ(prediction.samples, 16U * 8);
  expectEveryPhaseAddsUp(prediction);
}

/// The passes are those of the stages of a pipeline that has its activations beside the chip.
TEST(PhasedTraining, ExecutesThePassesOfAPipeline) {
  const auto phased = phasedPredictionOf(std::string(kFour) + kAll).phases;
  const auto stages =
      phasedPredictionOf(
          "stages = 4\nmicro_batches = 8\nmodules = [2, 2, 2, 2]\noffload = [\"activations\"]\n")
          .stages;
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(phased[s].phase.batch.length, stages[s].cost.forward.length);
    EXPECT_EQ(phased[6 - s].phase.batch.length, stages[s].cost.backward.length);
    EXPECT_EQ(phased[6 - s].phase.update.length, stages[s].cost.update.length);
  }
  EXPECT_EQ(phased[3].phase.kind, PhaseKind::Turn);
  EXPECT_EQ(phased[3].phase.batch.length,
            stages[3].cost.forward.length + stages[3].cost.backward.length);
}

/// Loads and stores of a step, on any schedule: weights once per phase, state once per section.
TEST(PhasedTraining, MovesEachByteOnce) {
  const std::uint64_t layers = 3 * kLayer + kLastLayer;
  std::uint64_t rows_in = 0;
  std::uint64_t rows_out = 0;
  for (const RowBytes& row : kPhasedTrainingRows) {
    rows_in += 8 * row.load;
    rows_out += 8 * row.store;
  }
  for (const char* keys : {"", "io_tiles = 32\n", "io_tiles = 32\nio_schedule = \"on_demand\"\n",
                           "stages = 2\n", "stages = 2\nio_tiles = 32\n"}) {
    const Transfers moved = movedBy(phasedPredictionOf(std::string(kFour) + kAll + keys));
    EXPECT_EQ(moved.load, Bytes(rows_in + (layers + 3 * kLayer) + layers)) << keys;
    EXPECT_EQ(moved.store, Bytes(rows_out + 2 * layers)) << keys;
  }
}

TEST(PhasedTraining, MovesOnlyWhatIsOffloaded) {
  const auto moved = [](const std::string& offload) {
    return movedBy(phasedPredictionOf(std::string(kFour) + "offload = [" + offload + "]\n"));
  };
  const std::uint64_t layers = 3 * kLayer + kLastLayer;
  EXPECT_EQ(moved("").load, Bytes(0));
  EXPECT_EQ(moved("").store, Bytes(0));
  EXPECT_EQ(moved("\"weights\"").load, Bytes(layers + 3 * kLayer));
  EXPECT_EQ(moved("\"weights\"").store, Bytes(layers));
  EXPECT_EQ(moved("\"optimizer_state\"").load, Bytes(layers));
  EXPECT_EQ(moved("\"optimizer_state\"").store, Bytes(layers));
}

/// Backward passes read the inputs of sections alone, and run forward passes again.
TEST(PhasedTraining, RecomputationTakesTimeForRows) {
  const auto kept = phasedPredictionOf(std::string(kFour) + kAll);
  const auto computed = phasedPredictionOf(std::string(kFour) + kAll + "recomputation = true\n");
  EXPECT_EQ(kept.phases[5].cost.moved.load.value() - computed.phases[5].cost.moved.load.value(),
            8 * kRow);
  EXPECT_EQ(computed.phases[5].phase.batch.length,
            kept.phases[1].phase.batch.length + kept.phases[5].phase.batch.length);
  EXPECT_EQ(computed.phases[3].phase.batch.length, kept.phases[3].phase.batch.length);
}

/// From IPU 0 to IPU 1 and back, every row that is handed on crosses the rung, on four links. The
/// sync of two IPUs has one hop each way.
TEST(PhasedTraining, TwoIpusHandRowsOverLinks) {
  const auto prediction = phasedPredictionOf(std::string(kFour) + kAll + "stages = 2\n");
  const double sync = 2 * 15e-9;
  const double exchange = sync + kFixed + kRow * (1 + 8.0 / 1024) / (4 * 17'179'869'184.0 * 0.783);
  for (std::size_t p = 0; p < 6; ++p) {
    EXPECT_NEAR(prediction.phases[p].cost.rows, 8 * exchange, 1e-13) << p;
  }
  EXPECT_EQ(prediction.phases[6].cost.rows, 0);
  ASSERT_EQ(prediction.stages.size(), 2U);
  EXPECT_NEAR(prediction.parts.work, prediction.parts.serial, 1e-15);
  expectEveryPhaseAddsUp(prediction);
}

TEST(PhasedTraining, OverlapIsNeverSlowerOnEqualTiles) {
  const std::string keys = std::string(kFour) + kAll + "io_tiles = 32\n";
  const auto overlapped = phasedPredictionOf(keys);
  const auto on_demand = phasedPredictionOf(keys + "io_schedule = \"on_demand\"\n");
  EXPECT_LT(overlapped.step_seconds, on_demand.step_seconds);
  EXPECT_GT(overlapped.phases[1].cost.hidden, 0);
  EXPECT_EQ(on_demand.phases[1].cost.hidden, 0);
  EXPECT_EQ(overlapped.parts.work, on_demand.parts.work);
  expectEveryPhaseAddsUp(overlapped);
}

TEST(PhasedTraining, IsNeverSlowerWithAFasterMemory) {
  for (const char* keys : {"", "io_tiles = 32\n", "stages = 2\n"}) {
    double before = 1;
    for (const char* rate : {"1_000_000_000", "4_000_000_000", "100_000_000_000"}) {
      const double now =
          phasedPredictionOf(
              std::string(kFour) + kAll + keys,
              fmt::format("{{base = \"m2000\", ipu = {{base = \"gc200\", tiles = 96}}, "
                          "streaming_bytes_per_second = {}}}",
                          rate))
              .step_seconds;
      EXPECT_LE(now, before);
      before = now;
    }
  }
}

/// One phase of the whole network is the program of one chip.
TEST(PhasedTraining, OnePhaseIsTheRunOfOneIpu) {
  for (const char* keys : {"", "micro_batches = 4\n"}) {
    const auto phased =
        phasedPredictionOf(std::string("execution = \"phased\"\nphases = 1\n") + keys);
    const auto one = phasedPredictionOf(keys);
    EXPECT_DOUBLE_EQ(phased.step_seconds, one.step_seconds);
    EXPECT_EQ(phased.phases.front().memory.total(), one.stages.front().cost.total());
    EXPECT_EQ(phased.stages.front().cost.max_tile_bytes, one.stages.front().cost.max_tile_bytes);
  }
}

/// The middle sections have equal programs, whose code lies on the chip once.
TEST(PhasedTraining, HoldsWhatAPhaseNeeds) {
  const auto resident = phasedPredictionOf(kFour);
  const auto away = phasedPredictionOf(std::string(kFour) + kAll);
  const std::uint64_t layers = 3 * kLayer + kLastLayer;
  const HeldBytes& all = resident.phases[5].memory.held;
  EXPECT_EQ(heldAs(Holding::Weights, all), Bytes(layers));
  EXPECT_EQ(heldAs(Holding::OptimizerState, all), Bytes(layers));
  EXPECT_EQ(heldAs(Holding::Gradients, all), Bytes(kLayer));
  // Two rows of sections 0 to 2, and the input and the labels of the last one, for each of eight
  // micro-batches of 16 samples.
  EXPECT_EQ(heldAs(Holding::Stash, all), Bytes(56 * kRow) + 8 * 16 * sizeOf(ElementType::UInt32));
  const HeldBytes& own = away.phases[5].memory.held;
  EXPECT_EQ(heldAs(Holding::Weights, own), Bytes(kLayer));
  EXPECT_EQ(heldAs(Holding::OptimizerState, own), Bytes(kLayer));
  EXPECT_EQ(heldAs(Holding::Stash, own), Bytes(0));
  EXPECT_EQ(heldAs(Holding::Code, own), heldAs(Holding::Code, all));
  const HeldBytes& forward = away.phases[1].memory.held;
  EXPECT_EQ(heldAs(Holding::Gradients, forward), Bytes(0));
  EXPECT_EQ(heldAs(Holding::OptimizerState, forward), Bytes(0));
  EXPECT_EQ(away.programs, 3U);
}

/// Weights and state of phase 4 come while phase 3 computes. I/O tiles hold its rows, and an eighth
/// of the parameters.
TEST(PhasedTraining, PreloadingTakesRoomForTwoPhases) {
  const std::string keys = std::string(kFour) + kAll + "io_tiles = 32\n";
  const auto preloaded = phasedPredictionOf(keys);
  const auto on_demand = phasedPredictionOf(keys + "io_schedule = \"on_demand\"\n");
  EXPECT_EQ(heldAs(Holding::Buffers, on_demand.phases[3].memory.held), Bytes(2 * kRow));
  EXPECT_EQ(heldAs(Holding::Buffers, preloaded.phases[3].memory.held),
            Bytes(2 * kLayer + 2 * kRow + 2 * kLayer / 8));
  const auto two = phasedPredictionOf(std::string(kFour) + kAll + "stages = 2\n");
  EXPECT_EQ(heldAs(Holding::Buffers, two.phases[3].memory.held), Bytes(0));
}

/// Each replica keeps its share of weights and state, and gathers the weights of each phase.
TEST(PhasedTraining, ReplicasShareOutWhatIsOffloaded) {
  const std::string keys =
      std::string(kFour) + "replicas = 4\noffload = [\"weights\", \"optimizer_state\"]\n";
  const auto whole = phasedPredictionOf(keys);
  const auto shared = phasedPredictionOf(keys + "replicated_tensor_sharding = true\n");
  const std::uint64_t layers = 3 * kLayer + kLastLayer;
  EXPECT_EQ(whole.stages.front().cost.streaming, Bytes(2 * layers));
  EXPECT_EQ(4 * shared.stages.front().cost.streaming, Bytes(2 * layers));
  EXPECT_EQ(4 * movedBy(shared).load, movedBy(whole).load);
  EXPECT_EQ(whole.phases[0].cost.collectives, 0);
  EXPECT_GT(shared.phases[0].cost.collectives, 0);
  // A gather and a sum of shares are an all-reduce.
  EXPECT_NEAR(shared.phases[5].cost.collectives, whole.phases[5].cost.collectives, 1e-12);
  expectEveryPhaseAddsUp(shared);
}

/// Two replicas of two IPUs: each pair hands rows over its own rung, and sums over the rails.
TEST(PhasedTraining, ReplicasOfTwoIpusAddUp) {
  const std::string keys = std::string(kFour) + kAll + "stages = 2\n";
  const auto one = phasedPredictionOf(keys);
  const auto two = phasedPredictionOf(keys + "replicas = 2\nreplicated_tensor_sharding = true\n");
  EXPECT_EQ(two.samples, 2 * one.samples);
  ASSERT_EQ(two.phases.size(), one.phases.size());
  for (std::size_t p = 0; p < one.phases.size(); ++p) {
    EXPECT_EQ(two.phases[p].cost.compute, one.phases[p].cost.compute);
    EXPECT_GT(two.phases[p].cost.collectives, 0);
  }
  EXPECT_GT(two.collective.sent[0], Bytes(0));
  EXPECT_GT(two.collective.sent[1], Bytes(0));
  expectEveryPhaseAddsUp(two);
}

TEST(PhasedTraining, CountsTheBytesBesideTheChip) {
  const std::uint64_t layers = 3 * kLayer + kLastLayer;
  // Two rows of section 0, one more of sections 1 and 2, their inputs and that of the last one, and
  // as many gradients.
  const std::uint64_t rows = std::uint64_t{8} * (2 + 1 + 1 + 3 + 3) * kRow;
  const auto one = phasedPredictionOf(std::string(kFour) + kAll);
  EXPECT_EQ(one.stages.front().cost.streaming, Bytes(2 * layers + rows));
  const auto two = phasedPredictionOf(std::string(kFour) + kAll + "stages = 2\n");
  EXPECT_EQ(two.stages[0].cost.streaming + two.stages[1].cost.streaming, Bytes(2 * layers + rows));
}

TEST(PhasedTraining, NamesTheMemoryThatIsTooSmall) {
  const auto bytes = [](std::uint64_t streaming) {
    return phasedPredictionOf(
        std::string(kFour) + kAll,
        fmt::format("{{base = \"m2000\", streaming_bytes = {}, ipu = {{base = "
                    "\"gc200\", tiles = 96}}}}",
                    streaming));
  };
  const std::uint64_t needed = bytes(1'000'000'000).stages.front().cost.streaming.value();
  EXPECT_TRUE(bytes(needed).fits());
  EXPECT_FALSE(bytes(needed - 1).fits());
}

TEST(PhasedTraining, NamesThePhaseThatDoesNotFit) {
  const ParallelTraining training = readParallel(ConfigReader::fromText(
      fmt::format("machine = {}\n[workload]\nkind = \"mlp_training\"\ndims = [64, 2048, 2048, "
                  "8]\nbatch = 16\n[parallel]\nexecution = \"phased\"\nphases = 3\nmodules = [2, "
                  "2, 2]\n{}",
                  kSmallMachine, kAll),
      "run.toml"));
  const ParallelPrediction prediction = predictParallel(training, Engine::ClosedForm);
  EXPECT_FALSE(prediction.fits());
  EXPECT_THAT(parallelText(training, prediction),
              HasSubstr("Phase 3 (backward of modules 2-3) DOES NOT FIT: tile "));
  const auto json = parallelJson(training, prediction);
  EXPECT_EQ(json["oom"]["phase"], 3);
  EXPECT_GT(json["oom"]["needed_bytes"], json["oom"]["capacity_bytes"]);
}

TEST(PhasedTraining, CutsPhasesOfEqualLength) {
  const std::string keys = "execution = \"phased\"\nphases = 2\nmicro_batches = 8\n";
  const auto longest = [](const ParallelPrediction& prediction) {
    const auto& phases = prediction.phases;
    return std::max(secondsOf(phases[0].phase.batch) + secondsOf(phases[2].phase.batch),
                    secondsOf(phases[1].phase.batch));
  };
  const double automatic = longest(phasedPredictionOf(keys + kAll));
  double best = 1;
  for (int first = 1; first < 8; ++first) {
    best =
        std::min(best, longest(phasedPredictionOf(
                           keys + kAll + fmt::format("modules = [{}, {}]\n", first, 8 - first))));
  }
  EXPECT_LE(automatic, 1.05 * best);
}

TEST(PhasedTraining, IsEqualOnBothEngines) {
  const ParallelTraining training = phasedTrainingOf(std::string(kFour) + kAll + "io_tiles = 32\n");
  EXPECT_EQ(predictParallel(training, Engine::SystemC).step_seconds,
            predictParallel(training, Engine::ClosedForm).step_seconds);
}

TEST(PhasedTraining, SaysWhatEachPhaseWaitsFor) {
  const ParallelTraining training = phasedTrainingOf(std::string(kFour) + kAll);
  const ParallelPrediction prediction = predictParallel(training, Engine::ClosedForm);
  EXPECT_THAT(parallelText(training, prediction), HasSubstr("  6      0-1      backward"));
  const auto json = parallelJson(training, prediction);
  EXPECT_EQ(json["phases"].size(), 7U);
  EXPECT_EQ(json["phases"][6]["pass"], "backward");
  double seconds = 0;
  for (const auto& phase : json["phases"]) seconds += phase["seconds"].get<double>();
  EXPECT_NEAR(seconds, json["step"]["seconds"].get<double>(), 1e-12);
}

}  // namespace ipusim::parallel
