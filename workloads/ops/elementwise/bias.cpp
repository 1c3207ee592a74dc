// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/bias.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "workloads/graph/mapping_index.h"
#include "workloads/vertices/elementwise.h"

namespace ipusim::workloads {

namespace {

/// Elements of the matrix on one tile, which use `length` elements of the bias `repeats` times.
struct Box {
  std::uint64_t length = 1;
  std::uint64_t repeats = 1;
  std::uint64_t length_stride = 1;   ///< in the matrix
  std::uint64_t repeats_stride = 1;  ///< in the matrix
};

/// Elements of the matrix on one tile, in step with those of the bias.
using MatrixPart = TilePart<PackedElements>;

/// A level that steps through the bias walks columns. Any other level repeats.
Box boxOf(const MatrixPart& part) {
  Box box;
  for (const auto& level : part.walk.levels) {
    const bool repeats = level.stride.to == PackedElements(0);
    std::uint64_t& count = repeats ? box.repeats : box.length;
    std::uint64_t& stride = repeats ? box.repeats_stride : box.length_stride;
    check(count == 1, "a part of a matrix is a box");
    count = level.count;
    stride = level.stride.from.value();
  }
  return box;
}

/// The shape of the vertex of a box: rows of consecutive elements.
BroadcastVectorShape shapeOf(const Box& box, ElementType type) {
  const bool inner = box.length_stride == 1 && box.length > 1;
  const std::uint64_t rows = inner ? box.repeats : box.length;
  const std::uint64_t columns = inner ? box.length : box.repeats;
  const std::uint64_t stride = inner ? box.repeats_stride : box.length_stride;
  const RowGaps gaps = rows == 1 || stride == columns ? RowGaps::None : RowGaps::Some;
  const models::BinaryOpKind plus{models::BinaryOp::Add, type, models::OpPlacement::InPlace};
  return {plus, inner ? VectorAxis::Inner : VectorAxis::Outer, rows, columns, gaps};
}

/// Vertices of one tile, as they come: where they repeat, they become families that take turns.
class TileTurns {
 public:
  /// Adds `family`, of one vertex, as the next vertex of an earlier one or as one more of `all`.
  void add(VertexFamily family, std::vector<VertexFamily>& all) {
    if (!families_.empty() && continues(all[families_[next_]], family)) {
      ++all[families_[next_]].count;
      next_ = (next_ + 1) % families_.size();
      repeats_ = true;
      return;
    }
    if (repeats_) {
      families_.clear();
      next_ = 0;
      repeats_ = false;
    }
    family.takes_turns = !families_.empty();
    families_.push_back(all.size());
    all.push_back(std::move(family));
  }

 private:
  /// Whether `family` is the next vertex of `before`, whose second one says how far it is to it.
  static bool continues(VertexFamily& before, const VertexFamily& family) {
    if (before.type != family.type || before.fields[1].view != family.fields[1].view) return false;
    const bool in_groups = std::any_of(family.type->fields.begin(), family.type->fields.end(),
                                       [](const Field& field) { return field.groups.size() != 1; });
    const Section& first = before.fields[0].view.front();
    const Section& next = family.fields[0].view.front();
    if (in_groups || first.variable != next.variable || first.walk.levels != next.walk.levels ||
        next.begin() <= first.begin()) {
      return false;
    }
    std::uint64_t& step = before.fields[0].step;
    if (before.count == 1) step = next.begin() - first.begin();
    return next.begin() - first.begin() == step * before.count;
  }

  std::vector<std::size_t> families_;  // that take turns
  std::size_t next_ = 0;               // of them
  bool repeats_ = false;
};

class BiasAdd {
 public:
  BiasAdd(Graph& graph, const Tensor& bias, ComputeSetId compute_set)
      : graph_(graph), bias_(bias), compute_set_(compute_set) {}

  void add(VariableId matrix, const MatrixPart& part) {
    const Box box = boxOf(part);
    const BroadcastVectorShape shape = shapeOf(box, bias_.type());
    Section data{matrix, {part.begin}};
    const VariableElements row_stride(shape.axis == VectorAxis::Inner ? box.repeats_stride
                                                                      : box.length_stride);
    data.walk.addInside({shape.rows, row_stride});
    data.walk.addInside({shape.columns, VariableElements(1)});
    const std::uint64_t first = part.walk.begin.to.value();
    const View vector = bias_.flatView(first, first + box.length);
    turns_[part.tile].add({typeOf(shape), part.tile, 1, {{View{data}}, {vector}}}, families_);
  }

  void finish() {
    for (VertexFamily& family : families_) graph_.addVertices(compute_set_, std::move(family));
  }

 private:
  std::shared_ptr<const VertexType> typeOf(const BroadcastVectorShape& shape) {
    auto& type = types_[{shape.axis, shape.rows, shape.columns, shape.gaps}];
    if (type) return type;
    if (shape.axis == VectorAxis::Inner && shape.rows == 1) {
      return type = shared(binaryOpVertex({shape.kind, Runs::one(shape.columns)}));
    }
    return type = shared(broadcastVectorVertex(shape));
  }

  using Key = std::tuple<VectorAxis, std::uint64_t, std::uint64_t, RowGaps>;
  Graph& graph_;
  const Tensor& bias_;
  ComputeSetId compute_set_;
  std::map<Key, std::shared_ptr<const VertexType>> types_;
  std::vector<VertexFamily> families_;  // in the order of their first vertices
  std::map<TileId, TileTurns> turns_;
};

/// A piece of the matrix in step with the bias: all its rows use the same elements of the bias.
Walk<Ends<VariableElements, PackedElements>> besideBias(const Tensor::Piece& piece) {
  Walk<Ends<VariableElements, PackedElements>> walk{{piece.offset, PackedElements(piece.begin[1])}};
  walk.addInside({piece.extent[0], {VariableElements(piece.stride[0]), PackedElements(0)}});
  walk.addInside({piece.extent[1], {VariableElements(piece.stride[1]), PackedElements(1)}});
  return walk;
}

}  // namespace

void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program) {
  check(rows.shape().size() == 2 && bias.shape() == Shape{rows.shape()[1]},
        "a bias for each column");
  const ComputeSetId compute_set = graph.addComputeSet(name);
  BiasAdd add(graph, bias, compute_set);
  std::map<VariableId, MappingIndex> indices;
  std::vector<MatrixPart> parts;
  for (const Tensor::Piece& piece : rows.pieces()) {
    const MappingIndex& index =
        indices.try_emplace(piece.variable, graph.variable(piece.variable)).first->second;
    cut(besideBias(piece), index, parts);
    for (const MatrixPart& part : parts) add.add(piece.variable, part);
  }
  add.finish();
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
