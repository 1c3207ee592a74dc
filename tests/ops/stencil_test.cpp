// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/json.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"
#include "workloads/ops/stencil/reference.h"
#include "workloads/ops/stencil/stencil_grid.h"

namespace ipusim::workloads {
namespace {

using models::toyPodTable;
using testing::ElementsAre;
using testing::HasSubstr;

ConfigReader configOfStencil(const std::string& machine, const std::string& workload) {
  return ConfigReader::fromText(
      fmt::format("machine = {}\n[workload]\nkind = \"stencil\"\n{}\n", machine, workload),
      "test.toml");
}

constexpr const char* kChip = "{base = \"toy\", tiles = 6}";

void expectRightStencil(const std::string& machine, const std::string& workload) {
  const run::NumberCheck check = run::checkNumbers(run::prepare(configOfStencil(machine, workload)),
                                                   {executor::Checking::Strict, 1});
  EXPECT_TRUE(check.found.ok) << machine << ": " << workload << ": " << check.found.output
                              << " wanted " << check.found.wanted << " found " << check.found.found;
}

TEST(StencilGrid, CutsAmongIpusFirstAndThenAmongTiles) {
  // 11 points: 5 and 6 of the IPUs, then 2, 3 and 3, 3 of their tiles.
  const StencilGrid grid({{4, 11}, {1, 2}, {1, 2}}, 8);
  ASSERT_EQ(grid.blocks().size(), 4U);
  EXPECT_EQ(grid.blocks()[1].tile, TileId(1));
  EXPECT_EQ(grid.blocks()[2].tile, TileId(8));
  EXPECT_THAT(grid.blocks()[1].begin, ElementsAre(0, 2));
  EXPECT_THAT(grid.blocks()[1].points, ElementsAre(4, 3));
  EXPECT_THAT(grid.blocks()[3].begin, ElementsAre(0, 8));
}

TEST(StencilGrid, FindsNeighboursAcrossIpusAndNoneOutside) {
  const StencilGrid grid({{8, 8}, {2, 2}, {2, 2}}, 4);
  // Tile 3 of IPU 0 is the inner corner: its neighbours are tiles of all four IPUs.
  const GridBlock& corner = grid.blocks()[3];
  EXPECT_EQ(grid.neighbour(corner, {0, -1}), 2U);
  EXPECT_EQ(grid.neighbour(corner, {0, 1}), 4U + 2U);
  EXPECT_EQ(grid.neighbour(corner, {1, 0}), 8U + 1U);
  EXPECT_EQ(grid.neighbour(corner, {1, 1}), 12U);
  EXPECT_FALSE(grid.neighbour(grid.blocks()[0], {-1, 0}).has_value());
  EXPECT_FALSE(grid.neighbour(grid.blocks()[15], {0, 1}).has_value());
}

TEST(StencilGrid, ChoosesTheSmallestSurface) {
  // As the program of simehaa/IPU does: 23 x 8 x 8 tiles for 360^3 points on one IPU, and
  // 23 x 16 x 4 for a part of 508 x 508 x 127.
  EXPECT_THAT(bestTileGrid({360, 360, 360}, 1472, 1), ElementsAre(23, 8, 8));
  EXPECT_THAT(bestTileGrid({508, 508, 127}, 1472, 1), ElementsAre(23, 16, 4));
  EXPECT_THAT(bestTileGrid({8000, 8000}, 1472, 1), ElementsAre(46, 32));
  // Blocks may not be thinner than the radius: 11 is prime, so ten tiles take part.
  EXPECT_THAT(bestTileGrid({10, 4}, 11, 2), ElementsAre(5, 2));
}

TEST(StencilGrid, SharesABlockEvenlyAmongWorkers) {
  EXPECT_THAT(bestWorkerGrid({12, 7}, 6), ElementsAre(6, 1));
  EXPECT_THAT(bestWorkerGrid({10, 9}, 6), ElementsAre(2, 3));
}

TEST(StencilReference, DoesAStepByHand) {
  // One block of one row: two points between boundary values. The weights of a star in two
  // dimensions are 1 to 5 fifteenths: up, left, own, right, down.
  const StencilGrid grid({{1, 2}, {1, 1}, {1, 1}}, 1);
  const Stencil star{StencilShape::Star, 1, 1, ElementType::Float, 8, 0};
  const TensorValues first = {0, 15, 30, 0, 45, 60, 75, 90, 0, 105, 120, 0};
  const TensorValues second(12, 0);
  const TensorValues out = stencilSteps(grid, star, 1, first, second);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_NEAR(out[0], 1 + 6 + 12 + 20 + 35, 1e-5);
  EXPECT_NEAR(out[1], 2 + 8 + 15 + 24 + 40, 1e-5);
}

TEST(Stencil, GivesTheRightNumbersOnOneChip) {
  for (const char* shape : {"star", "box"}) {
    for (const char* type : {"float", "half"}) {
      for (const char* points : {"[9, 14]", "[5, 7, 8]"}) {
        for (const unsigned steps : {1U, 2U, 5U}) {
          expectRightStencil(
              kChip, fmt::format("points = {}\nshape = \"{}\"\ntype = \"{}\"\nsteps = {}", points,
                                 shape, type, steps));
        }
      }
    }
  }
  expectRightStencil(kChip, "points = [12, 13]\nradius = 2\nvalues = 3\nshape = \"box\"");
}

TEST(Stencil, GivesTheRightNumbersOnSystems) {
  expectRightStencil(toyPodTable(2), "points = [6, 9, 8]\nsteps = 3");
  expectRightStencil(toyPodTable(4), "points = [8, 16]\nsteps = 4\nipu_grid = [2, 2]");
  expectRightStencil(toyPodTable(8),
                     "points = [8, 9, 10]\nsteps = 2\nipu_grid = [2, 2, 2]\nshape = \"box\"\n"
                     "values = 2\ntype = \"half\"");
}

TEST(Stencil, SendsFacesToOtherIpusThroughBuffers) {
  // Two IPUs with 2 x 2 tiles each, cut in the last dimension: a face of 8 floats each way, of
  // which two tiles of each IPU have four.
  const auto json = report::toJson(run::simulate(
      configOfStencil(toyPodTable(2), "points = [8, 8]\nsteps = 2\ntile_grid = [2, 2]"),
      Engine::ClosedForm));
  for (const auto& step : json["steps"]) {
    if (step["name"] != "halo/GlobalExchange") continue;
    EXPECT_EQ(step["exchange"]["bytes"], 2 * 8 * 4);
    EXPECT_EQ(step["exchange"]["messages"], 4);
  }
  const std::string text = json["steps"].dump();
  for (const char* name : {"halo/OnTileCopy", "halo/Exchange", "halo/GlobalExchange", "halo/Unpack",
                           "a_to_b", "b_to_a"}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
}

TEST(Stencil, BothEnginesAgree) {
  const run::Experiment experiment = run::prepare(
      configOfStencil(toyPodTable(4), "points = [8, 9, 16]\nsteps = 7\nshape = \"box\""));
  const auto json = [&](Engine engine) {
    auto result = report::toJson(run::simulate(experiment, engine));
    result.erase("engine");
    return result;
  };
  EXPECT_EQ(json(Engine::ClosedForm), json(Engine::SystemC));
}

TEST(Stencil, CountsUsefulWorkAndSteps) {
  const run::RunResult result =
      run::simulate(configOfStencil(kChip, "points = [6, 8]\nsteps = 5\nflops_per_point = 6"),
                    Engine::ClosedForm);
  // 48 points, 6 FLOP at each, 5 times.
  EXPECT_EQ(result.work.flops, Flops(1440));
}

std::string mistakeOf(const std::string& machine, const std::string& workload) {
  return configErrorOf([&] { run::prepare(configOfStencil(machine, workload)); });
}

TEST(Stencil, NamesTheKeyOfAMistake) {
  EXPECT_THAT(mistakeOf(kChip, "points = [8]"), HasSubstr("points: wanted two or three sizes"));
  EXPECT_THAT(mistakeOf(kChip, "points = [8, 8]\ntile_grid = [4, 2]"),
              HasSubstr("tile_grid: wanted at most 6 parts, not 8"));
  EXPECT_THAT(mistakeOf(kChip, "points = [8, 8]\ntile_grid = [2, 2, 1]"),
              HasSubstr("tile_grid: wanted 2 numbers"));
  EXPECT_THAT(
      mistakeOf(kChip, "points = [8, 8]\ntile_grid = [6, 1]\nradius = 2"),
      HasSubstr("tile_grid: wanted blocks at least as long as the radius, 2 (dimension 0 of "
                "an IPU has points: 8, tiles: 6)"));
  EXPECT_THAT(mistakeOf(toyPodTable(4), "points = [8, 8]\nipu_grid = [2, 1]"),
              HasSubstr("ipu_grid: wanted a part for each of the 4 IPUs"));
}

}  // namespace
}  // namespace ipusim::workloads
