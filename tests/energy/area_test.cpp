// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/area.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/toy_machine.h"

namespace ipusim::energy {
namespace {

using namespace ipusim::literals;
using models::gc200Sdk;

/// Half of a band of 90 %.
double armOf(const AreaResult& area) {
  return (area.high_die_mm2 - area.low_die_mm2) / 2;
}

TEST(Area, TheGc200HasItsPublishedDieInEveryDraw) {
  for (const double draw : areaOf(gc200Sdk()).draws) EXPECT_NEAR(draw, 823, 1e-6);
}

TEST(Area, ATileOfTheGc200IsCountedByHand) {
  // 823 mm2 * 49 % over 1536 tiles, and 823 mm2 * 25 % over as many.
  const double sram = 823 * 0.49 / 1536;
  const double processor = 823 * 0.25 / 1536;
  EXPECT_NEAR(areaOf(gc200Sdk()).tile_mm2, sram + processor, 0.001);
}

TEST(Area, APartsSumIsTheDie) {
  Machine half = gc200Sdk();
  half.tiles = 736;
  const AreaResult area = areaOf(half);
  EXPECT_NEAR(std::accumulate(area.by_part.begin(), area.by_part.end(), 0.0), area.die_mm2, 1e-9);
}

/// A change of the GC200, and the die that it gives with the width of the band to both sides.
struct Design {
  const char* name;
  void (*change)(Machine& machine);
  double mm2;
  double arm;
};

class AreaOfDesigns : public testing::TestWithParam<Design> {};

TEST_P(AreaOfDesigns, IsThatOfTheShares) {
  Machine machine = gc200Sdk();
  GetParam().change(machine);
  const AreaResult area = areaOf(machine);
  EXPECT_NEAR(area.die_mm2, GetParam().mm2, 0.005 * GetParam().mm2);
  EXPECT_NEAR(armOf(area), GetParam().arm, 0.2 * GetParam().arm);
}

INSTANTIATE_TEST_SUITE_P(
    Changes, AreaOfDesigns,
    testing::Values(
        // The SRAM is 823 * 49 % = 403.3 mm2 of 823: half of it and twice it.
        Design{"half_sram", [](Machine& m) { m.sram_per_tile = 312_KiB; }, 621, 14},
        Design{"twice_sram", [](Machine& m) { m.sram_per_tile = 1248_KiB; }, 1226, 27},
        // The AMP engines are 55 % of 25 %, 113 mm2.
        Design{"amp_128", [](Machine& m) { m.conv_units.half_half = 32; }, 936, 17},
        // The exchange is what shares, lanes and the rest leave: 139 mm2.
        Design{"wide_exchange", [](Machine& m) { m.fabric.exchange_rate = BytesPerCycle(8); }, 962,
               44},
        Design{"half_tiles", [](Machine& m) { m.tiles = 736; }, 414, 20},
        // The square law: four times the exchange.
        Design{"twice_tiles",
               [](Machine& m) {
                 m.tiles = 2944;
                 m.sram_per_tile = 312_KiB;
               },
               1444, 119}),
    [](const auto& design) { return std::string(design.param.name); });

TEST(Area, ADieBeyondTheReticleIsSaid) {
  Machine machine = gc200Sdk();
  EXPECT_FALSE(areaOf(machine).larger_than_reticle);
  machine.sram_per_tile = 1248_KiB;
  EXPECT_TRUE(areaOf(machine).larger_than_reticle);
}

TEST(Area, NoPartGetsSmallerWithMoreOfIt) {
  const double now = areaOf(gc200Sdk()).die_mm2;
  Machine machine = gc200Sdk();
  machine.tiles += 1;
  EXPECT_GT(areaOf(machine).die_mm2, now);
  machine = gc200Sdk();
  machine.sram_per_tile = 625_KiB;
  EXPECT_GT(areaOf(machine).die_mm2, now);
}

}  // namespace
}  // namespace ipusim::energy
