// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <systemc>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "tests/chip/difference.h"
#include "tests/chip/random_programs.h"
#include "tests/chip/story.h"

namespace ipusim::models {
namespace {

constexpr std::uint32_t kAllTiles = 1472;  // as on a GC200
constexpr std::uint32_t kMostBarriers = 20;

/// Mostly small chips: they are fast, and easy to read when they fail. Every tenth one has all
/// tiles.
rc::Gen<std::uint32_t> anyTiles() {
  return rc::gen::weightedOneOf<std::uint32_t>({{6, rc::gen::inRange<std::uint32_t>(1, 9)},
                                                {3, rc::gen::inRange<std::uint32_t>(9, 120)},
                                                {1, rc::gen::just(kAllTiles)}});
}

rc::Gen<ProgramShape> anyShape(rc::Gen<std::uint32_t> tiles,
                               const std::vector<std::uint64_t>& iterations) {
  return rc::gen::apply(
      [iterations](std::uint32_t count, std::uint32_t barriers, std::uint64_t seed) {
        return ProgramShape{count, barriers, iterations, seed};
      },
      std::move(tiles), rc::gen::inRange<std::uint32_t>(0, kMostBarriers + 1),
      rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
}

/// Counts the cycles that it is told of, as the engines count them.
class BusyCycles : public Observer {
 public:
  explicit BusyCycles(const ChipPrograms& programs)
      : tiles_(programs.tiles.size()), busy_(programs.steps * tiles_) {}

  void busy(TileId tile, OpKind /*kind*/, const Interval& when) override {
    busy_[indexOf(when.step) * tiles_ + tile.tile()] +=
        when.iterations * excess(when.end, when.begin);
  }
  void transmission(std::uint32_t /*transmission*/, const Interval& /*when*/) override {
    ++transmissions_;
  }
  void sync(const Interval& /*when*/) override {}
  void hostTransfer(std::uint32_t /*transfer*/, const Interval& /*when*/) override {}

  [[nodiscard]] const std::vector<Cycles>& busy() const { return busy_; }
  [[nodiscard]] std::size_t transmissions() const { return transmissions_; }

 private:
  std::size_t tiles_;
  std::vector<Cycles> busy_;
  std::size_t transmissions_ = 0;
};

void same(const std::string& found) {
  if (!found.empty()) RC_FAIL(found);
}

RC_GTEST_PROP(Engines, AgreeTileByTileAndStepByStep, ()) {
  const auto shape = *anyShape(anyTiles(), {1, 2, 3, 4, 17, 1000, 50'000});
  const ChipPrograms programs = randomPrograms(shape);
  same(difference(simulateChip(programs), closedForm(programs)));
}

RC_GTEST_PROP(Engines, TellTheSameStory, ()) {
  const auto shape = *anyShape(rc::gen::inRange<std::uint32_t>(1, 40), {1, 2, 3, 17, 1000});
  const ChipPrograms programs = randomPrograms(shape);
  Story of_chip;
  Story of_closed_form;
  simulateChip(programs, &of_chip);
  closedForm(programs, &of_closed_form);
  RC_ASSERT(of_chip.lines() == of_closed_form.lines());
}

/// The intervals of a tile, times their iterations, add up to the cycles that count for it.
RC_GTEST_PROP(Engines, TellEveryCycleThatTheyBook, ()) {
  const auto shape = *anyShape(rc::gen::inRange<std::uint32_t>(1, 40), {1, 2, 3, 1000});
  const ChipPrograms programs = randomPrograms(shape);
  BusyCycles told(programs);
  const ChipResult result = simulateChip(programs, &told);
  RC_ASSERT(told.busy() == result.busy);
  RC_CLASSIFY(told.transmissions() > 0, "with transmissions");
}

RC_GTEST_PROP(Engines, MultiplyARepeatIntoWhatItIsWrittenOut, ()) {
  const auto shape = *anyShape(rc::gen::inRange<std::uint32_t>(1, 9), {1, 2, 3, 4, 7});
  const ChipPrograms programs = randomPrograms(shape);
  const ChipPrograms written_out = unrolled(programs);
  const ChipResult chip = simulateChip(programs);
  same(differenceInTime(chip, simulateChip(written_out)));
  same(differenceInTime(chip, closedForm(written_out)));
}

RC_GTEST_PROP(Engines, BookEveryCycleOfATileOnce, ()) {
  const auto shape = *anyShape(anyTiles(), {1, 2, 3, 1000});
  const ChipResult result = closedForm(randomPrograms(shape));
  for (std::uint32_t tile = 0; tile < result.tiles; ++tile) {
    Cycles booked;
    for (std::size_t at = tile; at < result.busy.size(); at += result.tiles) {
      booked += result.busy[at];
    }
    RC_ASSERT(booked == result.finish[tile]);
  }
}

}  // namespace
}  // namespace ipusim::models

int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}

/// The programs are the same in every run. RC_PARAMS draws others, or more of them.
int main(int argc, char* argv[]) {
  setenv("RC_PARAMS", "seed=1472 max_success=200", /*overwrite=*/0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
