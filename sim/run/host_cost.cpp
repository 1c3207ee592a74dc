// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_cost.h"

#include <algorithm>
#include <vector>

#include "workloads/graph/copy_moves.h"

namespace ipusim::run {

namespace {

/// What one unit of a count costs. The times are fitted to user and system time of 28 runs of the
/// closed form, 0.01 to 10 s, on one core of a cloud computer with other work on it. The bytes are
/// fitted to the peak memory of 34 runs of the command, 60 MB to 3.9 GB. Those of a run of moves
/// are what it takes.
///
/// tests/accuracy/host_costs.csv has 68 runs and checks, all within a factor of 3. Far too low are
/// products of variant naive (up to 70, where rows and tiles do not match), dense layers of 8,192
/// features, whose plan takes a second to find (7), and a product spread over sixteen IPUs (4).
struct UnitCost {
  double seconds = 0;
  double bytes = 0;
};

constexpr UnitCost kProgram{0.04, 60e6};
constexpr UnitCost kFamily{3.2e-6, 980};
constexpr UnitCost kMoveRun{0, sizeof(MoveRun)};
/// A vector that has grown holds up to twice its elements.
constexpr UnitCost kInterval{1.2e-6, 2 * sizeof(MappedInterval)};
/// A move of the largest copy, whose messages are ordered against each other. Fitted to all_to_all
/// on 736 and on 1,472 tiles.
constexpr UnitCost kMoveAtOnce{2e-6, 1000};
/// Fitted to a convolution of a tall image, whose copies pass 86,000,000 intervals.
constexpr UnitCost kPassedInterval{1e-7, 18};
constexpr UnitCost kTileStep{2.3e-6, 50};
/// A step of a tile that does nothing in it. Fitted to a chain of 100,000 steps on one tile each.
constexpr UnitCost kWaitingTile{1.5e-8, 10};
/// Pairs cost memory and time for the distances between tiles, and for the messages from each tile
/// to others.
constexpr UnitCost kPairOfTiles{1.5e-9, 0.73};
constexpr UnitCost kModule{2.5e-5, 800};    ///< a tile of the chip in SystemC
constexpr UnitCost kModuleStep{1.5e-7, 0};  ///< a step of such a tile

/// An element that is moved by itself, from building to scheduling. Fitted to fastfood with 2^22
/// and 2^24 elements and to pixelfly with 2^24 and 2^26, which took 20 to 45 bytes and 0.27 to 0.52
/// us for each.
constexpr UnitCost kSingleElement{3e-7, 20};
/// A piece of a view of a network, which takes this in memory. A network of 2^21 such pieces took
/// 640 bytes and 0.5 us for each.
constexpr UnitCost kViewPiece{2e-7, sizeof(Tensor::Piece)};

/// A piece of an operand or a result of a product, from building to compiling. Fitted to ONNX
/// models with batches of 2^22 and 2^24, whose pieces took 7.8 and 8.6 us and 790 and 770 B, and to
/// training and inference with 65,536 features, whose pieces took 6.1 and 4.3 us and 1.9 and 1.1
/// kB.
constexpr UnitCost kOperandPiece{8e-6, 800};

/// What one unit costs that is executed with numbers, by tiles and by the reference. Fitted to the
/// difference between `check` and `run` of configs of 0.1 to 32 s and up to 0.9 GB, on one core. An
/// operation took 0.23 ns in products of matrices and 1.7 ns in a convolution.
constexpr UnitCost kExecution{0, 100e6};
constexpr UnitCost kExecutedVertex{5e-7, 0};
constexpr UnitCost kExecutedFlop{6e-10, 0};
/// A byte of a variable in the memory of its tile.
constexpr UnitCost kExecutedByte{2e-9, 1};
/// An element that a host writes or reads, as numbers of the reference: what goes in, what comes
/// out, and what the reference works on.
constexpr UnitCost kKeptElement{3e-8, 3 * sizeof(double)};

/// At least so many moves are found for the pairs of a copy that are too large to keep theirs.
std::uint64_t movesOfLargePairs(const CopyStep& copy) {
  std::uint64_t moves = 0;
  for (const LargeCopyPair& large : copy.large) {
    moves += std::max(large.pair.from.pieces().size(), large.pair.to.pieces().size());
  }
  return moves;
}

/// The number of the interval that holds an element, counted from 1.
std::uint64_t intervalOf(const std::vector<MappedInterval>& intervals, std::uint64_t element) {
  const auto after = std::upper_bound(
      intervals.begin(), intervals.end(), element,
      [](std::uint64_t wanted, const MappedInterval& interval) { return wanted < interval.begin; });
  return static_cast<std::uint64_t>(after - intervals.begin());
}

/// The intervals from the first element of a section to its last one, and no more than it has
/// elements.
std::uint64_t passedBy(const Graph& graph, const Section& section) {
  if (section.elements() == 0) return 0;
  const auto& intervals = graph.variable(section.variable).mapping.intervals();
  const std::uint64_t last = intervalOf(intervals, section.end() - 1);
  return std::min(last - intervalOf(intervals, section.begin()) + 1, section.elements());
}

double passedBy(const Graph& graph, const CopyStep& copy) {
  double all = 0;
  for (const MoveRun& run : copy.moves) {
    const Move& move = run.first;
    const std::uint64_t ends = std::max(passedBy(graph, {move.from, fromEnd(move.walk)}),
                                        passedBy(graph, {move.to, toEnd(move.walk)}));
    all += static_cast<double>(ends) * static_cast<double>(run.count);
  }
  return all;
}

/// What the vertices of a compute set are, each once.
struct ExecutedSet {
  double vertices = 0;
  double flops = 0;
};

std::vector<ExecutedSet> executedSets(const Graph& graph) {
  std::vector<ExecutedSet> all;
  for (const ComputeSet& set : graph.computeSets()) {
    ExecutedSet& executed = all.emplace_back();
    for (const VertexFamily& family : set.families) {
      executed.vertices += family.count;
      executed.flops += family.count * static_cast<double>(family.type->work.flops.value());
    }
  }
  return all;
}

/// Adds what the steps of a program execute.
class ExecutionCounter {
 public:
  ExecutionCounter(const Graph& graph, const std::vector<ExecutedSet>& sets, HostWork& work,
                   double times = 1)
      : graph_(graph), sets_(sets), work_(work), times_(times) {}

  void operator()(const Sequence& sequence) const {
    for (const Program& step : sequence.steps) walk(step, *this);
  }
  void operator()(const Execute& step) const {
    const ExecutedSet& set = sets_[indexOf(step.compute_set)];
    work_.executed_vertices += times_ * set.vertices;
    work_.executed_flops += times_ * set.flops;
  }
  void operator()(const Repeat& step) const {
    const double times = times_ * static_cast<double>(step.count);
    ExecutionCounter(graph_, sets_, work_, times)(step.body);
  }
  void operator()(const Call& step) const { walk(graph_.function(step.function), *this); }
  void operator()(const If& step) const {
    (*this)(step.then);
    (*this)(step.otherwise);
  }
  void operator()(const Switch& step) const {
    for (const Switch::Case& one : step.cases) (*this)(one.body);
    (*this)(step.otherwise);
  }
  void operator()(const RepeatWhile& step) const {
    (*this)(step.condition);
    (*this)(step.body);
  }
  void operator()(const Overlap& step) const { (*this)(step.body); }
  void operator()(const Copy& /*step*/) const {}
  void operator()(const Stream& /*step*/) const {}
  void operator()(const Remote& /*step*/) const {}
  void operator()(const WriteUndef& /*step*/) const {}

 private:
  const Graph& graph_;
  const std::vector<ExecutedSet>& sets_;
  HostWork& work_;
  double times_;
};

void add(HostCost& cost, const UnitCost& unit, double count) {
  cost.seconds += unit.seconds * count;
  constexpr double kMostBytes = 1e18;
  cost.memory += Bytes(static_cast<std::uint64_t>(std::min(unit.bytes * count, kMostBytes)));
}

}  // namespace

HostWork operator+(const HostWork& a, const HostWork& b) {
  HostWork sum;
  sum.tiles = std::max(a.tiles, b.tiles);
  sum.ipus = std::max(a.ipus, b.ipus);
  sum.steps = a.steps + b.steps;
  sum.tile_steps = a.tile_steps + b.tile_steps;
  sum.families = a.families + b.families;
  sum.moves = a.moves + b.moves;
  sum.move_runs = a.move_runs + b.move_runs;
  sum.largest_copy = std::max(a.largest_copy, b.largest_copy);
  sum.passed = a.passed + b.passed;
  sum.intervals = a.intervals + b.intervals;
  sum.vertices = a.vertices + b.vertices;
  sum.executed_vertices = a.executed_vertices + b.executed_vertices;
  sum.executed_flops = a.executed_flops + b.executed_flops;
  sum.data = a.data + b.data;
  sum.kept_elements = a.kept_elements + b.kept_elements;
  sum.least = a.least + b.least;
  return sum;
}

HostWork withoutExecution(HostWork work) {
  work.executed_vertices = work.executed_flops = work.kept_elements = 0;
  work.data = Bytes(0);
  return work;
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
    }
  }
  for (const CopyStep& copy : graph.copies()) {
    work.passed += passedBy(graph, copy);
    const std::uint64_t of_large = movesOfLargePairs(copy);
    const std::uint64_t moves = movesIn(copy.moves) + of_large;
    work.moves += moves;
    work.largest_copy = std::max(work.largest_copy, moves);
    of_step(2 * moves);  // both ends of each move
    work.move_runs += copy.moves.size() + of_large;
  }
  work.tile_steps += tiles * graph.streams().size();
  for (const Variable& variable : graph.variables()) {
    work.intervals += variable.mapping.intervals().size();
    work.data += sizeOf(variable.type) * variable.elements;
    const bool is_kept = variable.lifetime == Lifetime::Always;
    work.kept_elements += is_kept ? static_cast<double>(variable.elements) : 0;
  }
  const std::vector<ExecutedSet> sets = executedSets(graph);
  walk(graph.program(), ExecutionCounter(graph, sets, work));
  return work;
}

HostCost hostCost(const HostWork& work, Engine engine) {
  const auto tiles = static_cast<double>(work.tiles);
  const double all_tile_steps = tiles * static_cast<double>(work.steps);
  const workloads::LeastSize& least = work.least;
  // A family is on one tile. A tile that sends pieces in a step receives as many in it.
  const double tile_steps = static_cast<double>(work.tile_steps) + least.families + least.moves;
  // The compiler looks at pairs of tiles on one IPU.
  const double pairs = tiles * tiles / static_cast<double>(work.ipus);
  HostCost cost;
  add(cost, kProgram, 1);
  add(cost, kFamily, static_cast<double>(work.families) + least.families);
  add(cost, kMoveRun, static_cast<double>(work.move_runs) + least.moves);
  add(cost, kInterval, static_cast<double>(work.intervals) + least.intervals);
  add(cost, kPassedInterval, work.passed + least.passed);
  add(cost, kMoveAtOnce, static_cast<double>(work.largest_copy));
  add(cost, kTileStep, tile_steps);
  add(cost, kWaitingTile, std::max(0.0, all_tile_steps - tile_steps));
  add(cost, kPairOfTiles, pairs);
  add(cost, kSingleElement, least.single_elements);
  add(cost, kViewPiece, least.view_pieces);
  add(cost, kOperandPiece, least.operand_pieces);
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
  add(cost, kExecutedVertex, work.executed_vertices);
  add(cost, kExecutedFlop, work.executed_flops);
  cost.seconds /= static_cast<double>(threads);
  add(cost, kExecutedByte, static_cast<double>(work.data.value()));
  add(cost, kKeptElement, work.kept_elements);
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
