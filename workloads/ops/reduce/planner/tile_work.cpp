// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/tile_work.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/numbers/grain_parts.h"
#include "workloads/ops/reduce/planner/intermediate_stage.h"
#include "workloads/ops/reduce/planner/row_split.h"
#include "workloads/ops/reduce/planner/vertex_choice.h"

namespace ipusim::workloads {

namespace {

using models::ReduceOp;

// Source: as in the header.
constexpr std::uint64_t kUncutColumns = 3;   ///< so many columns are not cut for the workers
constexpr std::uint64_t kNarrowColumns = 3;  ///< up to so many are read several rows at a time
constexpr std::uint64_t kWideHalves = 4;     ///< columns as which two columns of halves are read
constexpr std::uint64_t kRowsKept = 4;       ///< more than so many rows are left to each worker

/// A single column whose elements all follow each other has them as its inner elements.
ColumnPattern normalised(const ColumnPattern& pattern) {
  const bool is_run = pattern.outer == 1 || pattern.stride == pattern.inner;
  if (pattern.columns != 1 || !is_run) return pattern;
  return {1, pattern.rows(), 1, pattern.rows()};
}

/// Rows that are next to each other.
ColumnPattern rowsOf(std::uint64_t columns, std::uint64_t rows) {
  return normalised({columns, 1, rows, columns});
}

class TileSharing {
 public:
  TileSharing(const TileCore& core, const TileReduction& reduction)
      : core_(core),
        reduction_(reduction),
        loads_(core.workers_per_tile),
        first_(core.workers_per_tile),
        second_(core.workers_per_tile) {
    for (const ColumnPattern& pattern : reduction.patterns) {
      work_.first.patterns.push_back(normalised(pattern));
    }
  }

  TileWork share() {
    for (std::size_t p = 0; p < work_.first.patterns.size(); ++p) sharePattern(p);
    shareRest();
    const models::ReduceKind kind = reduction_.stage.kind();
    work_.first.workers = verticesOf({core_, work_.first.patterns, reduction_.from}, kind, first_);
    work_.second.workers =
        verticesOf({core_, work_.second.patterns, PartialsIn::Place}, secondKind(kind), second_);
    return std::move(work_);
  }

 private:
  using Parts = std::vector<std::vector<PatternPart>>;  // by worker

  void sharePattern(std::size_t p) {
    const ColumnPattern& pattern = work_.first.patterns[p];
    if (pattern.columns > 1 && pattern.inner > 1) {
      if (pattern.outer == 1) {
        dealColumns(first_, {p, 0, pattern.columns, 0, pattern.inner}, loads_);
      } else {
        reduceOuterFirst(p);
      }
    } else if (const std::uint64_t rows = rowsReadAsOne(pattern); rows > 1) {
      widen(p, rows);
    } else {
      cutColumns(p);
    }
  }

  /// Deals the columns of a part in blocks, as many as there are workers.
  void dealColumns(Parts& parts, const PatternPart& all, std::vector<std::uint64_t>& loads) const {
    const GrainParts blocks = splitInGrains(all.columns(), {1, parts.size()});
    for (std::uint64_t block = 0; block < blocks.parts; ++block) {
      PatternPart part = all;
      part.begin = all.begin + blocks.beginOf(block);
      part.end = all.begin + blocks.beginOf(block + 1);
      loads[block] += costOf({1, part.rows()}) * part.columns();
      parts[block].push_back(part);
    }
  }

  /// Reads the elements of all columns as columns, and leaves one row of them to the second step.
  void reduceOuterFirst(std::size_t p) {
    ColumnPattern& pattern = work_.first.patterns[p];
    const std::size_t left =
        addBetween({pattern.columns, pattern.inner, 1, pattern.columns * pattern.inner}, {p, 0});
    dealColumns(second_, {left, 0, pattern.columns, 0, pattern.inner}, second_loads_);
    pattern = {pattern.columns * pattern.inner, 1, pattern.outer, pattern.stride};
    const std::uint64_t vector = core_.vectorWidth(reduction_.stage.partials);
    const std::uint64_t parts =
        pattern.columns % vector == 0 ? std::max<std::uint64_t>(1, freeWorkers(loads_).size()) : 1;
    const GrainParts cut = splitInGrains(pattern.columns, {vector, parts});
    for (std::uint64_t part = 0; part < cut.parts; ++part) {
      const std::uint64_t begin = cut.beginOf(part);
      addFirst({p, begin, cut.beginOf(part + 1), 0, pattern.outer, IntermediatePlace{left, begin}});
    }
  }

  /// How many rows of a narrow pattern are read as one, or 1.
  [[nodiscard]] std::uint64_t rowsReadAsOne(const ColumnPattern& pattern) const {
    const std::uint64_t vector = core_.vectorWidth(reduction_.stage.partials);
    const bool is_narrow = pattern.columns > 1 && pattern.columns <= kNarrowColumns &&
                           pattern.columns % vector != 0 && pattern.stride == pattern.columns;
    if (!is_narrow) return 1;
    const std::uint64_t rows =
        pattern.columns == 2 && vector == kWideHalves ? kWideHalves / 2 : vector;
    return pattern.outer % rows == 0 && pattern.outer > rows ? rows : 1;
  }

  void widen(std::size_t p, std::uint64_t rows_as_one) {
    ColumnPattern& pattern = work_.first.patterns[p];
    const std::uint64_t columns = pattern.columns;
    const std::uint64_t wide = columns * rows_as_one;
    pattern = {wide, 1, pattern.outer / rows_as_one, wide};
    const std::uint64_t most = std::max<std::uint64_t>(1, (pattern.outer - 1) / kRowsKept);
    const std::uint64_t workers = std::max<std::uint64_t>(1, freeWorkers(loads_).size());
    const std::uint64_t rows = rowsPerPiece(pattern.outer, std::min(most, workers));
    const std::uint64_t pieces = ceilDiv(pattern.outer, rows);
    const std::size_t left = addBetween(rowsOf(columns, pieces * rows_as_one), {p, 0});
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
      const std::uint64_t last = std::min(pattern.outer, (piece + 1) * rows);
      addFirst({p, 0, wide, piece * rows, last, IntermediatePlace{left, piece * wide}});
    }
    addSecond({left, 0, columns, 0, pieces * rows_as_one});
  }

  void cutColumns(std::size_t p) {
    const ColumnPattern& pattern = work_.first.patterns[p];
    const bool is_whole = pattern.inner != 1 || pattern.columns == kUncutColumns;
    const std::uint64_t grain =
        is_whole ? pattern.columns
                 : reductionGrain(core_, reduction_.stage.op, reduction_.stage.partials);
    const std::uint64_t workers = reduction_.quota == 0 ? core_.workers_per_tile : reduction_.quota;
    const GrainParts cut = splitInGrains(pattern.columns, {grain, workers});
    for (std::uint64_t part = 0; part < cut.parts; ++part) {
      rest_.push_back({p, cut.beginOf(part), cut.beginOf(part + 1), 0, pattern.rows()});
    }
  }

  /// Shares out what cutColumns() left.
  void shareRest() {
    std::vector<std::uint64_t> pieces(rest_.size(), 1);
    const std::uint64_t free = freeWorkers(loads_).size();
    if (rest_.size() < free) {
      std::vector<RowsToSplit> sizes;
      for (const PatternPart& part : rest_) sizes.push_back({part.columns(), part.rows()});
      pieces = splitRows(core_, reduction_.stage.kind(), sizes, free);
    }
    std::vector<PatternPart> parts;
    std::vector<std::uint64_t> costs;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      for (const PatternPart& part : piecesOf(rest_[i], pieces[i])) {
        parts.push_back(part);
        costs.push_back(costOf({part.columns(), part.rows()}));
      }
    }
    const std::vector<std::size_t> worker_of = shareAmongWorkers(costs, loads_);
    for (std::size_t i = 0; i < parts.size(); ++i) first_[worker_of[i]].push_back(parts[i]);
  }

  /// What rows are split by: the repeats of a pattern that has several.
  [[nodiscard]] std::uint64_t unitsOf(const PatternPart& part) const {
    const ColumnPattern& pattern = work_.first.patterns[part.pattern];
    return pattern.outer > 1 ? pattern.outer : pattern.inner;
  }

  std::vector<PatternPart> piecesOf(const PatternPart& part, std::uint64_t pieces) {
    const std::uint64_t units = unitsOf(part);
    const std::uint64_t each = rowsPerPiece(units, pieces);
    const std::uint64_t count = ceilDiv(units, each);
    if (count == 1) return {part};
    const std::size_t left = addBetween(rowsOf(part.columns(), count), {part.pattern, part.begin});
    addSecond({left, 0, part.columns(), 0, count});
    const std::uint64_t rows_of_unit = part.rows() / units;
    std::vector<PatternPart> split;
    for (std::uint64_t piece = 0; piece < count; ++piece) {
      PatternPart own = part;
      own.first = piece * each * rows_of_unit;
      own.last = std::min(units, (piece + 1) * each) * rows_of_unit;
      own.between = IntermediatePlace{left, piece * part.columns()};
      split.push_back(own);
    }
    return split;
  }

  std::size_t addBetween(const ColumnPattern& pattern, const IntermediatePattern& outputs) {
    work_.second.patterns.push_back(pattern);
    work_.between.push_back(outputs);
    return work_.between.size() - 1;
  }

  /// Gives a part of the first step to the worker that has least.
  void addFirst(const PatternPart& part) { addToLeast(first_, loads_, part); }
  void addSecond(const PatternPart& part) { addToLeast(second_, second_loads_, part); }
  void addToLeast(Parts& parts, std::vector<std::uint64_t>& loads, const PatternPart& part) const {
    const auto least = std::min_element(loads.begin(), loads.end());
    parts[static_cast<std::size_t>(least - loads.begin())].push_back(part);
    *least += costOf({part.columns(), part.rows()});
  }

  [[nodiscard]] std::uint64_t costOf(const RowsToSplit& size) const {
    return pieceCycles(core_, reduction_.stage.kind(), size, 1);
  }

  /// What the second step does with what the first one left.
  [[nodiscard]] models::ReduceKind secondKind(models::ReduceKind kind) const {
    kind.partials = reduction_.stage.in_vertex;
    if (kind.op == ReduceOp::SquareAdd) kind.op = ReduceOp::Add;
    return kind;
  }

  [[nodiscard]] std::vector<std::vector<ReduceVertexPlan>> verticesOf(
      const VertexInputs& inputs, const models::ReduceKind& to_outputs, const Parts& parts) const {
    models::ReduceKind to_between = to_outputs;
    to_between.output = reduction_.stage.in_vertex;
    to_between.into = models::ReduceInto::Fresh;
    const auto goes_out = [](const PatternPart& part) { return !part.between.has_value(); };
    std::vector<std::vector<ReduceVertexPlan>> workers;
    for (std::vector<PatternPart> own : parts) {
      if (own.empty()) continue;
      const auto between = std::stable_partition(own.begin(), own.end(), goes_out);
      std::vector<ReduceVertexPlan> vertices =
          verticesFor(inputs, to_outputs, {own.begin(), between});
      const auto more = verticesFor(inputs, to_between, {between, own.end()});
      vertices.insert(vertices.end(), more.begin(), more.end());
      workers.push_back(std::move(vertices));
    }
    return workers;
  }

  const TileCore& core_;
  const TileReduction& reduction_;
  TileWork work_;
  std::vector<PatternPart> rest_;
  std::vector<std::uint64_t> loads_;  ///< of the first step, by worker
  Parts first_;
  Parts second_;
  std::vector<std::uint64_t> second_loads_ = loads_;
};

}  // namespace

TileWork planTileWork(const TileCore& core, const TileReduction& reduction) {
  return TileSharing(core, reduction).share();
}

Cycles tileStepCycles(const Architecture& machine, const TileStep& step) {
  if (step.workers.empty()) return Cycles(0);
  Cycles slowest(0);
  for (const auto& vertices : step.workers) {
    Cycles slots(0);
    for (const ReduceVertexPlan& vertex : vertices) {
      slots += reduceVertexCycles(machine, step.patterns, vertex);
      slots += machine.overheads.vertex_launch;
    }
    slowest = std::max(slowest, slots);
  }
  return slowest * machine.workers_per_tile + machine.overheads.compute_set_entry;
}

Cycles tileWorkCycles(const Architecture& machine, const TileWork& work) {
  return tileStepCycles(machine, work.first) + tileStepCycles(machine, work.second);
}

}  // namespace ipusim::workloads
