// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "models/ipu/chip/chip.h"
#include "models/ipu/closed_form/closed_form.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"

// What must hold for every config that is shipped.

namespace ipusim::run {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shippedConfigs() {
  std::vector<fs::path> configs;
  for (const auto& entry : fs::directory_iterator("configs/runs")) configs.push_back(entry.path());
  std::sort(configs.begin(), configs.end());
  return configs;
}

/// A config as it is shipped, but for networks that are trained: those with fewer features, which
/// take their steps all the same.
ConfigReader shipped(const fs::path& path) {
  const bool trains = path.filename().string().rfind("shl_training_", 0) == 0;
  return ConfigReader::fromFile(
      path, trains ? std::vector<Override>{{"workload.features", "128"}} : std::vector<Override>{});
}

}  // namespace

TEST(ShippedConfigs, ChipAndClosedFormAgreeTileByTileAndStepByStep) {
  for (const fs::path& path : shippedConfigs()) {
    const Experiment experiment = prepare(shipped(path));
    const models::ChipResult chip = models::simulateChip(experiment.executable.programs);
    const models::ChipResult closed = models::closedForm(experiment.executable.programs);
    EXPECT_EQ(chip.busy, closed.busy) << path;
    EXPECT_EQ(chip.finish, closed.finish) << path;
    EXPECT_EQ(chip.end, closed.end) << path;
  }
}

/// The first tile that has two streams one after the other without a gap on the port; the second is
/// moved a cycle towards the first. Says which tile.
std::string plantCollision(models::ChipPrograms& programs,
                           std::vector<models::PortUse> models::TileProgram::*port) {
  for (std::size_t tile = 0; tile < programs.tiles.size(); ++tile) {
    auto& uses = programs.tiles[tile].*port;
    for (std::size_t i = 1; i < uses.size(); ++i) {
      if (uses[i].start != uses[i - 1].start + uses[i - 1].cycles) continue;
      uses[i].start = excess(uses[i].start, Cycles(1));
      return "tile " + std::to_string(tile) + ": two messages meet on its ";
    }
  }
  return {};
}

TEST(ShippedConfigs, APlantedCollisionIsRefused) {
  const Experiment experiment = prepare(ConfigReader::fromFile("configs/runs/quickstart.toml"));
  models::ChipPrograms sends = experiment.executable.programs;
  models::ChipPrograms receives = sends;
  const std::string on_send = plantCollision(sends, &models::TileProgram::sends) + "send port";
  const std::string on_receive =
      plantCollision(receives, &models::TileProgram::receives) + "receive port";
  EXPECT_EQ(internalErrorOf([&] { models::simulateChip(sends); }), on_send);
  EXPECT_EQ(internalErrorOf([&] { models::closedForm(sends); }), on_send);
  EXPECT_EQ(internalErrorOf([&] { models::simulateChip(receives); }), on_receive);
  EXPECT_EQ(internalErrorOf([&] { models::closedForm(receives); }), on_receive);
}

TEST(ShippedConfigs, GiveTheSameBytesTwice) {
  for (const fs::path& path : shippedConfigs()) {
    const auto text = [&path] { return jsonText(simulate(shipped(path), Engine::SystemC)); };
    EXPECT_EQ(text(), text()) << path;
  }
}

TEST(ShippedConfigs, SpendEveryCycleOfEveryTileOnce) {
  for (const fs::path& path : shippedConfigs()) {
    const RunResult result = simulate(shipped(path), Engine::ClosedForm);
    for (const TileResult& tile : result.tiles) {
      const Cycles parts = tile.compute + tile.copy + tile.exchange + tile.sync + tile.idle;
      ASSERT_EQ(parts, result.time.cycles) << path;
    }
  }
}

TEST(ShippedConfigs, MoreExchangeBandwidthIsNeverSlower) {
  for (const fs::path& path : shippedConfigs()) {
    const auto cycles = [&path](const char* rate) {
      return simulate(ConfigReader::fromFile(path, {{"machine.exchange_bytes_per_cycle", rate}}),
                      Engine::ClosedForm)
          .time.cycles;
    };
    EXPECT_LE(cycles("8"), cycles("4")) << path;
  }
}

}  // namespace ipusim::run
