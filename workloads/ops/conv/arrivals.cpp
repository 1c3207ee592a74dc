// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/arrivals.h"

#include <limits>

#include "ipusim/error.h"
#include "workloads/ops/fill/zero.h"

namespace ipusim::workloads {

namespace {

constexpr VariableId kZero{std::numeric_limits<std::uint32_t>::max()};
constexpr VariableId kAnyData{std::numeric_limits<std::uint32_t>::max() - 1};
constexpr VariableId kAnything{std::numeric_limits<std::uint32_t>::max() - 2};

bool isZero(const Tensor::Piece& piece) {
  return piece.variable == kZero;
}

/// The only piece of a tensor that is filled. Slices of the tensor would cost much more than
/// places in the piece.
const Tensor::Piece& onlyPiece(const Tensor& to) {
  check(to.pieces().size() == 1, "a tensor to fill has one piece");
  return to.pieces().front();
}

/// The place in `to` of the first element of a piece of another tensor of its shape.
VariableElements placeOf(const Tensor::Piece& from, const Tensor::Piece& to) {
  VariableElements place = to.offset;
  for (std::size_t d = 0; d < from.begin.size(); ++d) {
    place += VariableElements(from.begin[d] * to.stride[d]);
  }
  return place;
}

Move moveOf(const Tensor::Piece& from, const Tensor::Piece& to) {
  Move move{from.variable, to.variable, {{from.offset, placeOf(from, to)}}};
  for (std::size_t d = 0; d < from.extent.size(); ++d) {
    if (from.extent[d] == 1) continue;
    move.walk.levels.push_back(
        {from.extent[d], {VariableElements(from.stride[d]), VariableElements(to.stride[d])}});
  }
  return move;
}

/// Where a piece of another tensor of the shape of `to` belongs.
Tensor boxOf(const Tensor::Piece& from, const Tensor& to) {
  const Tensor::Piece& target = onlyPiece(to);
  Section section{target.variable, {placeOf(from, target)}};
  for (std::size_t d = 0; d < from.extent.size(); ++d) {
    section.walk.addInside({from.extent[d], VariableElements(target.stride[d])});
  }
  return Tensor(section, to.type());
}

}  // namespace

Tensor anythingFor(ElementType type) {
  return Tensor(kAnything, type, {1});
}

Tensor zeroFor(ElementType type) {
  return Tensor(kZero, type, {1});
}

Tensor anyData(ElementType type, const Shape& shape) {
  return Tensor(kAnyData, type, shape);
}

bool Arrivals::isPadding(const Tensor::Piece& piece) {
  return isZero(piece) || piece.variable == kAnything;
}

void Arrivals::add(const Tensor& from, const Tensor& to) {
  for (const Tensor::Piece& piece : from.pieces()) {
    if (isZero(piece)) {
      zeros_.push_back(boxOf(piece, to));
    } else if (!isPadding(piece)) {
      appendMove(moves_, moveOf(piece, onlyPiece(to)));
    }
  }
}

void Arrivals::addTransposed(const Tensor& from, TransposedShare share) {
  const TileMatrices& own = share.matrices;
  add(from, share.arrived.reshape({own.count, own.rows, own.columns}).dimShuffle({0, 2, 1}));
  transposed_.push_back(std::move(share));
}

void Arrivals::addZeros(const Tensor& from, const Tensor& to) {
  for (const Tensor::Piece& piece : from.pieces()) {
    if (isZero(piece)) zeros_.push_back(boxOf(piece, to));
  }
}

void Arrivals::addSteps(Graph& graph, const Architecture& machine, const std::string& name,
                        Program& program) {
  if (!moves_.empty()) program.add(graph.copy(std::move(moves_), name));
  if (!zeros_.empty()) addZero(graph, machine, zeros_, name + "/Padding", program);
  if (transposed_.empty()) return;
  const ComputeSetId compute_set = graph.addComputeSet(name + "/Transpose");
  TileTransposes transposes(graph, machine, compute_set);
  for (const TransposedShare& share : transposed_) {
    transposes.add(share.matrices, share.arrived, share.to);
  }
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
