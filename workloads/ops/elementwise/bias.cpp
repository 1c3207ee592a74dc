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

/// The shape of the vertex of a box: rows of consecutive elements. A column whose elements are
/// apart is made of rows of one element.
BroadcastVectorShape shapeOf(const Box& box, const models::BinaryOpKind& kind) {
  const bool inner = box.length_stride == 1 && (box.length > 1 || box.repeats_stride > 1);
  const std::uint64_t rows = inner ? box.repeats : box.length;
  const std::uint64_t columns = inner ? box.length : box.repeats;
  const std::uint64_t stride = inner ? box.repeats_stride : box.length_stride;
  const RowGaps gaps = rows == 1 || stride == columns ? RowGaps::None : RowGaps::Some;
  return {kind, inner ? VectorAxis::Inner : VectorAxis::Outer, rows, columns, gaps};
}

/// One vertex: what it walks of the matrix, and the range of the bias that it adds or multiplies.
struct BesideBias {
  std::shared_ptr<const VertexType> type;
  TileId tile;
  Section matrix;
  std::uint64_t first;   ///< in the bias
  std::uint64_t length;  ///< in the bias
};

/// Vertices of one tile, as they come: where they repeat, they become families that take turns.
class TileTurns {
 public:
  /// Adds a vertex as the next vertex of an earlier one or as one more of `all`.
  void add(const BesideBias& vertex, const Tensor& bias, std::vector<VertexFamily>& all) {
    if (!families_.empty() && joins(vertex, all)) {
      next_ = (next_ + 1) % families_.size();
      repeats_ = true;
      return;
    }
    if (repeats_) {
      families_.clear();
      next_ = 0;
      repeats_ = false;
    }
    const View vector = bias.flatView(vertex.first, vertex.first + vertex.length);
    VertexFamily family{vertex.type, vertex.tile, 1, {{View{vertex.matrix}}, {vector}}};
    family.takes_turns = !families_.empty();
    families_.push_back({all.size(), vertex.first, vertex.length});
    all.push_back(std::move(family));
  }

 private:
  /// A family, and the range of the bias that its vertices add.
  struct Turn {
    std::size_t family;
    std::uint64_t first;
    std::uint64_t length;
  };

  /// Adds the vertex to the family whose turn it is, where it continues that family. The family's
  /// second vertex says how far it is from one to the next.
  bool joins(const BesideBias& vertex, std::vector<VertexFamily>& all) {
    const Turn& turn = families_[next_];
    VertexFamily& family = all[turn.family];
    if (family.type != vertex.type || turn.first != vertex.first || turn.length != vertex.length) {
      return false;
    }
    const bool in_groups = std::any_of(family.type->fields.begin(), family.type->fields.end(),
                                       [](const Field& field) { return field.groups.size() != 1; });
    const Section& first = family.fields[0].view.front();
    if (in_groups || first.variable != vertex.matrix.variable ||
        first.walk.levels != vertex.matrix.walk.levels || vertex.matrix.begin() <= first.begin()) {
      return false;
    }
    std::uint64_t& step = family.fields[0].step;
    if (family.count == 1) step = vertex.matrix.begin() - first.begin();
    if (vertex.matrix.begin() - first.begin() != step * family.count) return false;
    ++family.count;
    return true;
  }

  std::vector<Turn> families_;  // that take turns
  std::size_t next_ = 0;        // of them
  bool repeats_ = false;
};

class BiasVertices {
 public:
  BiasVertices(Graph& graph, models::BinaryOp op, const Tensor& bias, ComputeSetId compute_set)
      : graph_(graph),
        kind_{op, bias.type(), models::OpPlacement::InPlace},
        bias_(bias),
        compute_set_(compute_set) {}

  void add(VariableId matrix, const MatrixPart& part) {
    const Box box = boxOf(part);
    const BroadcastVectorShape shape = shapeOf(box, kind_);
    Section data{matrix, {part.begin}};
    const VariableElements row_stride(shape.axis == VectorAxis::Inner ? box.repeats_stride
                                                                      : box.length_stride);
    data.walk.addInside({shape.rows, row_stride});
    data.walk.addInside({shape.columns, VariableElements(1)});
    const std::size_t tile = part.tile.tile();
    if (tile >= turns_.size()) turns_.resize(tile + 1);
    turns_[tile].add(
        {typeOf(shape), part.tile, std::move(data), part.walk.begin.to.value(), box.length}, bias_,
        families_);
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
  models::BinaryOpKind kind_;
  const Tensor& bias_;
  ComputeSetId compute_set_;
  std::map<Key, std::shared_ptr<const VertexType>> types_;
  std::vector<VertexFamily> families_;  // in the order of their first vertices
  std::vector<TileTurns> turns_;        // one entry per tile
};

/// A piece of the matrix in step with the bias: all its rows use the same elements of the bias.
Walk<Ends<VariableElements, PackedElements>> besideBias(const Tensor::Piece& piece) {
  Walk<Ends<VariableElements, PackedElements>> walk{{piece.offset, PackedElements(piece.begin[1])}};
  walk.addInside({piece.extent[0], {VariableElements(piece.stride[0]), PackedElements(0)}});
  walk.addInside({piece.extent[1], {VariableElements(piece.stride[1]), PackedElements(1)}});
  return walk;
}

/// Where a variable is mapped.
struct MappedVariable {
  explicit MappedVariable(const Variable& variable) : index(variable), intervals(index) {}

  MappingIndex index;
  IntervalCursor intervals;
};

/// A matrix, and a vector with an element for each column.
struct BesideRows {
  models::BinaryOp op;
  const Tensor& rows;
  const Tensor& bias;
};

void broadcast(Graph& graph, const BesideRows& operands, const std::string& name,
               Program& program) {
  const Tensor& rows = operands.rows;
  check(rows.shape().size() == 2 && operands.bias.shape() == Shape{rows.shape()[1]},
        "a bias for each column");
  const ComputeSetId compute_set = graph.addComputeSet(name);
  BiasVertices vertices(graph, operands.op, operands.bias, compute_set);
  std::map<VariableId, MappedVariable> variables;
  std::vector<MatrixPart> parts;
  for (const Tensor::Piece& piece : rows.pieces()) {
    MappedVariable& variable =
        variables.try_emplace(piece.variable, graph.variable(piece.variable)).first->second;
    cut(besideBias(piece), variable.intervals, parts);
    for (const MatrixPart& part : parts) vertices.add(piece.variable, part);
  }
  vertices.finish();
  program.add(execute(compute_set));
}

}  // namespace

void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program) {
  broadcast(graph, {models::BinaryOp::Add, rows, bias}, name, program);
}

void multiplyByRow(Graph& graph, const Tensor& rows, const Tensor& factors, const std::string& name,
                   Program& program) {
  broadcast(graph, {models::BinaryOp::Multiply, rows, factors}, name, program);
}

}  // namespace ipusim::workloads
