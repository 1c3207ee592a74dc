// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_cost.h"

#include <algorithm>

#include "workloads/graph/copy_moves.h"

namespace ipusim::run {

namespace {

/// What one unit of a count costs. The times are fitted to user and system time of 28 runs of the
/// closed form, 0.01 to 10 s, on one core of a cloud computer with other work on it. The bytes are
/// fitted to the peak memory of 34 runs of the command, 60 MB to 3.9 GB. Those of a run of moves
/// are what it takes.
///
/// The time is right within a factor of 2, except for circulant (2.8), elementwise (3.5) and
/// products of variant naive (up to 70, where rows and tiles do not match). The memory is right
/// within a factor of 1.4 in all of its runs. No product of variant naive is among them.
struct UnitCost {
  double seconds = 0;
  double bytes = 0;
};

constexpr UnitCost kProgram{0.02, 65e6};
constexpr UnitCost kFamily{3.2e-6, 980};
constexpr UnitCost kMoveRun{0, sizeof(MoveRun)};
constexpr UnitCost kInterval{1.2e-6, 27};
constexpr UnitCost kTileStep{2.3e-6, 50};
/// A step of a tile that does nothing in it. Fitted to a chain of 100,000 steps on one tile each.
constexpr UnitCost kWaitingTile{1.5e-8, 10};
/// Pairs cost memory and time for the distances between tiles, and for the messages from each tile
/// to others.
constexpr UnitCost kPairOfTiles{1.5e-9, 0.73};
constexpr UnitCost kModule{2.5e-5, 800};    ///< a tile of the chip in SystemC
constexpr UnitCost kModuleStep{1.5e-7, 0};  ///< a step of such a tile

/// An element that is moved by itself. Fitted to fastfood with 2^22 and 2^24 elements and to
/// pixelfly with 2^26, which took 20 to 29 bytes and 0.13 to 0.19 us for each.
constexpr UnitCost kSingleElement{1.25e-7, 20};
/// A piece of a view of a network, which takes this in memory. A network of 2^21 such pieces took
/// 640 bytes and 0.5 us for each.
constexpr UnitCost kViewPiece{2e-7, sizeof(Tensor::Piece)};

/// What one unit costs that is executed with numbers. Fitted to the difference between `check` and
/// `run` of seven configs, 0.1 to 1.4 s and up to 0.6 GB, on one core.
constexpr UnitCost kExecution{0, 100e6};
constexpr UnitCost kExecutedVertex{5e-7, 0};
constexpr UnitCost kExecutedFlop{3e-11, 0};
/// A byte of a variable is filled, held by its tile and by the reference, and compared.
constexpr UnitCost kExecutedByte{2e-9, 1.2};

/// At least so many moves are found for the pairs of a copy that are too large to keep theirs.
std::uint64_t movesOfLargePairs(const CopyStep& copy) {
  std::uint64_t moves = 0;
  for (const LargeCopyPair& large : copy.large) {
    moves += std::max(large.pair.from.pieces().size(), large.pair.to.pieces().size());
  }
  return moves;
}

void add(HostCost& cost, const UnitCost& unit, double count) {
  cost.seconds += unit.seconds * count;
  constexpr double kMostBytes = 1e18;
  cost.memory += Bytes(static_cast<std::uint64_t>(std::min(unit.bytes * count, kMostBytes)));
}

}  // namespace

HostWork operator+(const HostWork& a, const HostWork& b) {
  return {std::max(a.tiles, b.tiles),
          std::max(a.ipus, b.ipus),
          a.steps + b.steps,
          a.tile_steps + b.tile_steps,
          a.families + b.families,
          a.moves + b.moves,
          a.move_runs + b.move_runs,
          a.intervals + b.intervals,
          a.vertices + b.vertices,
          a.flops + b.flops,
          a.data + b.data,
          {a.least.single_elements + b.least.single_elements,
           a.least.view_pieces + b.least.view_pieces}};
}

HostWork leastWork(const workloads::LeastSize& least, std::uint32_t tiles, std::uint32_t ipus) {
  HostWork work;
  work.tiles = tiles;
  work.ipus = ipus;
  work.least = least;
  return work;
}

HostWork hostWork(const Graph& graph, std::uint32_t tiles, std::uint32_t ipus) {
  HostWork work;
  work.tiles = tiles;
  work.ipus = ipus;
  const auto of_step = [&](std::uint64_t most) {
    work.tile_steps += std::min<std::uint64_t>(tiles, most);
  };
  work.steps = graph.computeSets().size() + graph.copies().size() + graph.streams().size();
  for (const ComputeSet& set : graph.computeSets()) {
    work.families += set.families.size();
    of_step(set.families.size());
    for (const VertexFamily& family : set.families) {
      work.vertices += family.count;
      work.flops += family.type->work.flops * family.count;
    }
  }
  for (const CopyStep& copy : graph.copies()) {
    const std::uint64_t of_large = movesOfLargePairs(copy);
    const std::uint64_t moves = movesIn(copy.moves) + of_large;
    work.moves += moves;
    of_step(2 * moves);  // both ends of each move
    work.move_runs += copy.moves.size() + of_large;
  }
  work.tile_steps += tiles * graph.streams().size();
  for (const Variable& variable : graph.variables()) {
    work.intervals += variable.mapping.intervals().size();
    work.data += sizeOf(variable.type) * variable.elements;
  }
  return work;
}

HostCost hostCost(const HostWork& work, Engine engine) {
  const auto tiles = static_cast<double>(work.tiles);
  const double all_tile_steps = tiles * static_cast<double>(work.steps);
  const auto tile_steps = static_cast<double>(work.tile_steps);
  // The compiler looks at pairs of tiles on one IPU.
  const double pairs = tiles * tiles / static_cast<double>(work.ipus);
  HostCost cost;
  add(cost, kProgram, 1);
  add(cost, kFamily, static_cast<double>(work.families));
  add(cost, kMoveRun, static_cast<double>(work.move_runs));
  add(cost, kInterval, static_cast<double>(work.intervals));
  add(cost, kTileStep, tile_steps);
  add(cost, kWaitingTile, all_tile_steps - tile_steps);
  add(cost, kPairOfTiles, pairs);
  add(cost, kSingleElement, work.least.single_elements);
  add(cost, kViewPiece, work.least.view_pieces);
  if (engine == Engine::SystemC) {
    add(cost, kModule, tiles);
    add(cost, kModuleStep, all_tile_steps);
  }
  return cost;
}

HostCost hostCost(const RunWork& work, Engine engine) {
  return {hostCost(work.all, engine).seconds, hostCost(work.held, engine).memory};
}

HostCost executionCost(const HostWork& work, std::uint64_t threads) {
  HostCost cost;
  add(cost, kExecution, 1);
  add(cost, kExecutedVertex, static_cast<double>(work.vertices));
  add(cost, kExecutedFlop, static_cast<double>(work.flops.value()));
  cost.seconds /= static_cast<double>(threads);
  add(cost, kExecutedByte, static_cast<double>(work.data.value()));
  return cost;
}

HostCost executionCost(const RunWork& work, std::uint64_t threads) {
  return {executionCost(work.all, threads).seconds, executionCost(work.held, threads).memory};
}

HostCost operator+(const HostCost& a, const HostCost& b) {
  return {a.seconds + b.seconds, a.memory + b.memory};
}

bool isSurelyTooLong(const HostCost& cost, const HostLimits& limits) {
  return limits.seconds && cost.seconds > kHostCostAccuracy * *limits.seconds;
}

bool isSurelyTooLarge(const HostCost& cost, const HostLimits& limits) {
  return limits.memory && static_cast<double>(cost.memory.value()) >
                              kHostCostAccuracy * static_cast<double>(limits.memory->value());
}

}  // namespace ipusim::run
