// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/arrivals.h"

#include "workloads/ops/fill/zero.h"

namespace ipusim::workloads {

namespace {

/// A slice of the tensor that has the piece would look at all of its pieces.
Tensor tensorOf(const Tensor::Piece& piece, ElementType type) {
  Section section{piece.variable, {piece.offset}};
  for (std::size_t d = 0; d < piece.extent.size(); ++d) {
    section.walk.addInside({piece.extent[d], VariableElements(piece.stride[d])});
  }
  return Tensor(section, type).reshape(Shape(piece.extent.begin(), piece.extent.end()));
}

/// Where `piece` of another tensor of this shape belongs.
Tensor boxOf(const Tensor& tensor, const Tensor::Piece& piece) {
  Tensor box = tensor;
  for (std::size_t d = 0; d < piece.extent.size(); ++d) {
    box = box.slice(piece.begin[d], piece.begin[d] + piece.extent[d], d);
  }
  return box;
}

}  // namespace

bool Arrivals::isZero(const Tensor::Piece& piece) const {
  return piece.variable == zero_.pieces().front().variable;
}

void Arrivals::add(const Tensor& from, const Tensor& to) {
  for (const Tensor::Piece& piece : from.pieces()) {
    const Tensor target = boxOf(to, piece);
    if (isZero(piece)) {
      zeros_.push_back(target);
    } else {
      pairs_.push_back({tensorOf(piece, from.type()), target});
    }
  }
}

void Arrivals::addTurned(const Tensor& from, TurnedShare share) {
  const TileMatrices& own = share.matrices;
  add(from, share.arrived.reshape({own.count, own.rows, own.columns}).dimShuffle({0, 2, 1}));
  turned_.push_back(std::move(share));
}

void Arrivals::addZeros(const Tensor& from, const Tensor& to) {
  for (const Tensor::Piece& piece : from.pieces()) {
    if (isZero(piece)) zeros_.push_back(boxOf(to, piece));
  }
}

void Arrivals::addSteps(Graph& graph, const Architecture& machine, const std::string& name,
                        Program& program) const {
  if (!pairs_.empty()) program.add(graph.copy(pairs_, name));
  if (!zeros_.empty()) addZero(graph, machine, zeros_, name + "/Padding", program);
  if (turned_.empty()) return;
  const ComputeSetId compute_set = graph.addComputeSet(name + "/Transpose");
  TileTransposes transposes(graph, machine, compute_set);
  for (const TurnedShare& share : turned_) {
    transposes.add(share.matrices, share.arrived, share.to);
  }
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
