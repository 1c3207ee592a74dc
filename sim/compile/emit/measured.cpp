// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/emit/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text/message.h"

namespace ipusim::compiler {

namespace {

/// Sets the measured times of one entry of an execution record after the other.
class MeasuredTimes {
 public:
  MeasuredTimes(std::uint32_t tiles, Lowered& lowered) : tiles_(tiles), lowered_(lowered) {
    for (std::size_t s = 0; s < lowered.steps.size(); ++s) {
      const auto [known, is_new] = by_name_.try_emplace(lowered.steps[s].name, s);
      if (!is_new) known->second = kTwice;
    }
  }

  void set(const MeasuredStep& measured) {
    Step& step = lowered_.steps[numberOf(measured)];
    if (step.isMeasured()) throw wrong("step", "a step once", quoted(step) + " twice");
    if (step.kind == StepKind::HostCopy) {
      step.host.measured = cyclesOfTransfer(measured, step);
    } else {
      step.measured = cyclesOfTiles(measured, step);
    }
    ++entry_;
  }

 private:
  static constexpr std::size_t kTwice = ~std::size_t{0};

  [[nodiscard]] std::size_t numberOf(const MeasuredStep& measured) const {
    const std::size_t steps = lowered_.steps.size();
    if (const auto* id = std::get_if<StepId>(&measured.step)) {
      if (indexOf(*id) < steps) return indexOf(*id);
      throw wrong("step", fmt::format("a step below {}", steps), std::to_string(indexOf(*id)));
    }
    const auto& name = std::get<std::string>(measured.step);
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) {
      throw wrong("step", "a step of the compiled program" + hint(name), inQuotes(name));
    }
    if (found->second == kTwice) {
      throw wrong("step", "the number of a step whose name is there twice", inQuotes(name));
    }
    return found->second;
  }

  [[nodiscard]] std::string hint(const std::string& name) const {
    constexpr std::size_t kMostCompared = 1000;
    std::vector<std::string> names;
    for (std::size_t s = 0; s < std::min(lowered_.steps.size(), kMostCompared); ++s) {
      if (lowered_.steps[s].kind != StepKind::Sync) names.push_back(lowered_.steps[s].name);
    }
    return didYouMean(name, names);
  }

  [[nodiscard]] Cycles cyclesOfTransfer(const MeasuredStep& measured, const Step& step) const {
    if (const auto* cycles = std::get_if<Cycles>(&measured.cycles)) return *cycles;
    throw wrong("cycles", "one number for " + quoted(step) + ", in which all tiles take part",
                "a table");
  }

  /// The cycles of each tile that takes part in the step. In an exchange these may be tiles that
  /// only lend a port.
  [[nodiscard]] CyclesByTile cyclesOfTiles(const MeasuredStep& measured, const Step& step) const {
    CyclesByTile cycles = tilesOf(step);
    if (const auto* all = std::get_if<Cycles>(&measured.cycles)) {
      for (auto& [tile, of_tile] : cycles) of_tile = *all;
      return cycles;
    }
    const auto& table = std::get<CyclesByTile>(measured.cycles);
    for (const auto& [tile, of_tile] : table) {
      const bool may_lend = step.kind == StepKind::Exchange && tile < TileId(tiles_);
      if (cycles.count(tile) == 0 && !may_lend) {
        throw wrong("cycles", "tiles that take part in " + quoted(step), tileText(tile));
      }
      cycles[tile] = of_tile;
    }
    for (const auto& [tile, unset] : cycles) {
      if (table.count(tile) > 0) continue;
      throw wrong("cycles", "all tiles that take part in " + quoted(step),
                  "none for " + tileText(tile));
    }
    return cycles;
  }

  /// The tiles that take part in the step, with no cycles.
  [[nodiscard]] CyclesByTile tilesOf(const Step& step) const {
    if (step.kind == StepKind::Sync) {
      throw wrong("step", "a step that does work", quoted(step) + ", which waits for tiles");
    }
    if (step.kind == StepKind::RemoteBegin || step.kind == StepKind::RemoteEnd) {
      throw wrong("step", "a step inside an IPU", quoted(step) + ", a remote copy");
    }
    if (step.kind == StepKind::GlobalExchange) {
      throw wrong("step", "a step inside an IPU", quoted(step) + ", which goes between IPUs");
    }
    CyclesByTile tiles;
    for (const BoundFamily& family : step.families) tiles[family.tile] = Cycles(0);
    step.messages.forEach([&](const Message& message) {
      tiles[tileOf(message.from)] = Cycles(0);
      step.messages.forEachDestination(message, [&](const Destination& destination) {
        tiles[tileOf(destination.block)] = Cycles(0);
      });
    });
    return tiles;
  }

  [[nodiscard]] TileId tileOf(BlockId block) const { return lowered_.blocks[indexOf(block)].tile; }

  static std::string quoted(const Step& step) { return inQuotes(step.name); }
  static std::string tileText(TileId tile) { return fmt::format("tile {}", tile.tile()); }

  [[nodiscard]] RecordError wrong(const char* key, const std::string& wanted,
                                  const std::string& found) const {
    return RecordError(
        fmt::format("record.cycles[{}].{}: wanted {}, found {}", entry_, key, wanted, found));
  }

  std::uint32_t tiles_;  ///< of the machine
  Lowered& lowered_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::size_t entry_ = 0;  ///< the number of the entry that is being set
};

}  // namespace

void setMeasured(const std::vector<MeasuredStep>& measured, std::uint32_t tiles, Lowered& lowered) {
  if (measured.empty()) return;
  MeasuredTimes times(tiles, lowered);
  for (const MeasuredStep& step : measured) times.set(step);
}

}  // namespace ipusim::compiler
