// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/bias.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "workloads/ops/placement/column_boxes.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

namespace {

/// The shape of the vertex of a box: rows of consecutive elements. A column whose elements are
/// apart is made of rows of one element.
BroadcastVectorShape shapeOf(const ColumnBox& box, const models::BinaryOpKind& kind) {
  const bool inner = box.column_stride == 1 && (box.columns > 1 || box.row_stride > 1);
  const std::uint64_t rows = inner ? box.rows : box.columns;
  const std::uint64_t columns = inner ? box.columns : box.rows;
  const std::uint64_t stride = inner ? box.row_stride : box.column_stride;
  const RowGaps gaps = rows == 1 || stride == columns ? RowGaps::None : RowGaps::Some;
  return {kind, inner ? VectorAxis::Inner : VectorAxis::Outer, rows, columns, gaps};
}

/// One vertex: what it walks of the matrix, and the range of the bias that it adds or multiplies.
struct BiasVertex {
  std::shared_ptr<const VertexType> type;
  TileId tile;
  Section matrix;
  VariableId out;        ///< lies like the variable of `matrix`, or is that variable
  std::uint64_t first;   ///< in the bias
  std::uint64_t length;  ///< in the bias
};

/// The number of the field of the result, which a vertex in place does not have.
constexpr std::size_t kOut = 2;

/// Vertices of one tile, as they come: where they repeat, they become families that take turns.
class RoundRobinFamilies {
 public:
  /// Adds a vertex as the next vertex of an earlier one or as one more of `all`.
  void add(const BiasVertex& vertex, const Tensor& bias, std::vector<VertexFamily>& all) {
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
    if (vertex.type->fields.size() > kOut) {
      Section out = vertex.matrix;
      out.variable = vertex.out;
      family.fields.push_back({View{std::move(out)}});
    }
    family.round_robin = !families_.empty();
    families_.push_back({all.size(), vertex.first, vertex.length});
    all.push_back(std::move(family));
  }

 private:
  /// A family, and the range of the bias that its vertices add.
  struct Member {
    std::size_t family;
    std::uint64_t first;
    std::uint64_t length;
  };

  /// Adds the vertex to the family whose turn it is, where it continues that family. The family's
  /// second vertex says how far it is from one to the next.
  bool joins(const BiasVertex& vertex, std::vector<VertexFamily>& all) {
    const Member& member = families_[next_];
    VertexFamily& family = all[member.family];
    if (family.type != vertex.type || member.first != vertex.first ||
        member.length != vertex.length) {
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
    if (family.fields.size() > kOut) family.fields[kOut].step = step;
    ++family.count;
    return true;
  }

  std::vector<Member> families_;  // that take turns
  std::size_t next_ = 0;          // of them
  bool repeats_ = false;
};

class BiasVertices {
 public:
  BiasVertices(Graph& graph, const VectorBroadcast& operands, ComputeSetId compute_set)
      : graph_(graph),
        kind_{operands.op, operands.vector.type(), placementOf(operands)},
        bias_(operands.vector),
        out_(operands.out.pieces().front().variable),
        compute_set_(compute_set) {}

  void add(const ColumnBox& box) {
    const bool has_runs = box.columns == 1 || box.column_stride == 1 || box.row_stride == 1;
    if (has_runs) return addRuns(box);
    for (std::uint64_t c = 0; c < box.columns; ++c) {
      ColumnBox column = box;
      column.begin += c * box.column_stride;
      column.column += c;
      column.columns = 1;
      column.column_stride = 1;
      addRuns(column);
    }
  }

  void finish() {
    for (VertexFamily& family : families_) graph_.addVertices(compute_set_, std::move(family));
  }

 private:
  /// Adds a vertex for a box whose rows or columns are consecutive elements, or that has one
  /// column.
  void addRuns(const ColumnBox& box) {
    const BroadcastVectorShape shape = shapeOf(box, kind_);
    Section data{box.variable, {VariableElements(box.begin)}};
    const VariableElements row_stride(shape.axis == VectorAxis::Inner ? box.row_stride
                                                                      : box.column_stride);
    data.walk.addInside({shape.rows, row_stride});
    data.walk.addInside({shape.columns, VariableElements(1)});
    const std::size_t tile = box.tile.tile();
    if (tile >= turns_.size()) turns_.resize(tile + 1);
    turns_[tile].add({typeOf(shape), box.tile, std::move(data), out_, box.column, box.columns},
                     bias_, families_);
  }

  static models::OpPlacement placementOf(const VectorBroadcast& operands) {
    const bool in_place =
        operands.data.pieces().front().variable == operands.out.pieces().front().variable;
    return in_place ? models::OpPlacement::InPlace : models::OpPlacement::OutOfPlace;
  }

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
  VariableId out_;
  ComputeSetId compute_set_;
  std::map<Key, std::shared_ptr<const VertexType>> types_;
  std::vector<VertexFamily> families_;     // in the order of their first vertices
  std::vector<RoundRobinFamilies> turns_;  // one entry per tile
};

}  // namespace

void addVectorBroadcast(Graph& graph, const VectorBroadcast& operands, const std::string& name,
                        Program& program) {
  const Tensor& data = operands.data;
  check(operands.vector.shape() == Shape{data.shape().back()}, "a vector beside each row");
  const ComputeSetId compute_set = graph.addComputeSet(name);
  BiasVertices vertices(graph, operands, compute_set);
  for (const ColumnBox& box : columnBoxesOf(graph, data)) vertices.add(box);
  vertices.finish();
  program.add(execute(compute_set));
}

void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program) {
  addVectorBroadcast(graph, {models::BinaryOp::Add, rows, bias, rows}, name, program);
}

void multiplyByRow(Graph& graph, const Tensor& rows, const Tensor& factors, const std::string& name,
                   Program& program) {
  addVectorBroadcast(graph, {models::BinaryOp::Multiply, rows, factors, rows}, name, program);
}

}  // namespace ipusim::workloads
