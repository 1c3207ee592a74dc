// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/machine/system.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"
#include "tests/support/sanitizer.h"
#include "tests/support/thrown.h"

// Properties of every shipped config.

namespace ipusim::run {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shippedConfigs() {
  std::vector<fs::path> configs;
  for (const auto& entry : fs::directory_iterator("configs/runs")) configs.push_back(entry.path());
  std::sort(configs.begin(), configs.end());
  return configs;
}

/// A config as it is shipped. Networks that are trained get fewer features, and take all their
/// steps.
ConfigReader shipped(const fs::path& path) {
  const bool trains = path.filename().string().rfind("shl_training_", 0) == 0;
  return ConfigReader::fromFile(
      path, trains ? std::vector<Override>{{"workload.features", "128"}} : std::vector<Override>{});
}

}  // namespace

TEST(ShippedConfigs, ChipAndClosedFormAgreeTileByTileAndStepByStep) {
  for (const fs::path& path : shippedConfigs()) {
    const Experiment experiment = prepare(shipped(path));
    if (!experiment.workload.separate.empty()) continue;  // no program, but one for each layer
    const ChipResult chip = measure(experiment.executable, Engine::SystemC, nullptr).tiles;
    const ChipResult closed = measure(experiment.executable, Engine::ClosedForm, nullptr).tiles;
    EXPECT_EQ(chip.busy, closed.busy) << path;
    EXPECT_EQ(chip.finish, closed.finish) << path;
    EXPECT_EQ(chip.end, closed.end) << path;
    ASSERT_EQ(chip.spans.size(), closed.spans.size()) << path;
    for (std::size_t step = 0; step < chip.spans.size(); ++step) {
      ASSERT_EQ(chip.spans[step].start, closed.spans[step].start) << path << ", step " << step;
      ASSERT_EQ(chip.spans[step].end, closed.spans[step].end) << path << ", step " << step;
    }
  }
}

/// The cycles from which the ports of the chip are free, while an exchange is walked in the order
/// of its messages.
class PortWalk {
 public:
  explicit PortWalk(const ChipPrograms& programs)
      : programs_(programs), send_(programs.tiles.size()), receive_(programs.tiles.size()) {}

  /// True when the message starts right after another one of its sender, or of a lender.
  [[nodiscard]] bool followsOnSend(const Transmission& message) const {
    const auto follows = [&](TileId tile) { return send_[tile.tile()] == message.start; };
    const TileRange lenders = programs_.lendersOf(message);
    return follows(message.from) || std::any_of(lenders.begin(), lenders.end(), follows);
  }
  /// True when the message starts right after another one of a receiver.
  [[nodiscard]] bool followsOnReceive(const Transmission& message) const {
    const TileRange receivers = programs_.receiversOf(message);
    return std::any_of(receivers.begin(), receivers.end(),
                       [&](TileId tile) { return receive_[tile.tile()] == message.start; });
  }
  void pass(const Transmission& message) {
    const Cycles sent = message.start + message.length;
    send_[message.from.tile()] = sent;
    for (const TileId tile : programs_.lendersOf(message)) send_[tile.tile()] = sent;
    for (const TileId tile : programs_.receiversOf(message)) {
      receive_[tile.tile()] = sent + message.control;
    }
  }

 private:
  const ChipPrograms& programs_;
  std::vector<Cycles> send_;
  std::vector<Cycles> receive_;
};

/// Moves a message one cycle towards the one before it on a port of `direction`, and on no port of
/// the other direction. Returns whether there is such a message.
bool plantCollision(ChipPrograms& programs, PortDirection direction) {
  for (const Exchange& exchange : programs.exchanges) {
    PortWalk ports(programs);
    for (std::uint32_t t = exchange.first; t < exchange.first + exchange.count; ++t) {
      Transmission& message = programs.transmissions[t];
      const bool send = ports.followsOnSend(message);
      const bool receive = ports.followsOnReceive(message);
      const bool wanted = direction == PortDirection::Send ? send && !receive : receive && !send;
      if (wanted && message.start > Cycles(0)) {
        message.start = excess(message.start, Cycles(1));
        return true;
      }
      ports.pass(message);
    }
  }
  return false;
}

TEST(ShippedConfigs, APlantedCollisionIsRefusedOnEitherEnd) {
  if (kHasAddressSanitizer) {
    GTEST_SKIP() << "the sanitizer does not know the stack of SystemC, from which this throws";
  }
  const Experiment experiment = prepare(ConfigReader::fromFile("configs/runs/quickstart.toml"));
  for (const PortDirection direction : {PortDirection::Send, PortDirection::Receive}) {
    ChipPrograms programs = experiment.executable.programs.only();
    ASSERT_TRUE(plantCollision(programs, direction));
    const std::string on_chip = internalErrorOf([&] { models::simulateChip(programs); });
    EXPECT_EQ(internalErrorOf([&] { models::closedForm(programs); }), on_chip);
    const char* port = direction == PortDirection::Send ? "send" : "receive";
    EXPECT_NE(on_chip.find(std::string("two messages meet on its ") + port + " port in cycle "),
              std::string::npos)
        << on_chip;
  }
}

TEST(ShippedConfigs, GiveTheSameBytesTwice) {
  for (const fs::path& path : shippedConfigs()) {
    const auto text = [&path] {
      return report::jsonText(simulate(shipped(path), Engine::SystemC));
    };
    EXPECT_EQ(text(), text()) << path;
  }
}

TEST(ShippedConfigs, SpendEveryCycleOfEveryTileOnce) {
  for (const fs::path& path : shippedConfigs()) {
    const RunResult result = simulate(shipped(path), Engine::ClosedForm);
    for (const TileResult& tile : result.tiles) {
      const Cycles parts = tile.compute + tile.copy + tile.exchange + tile.host + tile.links +
                           tile.streaming + tile.sync + tile.idle;
      ASSERT_EQ(parts, result.time.cycles) << path;
    }
  }
}

TEST(ShippedConfigs, DoWhatTheirStepsDoAndWhatTheirTilesDo) {
  for (const fs::path& path : shippedConfigs()) {
    const RunResult result = simulate(shipped(path), Engine::ClosedForm);
    Activity of_steps;
    Activity of_tiles;
    for (const StepResult& step : result.steps) of_steps += step.activity;
    for (const TileResult& tile : result.tiles) of_tiles += tile.activity;
    EXPECT_EQ(of_steps, result.activity) << path;
    EXPECT_EQ(of_tiles, result.activity) << path;
    EXPECT_EQ(result.activity.tile_cycles, result.machine.tiles * result.time.cycles) << path;
  }
}

TEST(ShippedConfigs, CurvesAndVariablesAddUpToTheMemory) {
  constexpr auto kVariables = static_cast<std::size_t>(MemoryCategory::Variables);
  constexpr auto kConstants = static_cast<std::size_t>(MemoryCategory::Constants);
  for (const fs::path& path : shippedConfigs()) {
    const RunResult result = simulate(shipped(path), Engine::ClosedForm);
    for (std::uint32_t t = 0; t < result.machine.tiles; ++t) {
      const std::vector<Bytes> live = result.liveness.bytesOf(t, result.positions.size());
      ASSERT_EQ(*std::max_element(live.begin(), live.end()), result.tiles[t].peak_not_always_live);
    }
    Bytes always;
    Bytes all;
    for (const VariableResult& variable : result.variables) {
      for (const TileRun& run : variable.tiles) {
        all += run.tiles * run.bytes;
        if (variable.always_live) always += run.tiles * run.bytes;
      }
    }
    const CategoryBytes& bytes = result.memory.by_category;
    EXPECT_LE(always, result.memory.always_live) << path;
    EXPECT_LE(bytes[kVariables] + bytes[kConstants], all) << path;
    EXPECT_LE(always, bytes[kVariables] + bytes[kConstants]) << path;
  }
}

TEST(ShippedConfigs, MoreExchangeBandwidthIsNeverSlower) {
  for (const fs::path& path : shippedConfigs()) {
    const System system = readSystem(ConfigReader::fromFile(path));
    const auto cycles = [&](const std::string& rate) {
      const std::string ipu =
          "{base = \"" + system.ipu.name + "\", exchange_bytes_per_cycle = " + rate + "}";
      const Override change = system.ipus > 1 ? Override{"machine.ipu", ipu}
                                              : Override{"machine.exchange_bytes_per_cycle", rate};
      return simulate(ConfigReader::fromFile(path, {change}), Engine::ClosedForm).time.cycles;
    };
    EXPECT_LE(cycles("8"), cycles("4")) << path;
  }
}

}  // namespace ipusim::run
