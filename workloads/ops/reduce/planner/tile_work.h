// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "workloads/ops/reduce/planner/plan.h"

// How a tile shares its part of a stage among its workers, and which vertices they run.
// Source: graphcore/poplibs lib/popops/reduction/{ReductionConnection,ReductionIntrospection}.cpp,
// commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// Columns that look alike in a tile's memory: each has `inner` elements next to each other, and
/// the columns follow each other. All of that is there `outer` times.
struct ColumnPattern {
  std::uint64_t columns;
  std::uint64_t inner = 1;
  std::uint64_t outer = 1;
  std::uint64_t stride = 0;  ///< elements from one repeat to the next, or kAnyStride

  [[nodiscard]] std::uint64_t rows() const { return inner * outer; }
};

/// The stride of repeats that lie at any distances.
constexpr std::uint64_t kAnyStride = 0;

/// Where the partials of a tile's work lie.
enum class PartialsIn : std::uint8_t {
  Place,     ///< where the tensor has them
  Exchange,  ///< the tile receives them, and lays them out as its vertices want them
};

/// What a tile reduces in a stage.
struct TileReduction {
  ReduceStage stage;
  PartialsIn from;
  std::vector<ColumnPattern> patterns;  ///< each column of each of them becomes one output
  /// The workers for whom columns are cut, or zero for all. See workerQuota().
  std::uint64_t quota = 0;
};

/// Elements of the values between two steps on a tile.
struct IntermediatePlace {
  std::size_t pattern;   ///< of the second step
  std::uint64_t offset;  ///< of the first output, in the elements of the pattern
};

/// Rows [first, last) of columns [begin, end) of a pattern, which are reduced to one row. The rows
/// of a column are numbered as they lie in memory.
struct PatternPart {
  std::size_t pattern;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t first;
  std::uint64_t last;
  std::optional<IntermediatePlace> between = std::nullopt;  ///< none: to the outputs of the tile

  [[nodiscard]] std::uint64_t columns() const { return end - begin; }
  [[nodiscard]] std::uint64_t rows() const { return last - first; }
};

enum class ReduceVertexForm : std::uint8_t {
  SingleInput,    ///< one output of one run of partials
  Continuous,     ///< runs of equally many partials, one output each
  Strided,        ///< rows that are `stride` apart
  SingleOutputs,  ///< a list of single outputs, each of one or more runs of partials
  Regions,        ///< a list of output regions, each of one or more runs of partials
};

/// A vertex, on one worker.
struct ReduceVertexPlan {
  ReduceVertexForm form;
  models::ReduceKind kind;
  std::vector<PatternPart> parts;  ///< a single one, unless the form is a list
  std::uint64_t stride = 0;        ///< of Strided
};

/// One compute set on a tile.
struct TileStep {
  std::vector<ColumnPattern> patterns;                 ///< what vertices read
  std::vector<std::vector<ReduceVertexPlan>> workers;  ///< vertices of each worker that has any
};

/// Where the columns of a pattern of the second step end: at the outputs of columns [first_column,
/// first_column + columns) of a pattern of the tile.
struct IntermediatePattern {
  std::size_t pattern;
  std::uint64_t first_column;
};

/// What a tile does in a stage: one step, or two.
struct TileWork {
  /// The patterns are those of the tile. Some are read as if they had more and shorter columns.
  TileStep first;
  TileStep second;                           ///< its patterns are what the first step leaves
  std::vector<IntermediatePattern> between;  ///< of each pattern of the second step
};

/// Shares the work of a tile as popops does.
///
/// Columns of a pattern are cut for the workers in grains, unless they have an inner factor or
/// there are three of them. For each pattern, the first of these that fits:
///
///  1. several columns, inner > 1, outer = 1: the columns are dealt in blocks to the workers.
///  2. several columns, inner > 1, outer > 1: two steps. The first reduces the outer repeats, each
///     column in as many as it has inner elements, and the second those.
///  3. two or three columns that do not fill the data path: two steps. The first reads several rows
///     as one; its rows are split over free workers.
///
/// If the other reductions are fewer than the workers that are left, the rows of the slowest are
/// split, see splitRows(), and a second step reduces the pieces. Reductions of about equal cost go
/// to the workers in consecutive blocks, and others, from the cheapest on, to the worker that has
/// least.
///
/// Not modelled: columns that look alike but are apart are patterns of their own, partials of the
/// tile itself are never gathered for a better vertex, and no rows repeat in two levels.
TileWork planTileWork(const TileCore& core, const TileReduction& reduction);

/// Cycles of a step on its tile, by the published estimates of its vertices and by the overheads of
/// the core. Zero for a step without vertices.
Cycles tileStepCycles(const Architecture& machine, const TileStep& step);
Cycles tileWorkCycles(const Architecture& machine, const TileWork& work);

}  // namespace ipusim::workloads
