// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/sum_rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/ops/reduce/partials.h"
#include "workloads/ops/reduce/reduction_stages.h"
#include "workloads/ops/reduce/tile_columns.h"
#include "workloads/vertices/reductions/reductions.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

/// Partials [first, last) of columns [begin, end).
struct Box {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t first;
  std::uint64_t last;
};

/// Where the outputs of a vertex go: to the elements from `offset` on of a tensor of one dimension.
struct SumTarget {
  const Tensor& tensor;
  std::uint64_t offset;
};

/// The `width` columns from `column` on, of all the rows that a tile has of some columns.
View narrowed(const TileColumns& own, std::uint64_t column, std::uint64_t width) {
  View narrow;
  for (Section section : own.view) {
    section.walk.begin += VariableElements(column);
    if (own.end - own.begin > 1) section.walk.levels.back().count = width;
    section.walk.normalize();
    narrow.push_back(std::move(section));
  }
  return narrow;
}

class RowSum {
 public:
  RowSum(Graph& graph, const Architecture& machine, const HeldColumns& columns, std::string name,
         Program& program)
      : graph_(graph),
        machine_(machine),
        op_(columns.op),
        type_(columns.type),
        partials_type_(columns.type),
        name_(std::move(name)),
        program_(program) {}

  /// Sums columns that each lie on one tile.
  void onTile(const std::vector<TileColumns>& all, const Tensor& result) {
    for (const TileColumns& own : all) {
      graph_.setTileMapping(result.slice(own.begin, own.end, 0), own.tile);
    }
    const ComputeSetId compute_set = graph_.addComputeSet(name_ + "/Reduce");
    for (const TileColumns& own : all) addOnTile(compute_set, own, {result, own.begin});
    program_.add(execute(compute_set));
  }

  /// Makes one partial per column of a tile. When vertices make some partials of halves, they make
  /// all, so that all partials have one type.
  Partials toPartials(const std::vector<TileColumns>& all) {
    const auto is_sum = [this](const TileColumns& own) { return own.rows == 1 && own.op == op_; };
    const bool adds = !std::all_of(all.begin(), all.end(), is_sum);
    const auto is_kept = [&](const TileColumns& own) {
      return is_sum(own) && (!adds || type_ == ElementType::Float);
    };
    std::uint64_t elements = 0;
    for (const TileColumns& own : all) elements += is_kept(own) ? 0 : own.end - own.begin;
    const Tensor sums = adds ? addPartials(elements, "/ReduceOnTile") : Tensor();
    std::vector<PartialRun> runs;
    std::vector<std::pair<const TileColumns*, std::uint64_t>> reduced;
    std::uint64_t offset = 0;
    for (const TileColumns& own : all) {
      if (is_kept(own)) {
        runs.push_back({own.begin, own.end, own.view[0].variable, own.view[0].begin()});
        continue;
      }
      const std::uint64_t next = offset + own.end - own.begin;
      graph_.setTileMapping(sums.slice(offset, next, 0), own.tile);
      runs.push_back({own.begin, own.end, variableOf(sums), offset});
      reduced.emplace_back(&own, offset);
      offset = next;
    }
    if (!adds) return Partials(runs);
    const ComputeSetId compute_set =
        graph_.addComputeSet(name_ + "/ReduceOnTile/InToIntermediateNoExchange/Reduce");
    for (const auto& [own, at] : reduced) addOnTile(compute_set, *own, {sums, at});
    program_.add(execute(compute_set));
    partials_type_ = ElementType::Float;
    return Partials(runs);
  }

  /// Leaves at most `groups` partials of each column, on all tiles.
  Partials toGroups(const Partials& partials, std::uint64_t groups) {
    const auto is_kept = [&](const Partials::Band& band) {
      return band.partials <= groups && partials_type_ == ElementType::Float;
    };
    const std::vector<Partials::Band> bands = partials.bands();
    std::uint64_t elements = 0;
    for (const Partials::Band& band : bands) {
      if (!is_kept(band)) elements += std::min(groups, band.partials) * (band.end - band.begin);
    }
    const std::string stage = "/ReduceStage" + std::to_string(++stage_);
    const Tensor sums = addPartials(elements, stage);
    graph_.mapLinearly(sums, machine_, machine_.data_path);
    const ComputeSetId compute_set =
        graph_.addComputeSet(name_ + stage + "/IntermediateToIntermediate/Reduce");
    std::vector<PartialRun> runs;
    std::uint64_t offset = 0;
    for (const Partials::Band& band : bands) {
      if (is_kept(band)) {
        const std::vector<PartialRun> kept = partials.runs(band.begin, band.end);
        runs.insert(runs.end(), kept.begin(), kept.end());
        continue;
      }
      const std::uint64_t used = std::min(groups, band.partials);
      for (std::uint64_t g = 0; g < used; ++g) {
        const Box box{band.begin, band.end, g * band.partials / used,
                      (g + 1) * band.partials / used};
        addGroup(compute_set, partials, box, {sums, offset});
        runs.push_back({band.begin, band.end, variableOf(sums), offset});
        offset += band.end - band.begin;
      }
    }
    program_.add(execute(compute_set));
    partials_type_ = ElementType::Float;
    return Partials(runs);
  }

  void toResult(const Partials& partials, LastStage last, const Tensor& result) {
    const ComputeSetId compute_set =
        graph_.addComputeSet(name_ + "/ReduceFinalStage/IntermediateToOutput/Reduce");
    const std::uint64_t each = ceilDiv(result.elements(), std::uint64_t{machine_.tiles});
    std::uint64_t part = 0;
    for (const auto& [tile, share] : sharesByTile(graph_, result)) {
      for (const Section& section : share) {
        const std::uint64_t width = last == LastStage::AtResult ? section.elements() : each;
        for (std::uint64_t begin = section.begin(); begin < section.end(); begin += width) {
          const TileId spread(static_cast<std::uint32_t>(part++ % machine_.tiles));
          addLast(compute_set, last == LastStage::AtResult ? tile : spread, partials,
                  {begin, std::min(begin + width, section.end()), 0, 0}, result);
        }
      }
    }
    program_.add(execute(compute_set));
  }

 private:
  static VariableId variableOf(const Tensor& tensor) { return tensor.pieces().front().variable; }

  Tensor addPartials(std::uint64_t elements, const std::string& stage) {
    return graph_.addVariable(ElementType::Float, {elements}, name_ + stage + "/partials");
  }

  /// The widths of the parts in which the workers of a tile share columns. Parts are whole vectors.
  [[nodiscard]] std::vector<std::uint64_t> workerWidths(std::uint64_t columns) const {
    std::vector<std::uint64_t> widths;
    const std::uint64_t grain = machine_.vectorWidth(partials_type_);
    for (const auto& part : splitRuns({columns}, machine_.workers_per_tile, grain)) {
      widths.push_back(part.front());
    }
    return widths;
  }

  /// `shape` without its type of partials.
  std::shared_ptr<const VertexType> typeOf(RowReduction shape) {
    shape.kind.partials = partials_type_;
    return types_.get({shape.kind.op, partials_type_, shape.kind.output, shape.partials,
                       shape.outputs, shape.stride},
                      [&] { return reduceRowsVertex(shape); });
  }

  void addOnTile(ComputeSetId compute_set, const TileColumns& own, const SumTarget& target) {
    std::uint64_t column = 0;
    for (const std::uint64_t width : workerWidths(own.end - own.begin)) {
      const std::uint64_t stride = own.rows == 1 ? width : own.stride;
      const std::uint64_t offset = target.offset + column;
      graph_.addVertex(
          compute_set,
          {typeOf({{own.op, {}, target.tensor.type()}, own.rows, width, stride}),
           own.tile,
           1,
           {{target.tensor.flatView(offset, offset + width)}, {narrowed(own, column, width)}}});
      column += width;
    }
  }

  /// Reduces a group of partials to one, wherever its place in `target` is.
  void addGroup(ComputeSetId compute_set, const Partials& partials, const Box& box,
                const SumTarget& target) {
    const std::uint64_t columns = box.end - box.begin;
    const Tensor row = target.tensor.slice(target.offset, target.offset + columns, 0);
    for (const auto& [tile, share] : sharesByTile(graph_, row)) {
      for (const Section& section : share) {
        const std::uint64_t begin = box.begin + section.begin() - target.offset;
        addBox(compute_set, tile, partials,
               {begin, begin + section.elements(), box.first, box.last},
               {target.tensor, section.begin()});
      }
    }
  }

  /// Reduces all partials of some columns, which may have different numbers of them.
  void addLast(ComputeSetId compute_set, TileId tile, const Partials& partials, const Box& columns,
               const Tensor& result) {
    for (const Partials::Band& band : partials.bands(columns.begin, columns.end)) {
      addBox(compute_set, tile, partials, {band.begin, band.end, 0, band.partials},
             {result, band.begin});
    }
  }

  void addBox(ComputeSetId compute_set, TileId tile, const Partials& partials, const Box& box,
              const SumTarget& target) {
    std::uint64_t begin = box.begin;
    std::uint64_t offset = target.offset;
    for (const std::uint64_t width : workerWidths(box.end - box.begin)) {
      graph_.addVertex(
          compute_set,
          {typeOf({{op_, {}, target.tensor.type()}, box.last - box.first, width, width}),
           tile,
           1,
           {{target.tensor.flatView(offset, offset + width)},
            {partials.rows(begin, begin + width, box.first, box.last)}}});
      begin += width;
      offset += width;
    }
  }

  using TypeKey = std::tuple<models::ReduceOp, ElementType, ElementType, std::uint64_t,
                             std::uint64_t, std::uint64_t>;
  Graph& graph_;
  const Architecture& machine_;
  models::ReduceOp op_;
  ElementType type_;
  ElementType partials_type_;
  std::string name_;
  Program& program_;
  std::uint64_t stage_ = 0;
  TypeCache<TypeKey> types_;
};

std::uint64_t widestShare(const Graph& graph, const Tensor& tensor) {
  std::uint64_t widest = 0;
  for (const auto& [tile, share] : sharesByTile(graph, tensor)) {
    widest = std::max(widest, elementsOf(share));
  }
  return widest;
}

Tensor sumHeld(Graph& graph, const Architecture& machine, const HeldColumns& columns,
               ElementType result_type, const OpResult& sums, Program& program) {
  Tensor result =
      graph.addVariable(result_type, {columns.columns}, sums.name + "/Out", sums.lifetime);
  RowSum sum(graph, machine, columns, sums.name, program);
  std::uint64_t held = 0;
  for (const TileColumns& own : columns.held) held += own.end - own.begin;
  if (held == columns.columns) {
    sum.onTile(columns.held, result);
    return result;
  }
  graph.mapLinearly(result, machine, kLinearGrain);
  Partials partials = sum.toPartials(columns.held);
  const ReductionStages stages =
      planReduction(machine, {columns.columns, partials.mostPartials(), ElementType::Float,
                              widestShare(graph, result), columns.op});
  for (const std::uint64_t groups : stages.groups) partials = sum.toGroups(partials, groups);
  sum.toResult(partials, stages.last, result);
  return result;
}

}  // namespace

Tensor reduceRows(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                  const OpResult& results, Program& program) {
  const Tensor& matrix = operand.matrix;
  check(matrix.shape().size() == 2, "a matrix of rows");
  HeldColumns columns{columnsByTile(graph, matrix), matrix.shape()[1], matrix.type(), operand.op};
  for (TileColumns& own : columns.held) own.op = operand.op;
  return sumHeld(graph, machine, columns, matrix.type(), results, program);
}

Tensor sumRows(Graph& graph, const Architecture& machine, const Tensor& matrix,
               const OpResult& sums, Program& program) {
  return reduceRows(graph, machine, {models::ReduceOp::Add, matrix}, sums, program);
}

Tensor sumHeldRows(Graph& graph, const Architecture& machine, const HeldColumns& columns,
                   const OpResult& sums, Program& program) {
  return sumHeld(graph, machine, columns, ElementType::Float, sums, program);
}

}  // namespace ipusim::workloads
