// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/time.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "ipusim/units.h"
#include "poplar/tests/runtime/small_device.h"

namespace {

using namespace poplar::program;

/// More than a run of these programs and the calls around it take.
constexpr double kHostSeconds = 0.5;

double secondsNow() {
  timeval now{};
  gettimeofday(&now, nullptr);
  return static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_usec);
}

/// What three clocks of the host say that a run took.
struct Clocks {
  double steady;
  double system;
  double day;
};

class VirtualClock : public testing::Test {
 protected:
  /// A device of a thousand cycles a second, on which a few copies take seconds.
  static poplar::Device slowTiles() {
    poplar::IPUModel model;
    model.tilesPerIPU = 4;
    model.tileClockFrequency = 1000;
    return model.createDevice();
  }
  void SetUp() override {
    const poplar::Tensor tensor = graph_.addVariable(poplar::INT, {2, 64}, "tensor");
    graph_.setTileMapping(tensor[0], 0);
    graph_.setTileMapping(tensor[1], 1);
    program_ = Repeat(10, Copy(tensor[0], tensor[1]));
  }
  void TearDown() override { unsetenv("IPUSIM_VIRTUAL_CLOCK"); }

  static Clocks clocksOf(poplar::Engine& engine) {
    using Seconds = std::chrono::duration<double>;
    const auto steady = std::chrono::steady_clock::now();
    const auto system = std::chrono::system_clock::now();
    const double day = secondsNow();
    engine.run();
    return {Seconds(std::chrono::steady_clock::now() - steady).count(),
            Seconds(std::chrono::system_clock::now() - system).count(), secondsNow() - day};
  }

  poplar::Device device_ = slowTiles();
  poplar::Graph graph_{device_};
  Program program_;
};

TEST_F(VirtualClock, GoesOnByTheModelledTimeOfARun) {
  setenv("IPUSIM_VIRTUAL_CLOCK", "1", 1);
  poplar::Engine engine(graph_, program_);
  engine.load(device_);
  for (int run = 0; run < 2; ++run) {
    const std::uint64_t begin = engine.getTimeStamp().cycles;
    const Clocks clocks = clocksOf(engine);
    const double modelled = static_cast<double>(engine.getTimeStamp().cycles - begin) / 1000;
    ASSERT_GT(modelled, 2 * kHostSeconds);
    EXPECT_NEAR(clocks.steady, modelled, kHostSeconds);
    EXPECT_NEAR(clocks.system, modelled, kHostSeconds);
    EXPECT_NEAR(clocks.day, modelled, kHostSeconds);
  }
}

TEST_F(VirtualClock, IsThatOfTheSystemUnlessItIsAskedFor) {
  poplar::Engine engine(graph_, program_);
  engine.load(device_);
  const Clocks clocks = clocksOf(engine);
  EXPECT_LT(clocks.steady, kHostSeconds);
  EXPECT_LT(clocks.system, kHostSeconds);
  EXPECT_LT(clocks.day, kHostSeconds);
}

TEST_F(VirtualClock, IsThatOfTheThreadThatRuns) {
  setenv("IPUSIM_VIRTUAL_CLOCK", "1", 1);
  poplar::Engine engine(graph_, program_);
  engine.load(device_);
  const auto begin = std::chrono::steady_clock::now();
  std::thread other([&] { engine.run(); });
  other.join();
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
            kHostSeconds);
}

TEST_F(VirtualClock, StandsInACallbackOfTheRun) {
  setenv("IPUSIM_VIRTUAL_CLOCK", "1", 1);
  const poplar::Tensor data = graph_.addVariable(poplar::INT, {1}, "data");
  graph_.setTileMapping(data, 0);
  const auto in = graph_.addHostToDeviceFIFO("in", poplar::INT, 1);
  poplar::Engine engine(graph_, Sequence({program_, Copy(in, data), program_}));
  engine.load(device_);
  std::chrono::steady_clock::time_point inside;
  engine.connectStreamToCallback("in", [&](void*) { inside = std::chrono::steady_clock::now(); });
  const auto begin = std::chrono::steady_clock::now();
  engine.run();
  EXPECT_GE(inside, begin);
  EXPECT_LE(inside, std::chrono::steady_clock::now());
}

TEST_F(VirtualClock, TotalCyclesCountSinceTheResetOfTheProfile) {
  poplar::Engine engine(graph_, program_);
  engine.loadAndRun(device_);
  const auto total = [&engine] {
    const std::string json = engine.getProfileAsJson();
    const std::string key = "\"cycles\": ";
    return std::stoull(json.substr(json.find(key, json.find("\"time\"")) + key.size()));
  };
  const std::uint64_t first = total();
  EXPECT_EQ(first, engine.getTimeStamp().cycles);
  engine.resetExecutionProfile();
  EXPECT_EQ(total(), 0U);
  engine.run();
  EXPECT_EQ(total(), engine.getTimeStamp().cycles - first);
}

}  // namespace
