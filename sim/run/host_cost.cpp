// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_cost.h"

#include <fmt/format.h>

#include <algorithm>

namespace ipusim::run {

namespace {

/// What one unit of a count costs. Fitted to user time and peak memory of runs; see
/// docs/concepts/engines.md for the runs and the errors.
struct UnitCost {
  double seconds = 0;
  double bytes = 0;
};

constexpr UnitCost kProgram{0.03, 25e6};
constexpr UnitCost kFamily{1e-6, 600};
constexpr UnitCost kSection{1e-6, 600};
constexpr UnitCost kMove{1e-6, 600};
constexpr UnitCost kInterval{1e-7, 60};
constexpr UnitCost kTileStep{1e-8, 60};
constexpr UnitCost kModule{1e-5, 6000};   ///< a tile of the chip, in SystemC
constexpr UnitCost kModuleStep{1e-7, 0};  ///< a step of such a tile

void addSections(const VertexFamily& family, HostWork& work) {
  ++work.families;
  work.vertices += family.count;
  for (const Connection& field : family.fields) work.sections += field.view.size();
}

std::uint64_t movesOf(const CopyStep& copy) {
  std::uint64_t moves = copy.moves.size();
  for (const LargeCopyPair& large : copy.large) {
    moves += std::max(large.pair.from.pieces().size(), large.pair.to.pieces().size());
  }
  return moves;
}

void add(HostCost& cost, const UnitCost& unit, double count) {
  cost.seconds += unit.seconds * count;
  cost.memory += Bytes(static_cast<std::uint64_t>(unit.bytes * count));
}

double megabytes(Bytes bytes) {
  constexpr double kMega = 1e6;
  return static_cast<double>(bytes.value()) / kMega;
}

}  // namespace

HostWork operator+(const HostWork& a, const HostWork& b) {
  return {a.tiles + b.tiles,       a.steps + b.steps, a.families + b.families,
          a.sections + b.sections, a.moves + b.moves, a.intervals + b.intervals,
          a.vertices + b.vertices};
}

HostWork hostWork(const Graph& graph, std::uint32_t tiles) {
  HostWork work;
  work.tiles = tiles;
  work.steps = graph.computeSets().size() + graph.copies().size() + graph.streams().size();
  for (const ComputeSet& set : graph.computeSets()) {
    for (const VertexFamily& family : set.families) addSections(family, work);
  }
  for (const CopyStep& copy : graph.copies()) work.moves += movesOf(copy);
  for (const Variable& variable : graph.variables()) {
    work.intervals += variable.mapping.intervals().size();
  }
  return work;
}

HostCost hostCost(const HostWork& work, Engine engine) {
  const auto tiles = static_cast<double>(work.tiles);
  const double tile_steps = tiles * static_cast<double>(work.steps);
  HostCost cost;
  add(cost, kProgram, 1);
  add(cost, kFamily, static_cast<double>(work.families));
  add(cost, kSection, static_cast<double>(work.sections));
  add(cost, kMove, static_cast<double>(work.moves));
  add(cost, kInterval, static_cast<double>(work.intervals));
  add(cost, kTileStep, tile_steps);
  if (engine == Engine::SystemC) {
    add(cost, kModule, tiles);
    add(cost, kModuleStep, tile_steps);
  }
  return cost;
}

bool isSurelyTooLong(const HostCost& cost, const HostLimits& limits) {
  return limits.seconds && cost.seconds > kHostCostAccuracy * *limits.seconds;
}

bool isSurelyTooLarge(const HostCost& cost, const HostLimits& limits) {
  return limits.memory && static_cast<double>(cost.memory.value()) >
                              kHostCostAccuracy * static_cast<double>(limits.memory->value());
}

std::optional<std::string> describeExcess(const HostCost& cost, const HostLimits& limits) {
  if (isSurelyTooLong(cost, limits)) {
    return fmt::format("about {:.3g} s, more than {:.3g} s", cost.seconds, *limits.seconds);
  }
  if (isSurelyTooLarge(cost, limits)) {
    return fmt::format("about {:.3g} MB, more than {:.3g} MB", megabytes(cost.memory),
                       megabytes(*limits.memory));
  }
  return std::nullopt;
}

}  // namespace ipusim::run
