// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/bias.h"

#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "workloads/graph/mapping_index.h"
#include "workloads/vertices/elementwise.h"

namespace ipusim::workloads {

using models::ElementType;

namespace {

/// Elements of the matrix on one tile: `repeats` times `length` elements of the bias.
struct Box {
  std::uint64_t length = 1;
  std::uint64_t repeats = 1;
  std::uint64_t length_stride = 1;   ///< in the matrix
  std::uint64_t repeats_stride = 1;  ///< in the matrix
};

/// A dimension of a move that steps through the bias is one of columns, any other repeats.
Box boxOf(const Move& move) {
  Box box;
  for (const MoveDim& dim : move.dims) {
    std::uint64_t& count = dim.to_stride == 0 ? box.repeats : box.length;
    std::uint64_t& stride = dim.to_stride == 0 ? box.repeats_stride : box.length_stride;
    check(count == 1, "a part of a matrix is a box");
    count = dim.count;
    stride = dim.from_stride;
  }
  return box;
}

/// How the elements of a box lie: as rows of consecutive ones.
BroadcastVectorShape shapeOf(const Box& box, ElementType type) {
  const bool inner = box.length_stride == 1 && box.length > 1;
  const std::uint64_t rows = inner ? box.repeats : box.length;
  const std::uint64_t columns = inner ? box.length : box.repeats;
  const std::uint64_t stride = inner ? box.repeats_stride : box.length_stride;
  const RowGaps gaps = rows == 1 || stride == columns ? RowGaps::None : RowGaps::Some;
  const models::BinaryOpKind plus{models::BinaryOp::Add, type, models::OpPlacement::InPlace};
  return {plus, inner ? VectorAxis::Inner : VectorAxis::Outer, rows, columns, gaps};
}

class BiasAdd {
 public:
  BiasAdd(Graph& graph, const Tensor& bias, ComputeSetId compute_set)
      : graph_(graph), bias_(bias), compute_set_(compute_set) {}

  void add(const CutMove& part) {
    const Box box = boxOf(part.move);
    const BroadcastVectorShape shape = shapeOf(box, bias_.type());
    Section data{part.move.from, part.global_offset, {}};
    const std::uint64_t row_stride =
        shape.axis == VectorAxis::Inner ? box.repeats_stride : box.length_stride;
    data.dims = {{shape.rows, row_stride}, {shape.columns, 1}};
    normalize(data.dims);
    const View vector = bias_.flatView(part.move.to_offset, part.move.to_offset + box.length);
    graph_.addVertices(compute_set_, {typeOf(shape), part.tile, 1, {{View{data}}, {vector}}});
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
};

/// A piece of the matrix beside the bias: its rows stay at one place of it.
Move moveOf(const Tensor::Piece& piece) {
  Move move{piece.variable, piece.offset, VariableId{}, piece.begin[1], {}};
  if (piece.extent[0] > 1) move.dims.push_back({piece.extent[0], piece.stride[0], 0});
  if (piece.extent[1] > 1) move.dims.push_back({piece.extent[1], piece.stride[1], 1});
  return move;
}

}  // namespace

void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program) {
  check(rows.shape().size() == 2 && bias.shape() == Shape{rows.shape()[1]},
        "a bias for each column");
  const ComputeSetId compute_set = graph.addComputeSet(name);
  BiasAdd add(graph, bias, compute_set);
  std::map<VariableId, MappingIndex> indices;
  for (const Tensor::Piece& piece : rows.pieces()) {
    const MappingIndex& index =
        indices.try_emplace(piece.variable, graph.variable(piece.variable)).first->second;
    std::vector<CutMove> parts;
    cutBySide(moveOf(piece), Side::From, index, parts);
    for (const CutMove& part : parts) add.add(part);
  }
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
