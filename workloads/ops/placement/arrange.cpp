// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/arrange.h"

#include <algorithm>

#include "ipusim/error.h"
#include "workloads/ops/placement/shares.h"

namespace ipusim::workloads {

namespace {

VariableId variableBehind(const Tensor& tensor) {
  const VariableId variable = tensor.pieces().front().variable;
  for (const Tensor::Piece& piece : tensor.pieces()) {
    check(piece.variable == variable, "a tensor in one variable");
  }
  return variable;
}

bool mappedAlike(const Variable& a, const Variable& b) {
  const auto& left = a.mapping.intervals();
  const auto& right = b.mapping.intervals();
  return a.elements == b.elements &&
         std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const MappedInterval& x, const MappedInterval& y) {
                      return x.begin == y.begin && x.end == y.end && x.tile == y.tile;
                    });
}

bool samePlaces(const Tensor::Piece& a, const Tensor::Piece& b) {
  return a.begin == b.begin && a.extent == b.extent && a.stride == b.stride && a.offset == b.offset;
}

}  // namespace

Tensor storageOf(const Graph& graph, const Tensor& tensor) {
  const VariableId variable = variableBehind(tensor);
  return {variable, tensor.type(), {graph.variable(variable).elements}};
}

bool viewsOneVariable(const Graph& graph, const Tensor& tensor) {
  const std::vector<Tensor::Piece>& pieces = tensor.pieces();
  const VariableId variable = pieces.front().variable;
  const bool is_one = std::all_of(pieces.begin(), pieces.end(), [&](const Tensor::Piece& piece) {
    const auto repeats = [&piece](std::size_t d) {
      return piece.stride[d] == 0 && piece.extent[d] > 1;
    };
    for (std::size_t d = 0; d < piece.extent.size(); ++d) {
      if (repeats(d)) return false;
    }
    return piece.variable == variable;
  });
  if (!is_one) return false;
  const std::uint64_t stored = storageOf(graph, tensor).elements();
  return tensor.elements() <= stored && stored <= 2 * tensor.elements();
}

bool lieAlike(const Graph& graph, const Tensor& a, const Tensor& b) {
  const auto& pieces = a.pieces();
  const auto& others = b.pieces();
  return a.shape() == b.shape() &&
         std::equal(pieces.begin(), pieces.end(), others.begin(), others.end(), samePlaces) &&
         mappedAlike(graph.variable(variableBehind(a)), graph.variable(variableBehind(b)));
}

Tensor addAlike(Graph& graph, const Tensor& like, ElementType type, const std::string& name,
                Lifetime lifetime) {
  const Tensor storage = storageOf(graph, like);
  const Tensor added = graph.addVariable(type, storage.shape(), name, lifetime);
  graph.setShape(added, graph.variable(variableBehind(like)).shape);
  mapAlike(graph, storage, added);
  return placedAs(like, added);
}

Tensor placedAs(const Tensor& like, const Tensor& storage) {
  Tensor placed = like.inVariable(storage.pieces().front().variable);
  if (like.type() == storage.type()) return placed;
  // A joined tensor has the type of its first part.
  Shape none = like.shape();
  none.front() = 0;
  const Tensor of_type = storage.reshape({storage.elements()}).slice(0, 0, 0).reshape(none);
  return concat({of_type, placed}, 0);
}

Tensor arrangedAs(Graph& graph, const Tensor& like, const Tensor& tensor, const std::string& name,
                  Program& program) {
  if (lieAlike(graph, like, tensor)) return tensor;
  Tensor copy = addAlike(graph, like, tensor.type(), name);
  program.add(graph.copy(tensor, copy, name));
  return copy;
}

bool isConsecutive(const Tensor& tensor) {
  const View view = tensor.view();
  return view.size() == 1 && view.front().isRun();
}

Tensor consecutive(Graph& graph, const Architecture& machine, const Tensor& tensor,
                   const std::string& name, Program& program) {
  if (tensor.pieces().size() == 1 && isConsecutive(tensor)) return tensor;
  Tensor copy = graph.addVariable(tensor.type(), tensor.shape(), name);
  graph.mapLinearly(copy, machine, kLinearGrain);
  program.add(graph.copy(tensor, copy, name));
  return copy;
}

}  // namespace ipusim::workloads
