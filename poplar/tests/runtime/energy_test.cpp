// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "models/ipu/energy/price.h"
#include "poplar/runtime/engine/profile_energy.h"
#include "poplar/tests/runtime/small_device.h"

namespace {

using namespace poplar::program;
using ipusim::Activity;
using ipusim::Bytes;
using ipusim::Cycles;
using ipusim::Flops;
using ipusim::StepResult;
using poplar::Tensor;
using poplar::detail::ProfiledEnergy;
using testing::HasSubstr;

const char* const kEnergyCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

class MultiplyAdd : public Vertex {
 public:
  Input<Vector<float>> a;
  Input<Vector<float>> x;
  Output<Vector<float>> y;
  bool compute() {
    const unsigned n = y.size();
    for (unsigned i = 0; i < n; ++i) y[i] = a[i] * x[i] + 1.0f;
    return true;
  }
};

class OfAllWorkers : public MultiVertex {
 public:
  Output<Vector<float>> y;
  bool compute(unsigned worker) { y[worker] = y[worker] * 3.0f; return true; }
};
)";

/// The steps of that kind together.
Activity sumOf(const ProfiledEnergy& profiled, ipusim::StepKind kind) {
  Activity sum;
  for (const StepResult& step : profiled.result.steps) {
    if (step.kind == kind) sum += step.activity;
  }
  return sum;
}

class PoplarEnergy : public testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = codeletsMissing(graph_, kEnergyCodelets);
    if (!missing.empty()) GTEST_SKIP() << missing;
  }

  Tensor floats(std::size_t elements, unsigned tile) {
    Tensor tensor = graph_.addVariable(poplar::FLOAT, {elements}, "v");
    graph_.setTileMapping(tensor, tile);
    return tensor;
  }
  /// Two steps: `n` multiply-adds on tile 0, then their results go to tile 2.
  Sequence multiplyAddAndSend(std::size_t n) {
    const poplar::ComputeSet set = graph_.addComputeSet("set");
    const Tensor y = floats(n, 0);
    const auto vertex =
        graph_.addVertex(set, "MultiplyAdd", {{"a", floats(n, 0)}, {"x", floats(n, 0)}, {"y", y}});
    graph_.setTileMapping(vertex, 0);
    return Sequence{Execute(set), Copy(y, floats(n, 2))};
  }
  ProfiledEnergy profileOf(const Program& program, const poplar::OptionFlags& options = {}) {
    poplar::Engine engine(graph_, program, options);
    engine.loadAndRun(device_);
    return profiledEnergy(*engine.data());
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
};

TEST_F(PoplarEnergy, ActivityOfCodeletsIsThatOfTheirBlocks) {
  const Activity of_60 = sumOf(profileOf(multiplyAddAndSend(60)), ipusim::StepKind::Compute);
  const Activity of_20 = sumOf(profileOf(multiplyAddAndSend(20)), ipusim::StepKind::Compute);
  EXPECT_EQ(of_60.other_flops, Flops(2UL * 60)) << "a product and a sum each";
  EXPECT_EQ(of_60.stored_bytes, Bytes(4UL * 60));
  EXPECT_EQ(of_60.loaded_bytes, of_20.loaded_bytes + Bytes(2UL * 4 * 40))
      << "fields are loaded once";
  EXPECT_GE(of_60.bundles, of_20.bundles + 3UL * 40) << "two loads and a store each";
  EXPECT_EQ(of_60.float_macs, 0U) << "a worker has no fused form for them";
}

TEST_F(PoplarEnergy, ActivityOfStepsIsThatOfAPlayTimesThePlays) {
  const Sequence two_steps = multiplyAddAndSend(20);
  const ProfiledEnergy once = profileOf(two_steps);
  const ProfiledEnergy thrice = profileOf(Repeat(3, two_steps));
  const Activity sent = sumOf(thrice, ipusim::StepKind::Exchange);
  EXPECT_EQ(sent.sent_words, 3U * 20);
  EXPECT_EQ(sent.received_words, 3U * 20);
  const Activity computed = sumOf(thrice, ipusim::StepKind::Compute);
  EXPECT_EQ(computed.other_flops, Flops(3UL * 2 * 20));
  EXPECT_EQ(computed.bundles, 3 * sumOf(once, ipusim::StepKind::Compute).bundles);
  const Activity met = sumOf(thrice, ipusim::StepKind::Sync);
  EXPECT_GT(met.tile_syncs, 0U);
  EXPECT_EQ(met.tile_syncs, 3 * sumOf(once, ipusim::StepKind::Sync).tile_syncs);
  Activity all;
  for (const StepResult& step : thrice.result.steps) all += step.activity;
  EXPECT_EQ(all, thrice.result.activity);
  EXPECT_EQ(all.tile_cycles, 4 * thrice.result.time.cycles) << "four tiles, waits included";
}

TEST_F(PoplarEnergy, IterationsThatAreNotComputedCountAsTheLastOne) {
  const Sequence two_steps = multiplyAddAndSend(20);
  EXPECT_EQ(profileOf(Repeat(9, two_steps), {{"ipusim.functionalSteps", "2"}}).result.activity,
            profileOf(Repeat(9, two_steps)).result.activity);
}

TEST_F(PoplarEnergy, AMultiVertexCountsAllItsWorkers) {
  const poplar::ComputeSet set = graph_.addComputeSet("set");
  const auto vertex = graph_.addVertex(set, "OfAllWorkers", {{"y", floats(6, 1)}});
  graph_.setTileMapping(vertex, 1);
  const Activity computed = sumOf(profileOf(Execute(set)), ipusim::StepKind::Compute);
  EXPECT_EQ(computed.other_flops, Flops(6));
  EXPECT_EQ(computed.stored_bytes, Bytes(4UL * 6));
}

TEST_F(PoplarEnergy, IsThatOfTheActivityAndTheTime) {
  const ProfiledEnergy profiled = profileOf(multiplyAddAndSend(20));
  ASSERT_TRUE(profiled.energy.has_value());
  ipusim::Machine machine = ipusim::readPreset("gc200");
  machine.tiles = 4;
  const double seconds = profiled.result.time.seconds;
  const ipusim::energy::EnergyResult expected =
      ipusim::energy::priceEnergy(profiled.result.activity, seconds, machine);
  EXPECT_NEAR(profiled.energy->joules / expected.joules, 1, 1e-9);
  EXPECT_LT(profiled.energy->low_joules, profiled.energy->joules);
  EXPECT_GT(profiled.energy->high_joules, profiled.energy->joules);
  EXPECT_NEAR(profiled.energy->watts * seconds / profiled.energy->joules, 1, 1e-12);
}

TEST_F(PoplarEnergy, BeginsAtZeroWithTheProfile) {
  poplar::Engine engine(graph_, multiplyAddAndSend(20));
  engine.loadAndRun(device_);
  Activity first = profiledEnergy(*engine.data()).result.activity;
  engine.resetExecutionProfile();
  EXPECT_FALSE(profiledEnergy(*engine.data()).energy.has_value()) << "no time passed";
  engine.run();
  Activity second = profiledEnergy(*engine.data()).result.activity;
  EXPECT_NEAR(static_cast<double>(second.tile_cycles.value()),
              static_cast<double>(first.tile_cycles.value()), 4 * 10)
      << "tiles that ended early began the second run before the last one was done";
  first.tile_cycles = second.tile_cycles = Cycles(0);
  EXPECT_EQ(second, first);
}

TEST_F(PoplarEnergy, IsInTheSummaryAndTheJson) {
  poplar::Engine engine(graph_, multiplyAddAndSend(20));
  engine.loadAndRun(device_);
  std::ostringstream text;
  engine.printProfileSummary(text);
  EXPECT_THAT(text.str(), HasSubstr("Energy (rough, band of 90%):"));
  const auto json = nlohmann::json::parse(std::string(engine.getProfileAsJson()));
  EXPECT_GT(json.at("energy").at("joules"), json.at("energy").at("low_joules"));
  EXPECT_EQ(json.at("activity").at("sent_words"), 20);
}

TEST(PoplarEnergyOfAGc2, IsNotSupported) {
  poplar::IPUModel model("ipu1");
  model.tilesPerIPU = 4;
  const poplar::Device device = model.createDevice();
  poplar::Graph graph(device);
  poplar::Engine engine(graph, Sequence());
  engine.loadAndRun(device);
  std::ostringstream text;
  engine.printProfileSummary(text);
  EXPECT_THAT(text.str(), HasSubstr("Energy: not supported for a GC2"));
}

}  // namespace
