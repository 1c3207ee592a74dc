// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/final_stage.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ipusim::workloads {

namespace {

// Source: as balancedCycles().
constexpr std::uint64_t kBalancedGrain = 8;  ///< columns
// Source: as finalStage().
constexpr std::uint64_t kLeastVectors = 4;  ///< of outputs on a tile

std::uint64_t sentCycles(const Architecture& machine, std::uint64_t elements, ElementType type) {
  return cyclesFor(sizeOf(type) * elements, machine.fabric.exchange_rate).value();
}

/// The cycles to reduce `depth` partials of `outputs` columns, one load after the other.
std::uint64_t loadCycles(const Architecture& machine, const FinalSizes& sizes,
                         std::uint64_t outputs) {
  return checkedProduct(sizes.depth,
                        ceilDiv(outputs, std::uint64_t{machine.vectorWidth(sizes.partials)}));
}

std::map<TileId, std::uint64_t> outputsByTile(const std::vector<TileInterval>& outputs) {
  std::map<TileId, std::uint64_t> counts;
  for (const TileInterval& interval : outputs) {
    counts[interval.tile] += interval.end - interval.begin;
  }
  return counts;
}

std::uint64_t mostOutputs(const std::vector<TileInterval>& outputs) {
  std::uint64_t most = 0;
  for (const auto& [tile, count] : outputsByTile(outputs)) most = std::max(most, count);
  return most;
}

/// The linear layout of results. Its grain is that of the type in which vertices add up.
std::vector<TileInterval> linearOutputs(const Architecture& machine, const ReduceProblem& problem,
                                        std::uint64_t columns, std::uint32_t first_tile) {
  const std::uint64_t grain = machine.vectorWidth(problem.in_vertex);
  return spreadLinearly(machine, {columns, grain, kLeastVectors * grain, first_tile});
}

/// True when each tile that has outputs has a single half: its stores would share their words.
bool areLoneHalves(const std::vector<TileInterval>& outputs, ElementType type) {
  if (sizeOf(type) != Bytes(2)) return false;
  const auto counts = outputsByTile(outputs);
  return std::all_of(counts.begin(), counts.end(), [](const auto& of) { return of.second == 1; });
}

/// Where columns are that each lie on one tile.
std::vector<TileInterval> placesOf(const PartialColumns& columns) {
  std::vector<TileInterval> places;
  for (const PartialColumns::Region& region : columns.regions()) {
    places.push_back({columns.tilesOf(region).front(), region.begin, region.end});
  }
  return places;
}

}  // namespace

Cycles atOutputCycles(const Architecture& machine, const FinalSizes& sizes, Cycles sync) {
  return Cycles(sentCycles(machine, sizes.most_outputs, sizes.partials) +
                loadCycles(machine, sizes, sizes.most_outputs)) +
         sync;
}

Cycles balancedCycles(const Architecture& machine, const FinalSizes& sizes, Cycles sync) {
  const std::uint64_t each = kBalancedGrain * ceilDiv(ceilDiv(sizes.columns, kBalancedGrain),
                                                      std::uint64_t{machine.tiles});
  return Cycles(sentCycles(machine, checkedProduct(each, sizes.depth), sizes.partials) +
                loadCycles(machine, sizes, each) +
                sentCycles(machine, sizes.most_outputs, sizes.output)) +
         2 * sync;
}

FinalStage finalStage(const Architecture& machine, const ReduceProblem& problem,
                      const ReduceStage& stage, PartialColumns sources) {
  FinalStage final;
  final.stage = stage;
  const std::uint64_t columns = sources.columns();
  if (!problem.output_given) {
    final.reduced = linearOutputs(machine, problem, columns, 0);
  } else {
    const FinalSizes sizes{columns, mostOutputs(*problem.output_given),
                           sources.regions().back().depth, stage.partials, stage.output};
    final.at_output_cycles = atOutputCycles(machine, sizes, problem.sync);
    final.balanced_cycles = balancedCycles(machine, sizes, problem.sync);
    const bool is_there = final.at_output_cycles < final.balanced_cycles;
    final.place = is_there ? FinalPlace::AtOutput : FinalPlace::Balanced;
    final.reduced = is_there ? *problem.output_given
                             : linearOutputs(machine, problem, columns, problem.first_tile);
    if (!is_there) final.result = *problem.output_given;
  }
  final.sources = std::move(sources);
  return final;
}

FinalStage onTileFinalStage(const Architecture& machine, const ReduceProblem& problem,
                            PartialColumns sources) {
  FinalStage final;
  final.stage = {problem.op, problem.input, problem.output, problem.into, problem.in_vertex};
  final.place = FinalPlace::AtColumns;
  final.reduced = placesOf(sources);
  if (problem.output_given) {
    final.result = *problem.output_given;
  } else if (areLoneHalves(final.reduced, problem.output)) {
    final.result = linearOutputs(machine, problem, sources.columns(), 0);
  }
  final.sources = std::move(sources);
  return final;
}

}  // namespace ipusim::workloads
