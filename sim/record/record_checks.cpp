// SPDX-License-Identifier: Apache-2.0
#include "sim/record/record_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error_boundary.h"
#include "ipusim/error.h"
#include "models/ipu/machine/execution_record.h"

namespace ipusim::record {

namespace {

/// Tables with a cell for each tile and step, or for each tile and exchange, are at most so large.
constexpr std::uint64_t kMostCells = 100'000'000;
/// Runs of vertices in the programs of a replay, which takes 16 B for each.
constexpr std::uint64_t kMostReplayedVertices = 100'000'000;

void require(bool holds, const std::string& wanted, std::uint64_t found) {
  if (holds) return;
  throw ConfigError(fmt::format("wanted {}, found {}", wanted, found));
}

/// The time of the chips, in which they meet, comes from one clock.
void checkClock(const ChipPrograms& chip, const ChipPrograms& first) {
  constexpr double kSlowest = 1e6;
  constexpr double kFastest = 1e11;
  const double found = chip.timing.clock_hz;
  if (found == first.timing.clock_hz && found >= kSlowest && found <= kFastest) return;
  throw ConfigError(
      fmt::format("wanted one clock of all IPUs, of 1e6 to 1e11 Hz, found {}", found));
}

void checkChip(const ChipPrograms& chip, const RecordedProgram& program) {
  checkClock(chip, program.run.programs.chips.front());
  const std::uint64_t tiles = chip.tiles.size();
  require(tiles == program.tilesPerIpu(),
          fmt::format("{} tiles on every IPU", program.tilesPerIpu()), tiles);
  require(chip.steps == program.steps.size(),
          fmt::format("programs of {} steps", program.steps.size()), chip.steps);
  // Each tile takes a byte of the file at least, so that this product is no larger than the file.
  const std::uint64_t most = kMostCells / std::max<std::uint64_t>(1, tiles * program.ipus());
  require(chip.steps <= most, fmt::format("at most {} steps on so many tiles", most), chip.steps);
  require(chip.exchanges.size() <= most, fmt::format("at most {} exchanges on so many tiles", most),
          chip.exchanges.size());
  for (const TileProgram& tile : chip.tiles) {
    for (const TileOp& op : tile.ops) {
      const bool loops = op.kind == OpKind::RepeatBegin || op.kind == OpKind::RepeatEnd;
      if (loops) throw ConfigError("wanted programs that have each step once, found a loop");
    }
  }
}

/// How many ops the tiles have in each step.
void addOps(const ChipPrograms& chip, std::vector<std::uint64_t>& ops) {
  for (const TileProgram& tile : chip.tiles) {
    for (const TileOp& op : tile.ops) ++ops[indexOf(op.step)];
  }
}

/// How many runs of vertices the replay of a chip has: those of each step once, and again from each
/// play at which a tile's cycles change.
std::uint64_t replayedVertices(const ChipPrograms& chip, const models::StepRecord& record) {
  require(record.changes.size() == chip.tiles.size(), "changes for each tile",
          record.changes.size());
  std::uint64_t all = 0;
  std::vector<std::uint64_t> of_step(chip.steps);
  for (std::size_t t = 0; t < chip.tiles.size(); ++t) {
    const auto& ops = chip.tiles[t].ops;
    for (const TileOp& op : ops) {
      if (op.kind == OpKind::Compute) of_step[indexOf(op.step)] = op.count;
      all += of_step[indexOf(op.step)];
    }
    const models::CycleChange* last = nullptr;
    for (const models::CycleChange& change : record.changes[t]) {
      require(indexOf(change.step) < of_step.size(), "changes of steps that there are",
              indexOf(change.step));
      const bool is_same_play =
          last != nullptr && last->step == change.step && last->play == change.play;
      if (!is_same_play) all += of_step[indexOf(change.step)];
      last = &change;
    }
    for (const TileOp& op : ops) of_step[indexOf(op.step)] = 0;
  }
  return all;
}

void checkVertices(const RecordedProgram& program) {
  std::uint64_t all = 0;
  for (std::size_t ipu = 0; ipu < program.ipus(); ++ipu) {
    all += replayedVertices(program.run.programs.chips[ipu], program.run.ipus[ipu]);
  }
  require(all <= kMostReplayedVertices,
          fmt::format("a replay of at most {} runs of vertices", kMostReplayedVertices), all);
}

void checkOrder(const RecordedProgram& program) {
  const std::vector<std::uint32_t>& order = program.order();
  require(order.size() <= kMostReplayedSteps,
          fmt::format("a run of at most {} steps", kMostReplayedSteps), order.size());
  std::vector<std::uint64_t> ops(program.steps.size());
  for (const ChipPrograms& chip : program.run.programs.chips) addOps(chip, ops);
  std::uint64_t all = 0;
  for (const std::uint32_t step : order) {
    const bool meets = step == models::StepRecord::kBarrier;
    require(meets || step < ops.size(), fmt::format("steps below {}", ops.size()), step);
    all += meets ? 2 * program.tilesPerIpu() * program.ipus() : ops[step];
  }
  require(all <= kMostReplayedOps,
          fmt::format("a run of at most {} steps of tiles", kMostReplayedOps), all);
  for (const models::StepRecord& ipu : program.run.ipus) {
    if (ipu.order != order) throw ConfigError("wanted one order of steps, found another on an IPU");
  }
}

}  // namespace

void checkRecord(const RecordedProgram& program) {
  const SystemPrograms& system = program.run.programs;
  require(!system.chips.empty(), "at least one IPU", 0);
  require(system.chips.size() == program.ipus(),
          fmt::format("records of {} IPUs", system.chips.size()), program.ipus());
  for (const ChipPrograms& chip : system.chips) checkChip(chip, program);
  translateErrors<InternalError>(
      [&] { verify(system); },
      [](const InternalError& error) {
        return ConfigError(
            fmt::format("wanted programs that IPUs can run, found {}", error.what()));
      });
  checkOrder(program);
  checkVertices(program);
}

}  // namespace ipusim::record
