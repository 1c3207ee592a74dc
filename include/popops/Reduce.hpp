// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "popops/Operation.hpp"
#include "popops/detail/operands.hpp"

namespace popops {

struct ReduceParams {
  ReduceParams(Operation operation = Operation::ADD) : op(operation) {}
  Operation op;
};

namespace detail {

/// The name of a reduction that this project has vertices for.
inline std::string reductionName(Operation op) {
  switch (op) {
    case Operation::ADD:
      return "add";
    case Operation::SQUARE_ADD:
      return "square_add";
    case Operation::MAX:
      return "maximum";
    case Operation::MIN:
      return "minimum";
    default:
      throw poputil::poplibs_error("reduce: wanted ADD, SQUARE_ADD, MAX or MIN, found another");
  }
}

/// Reduces the rows of a tensor of two dimensions.
inline void reduceRows(poplar::Graph& graph, const std::string& op, const poplar::Tensor& rows,
                       const poplar::Tensor& out, poplar::program::Sequence& program,
                       const poplar::DebugContext& name) {
  const poplar::ComputeSet compute_set = graph.addComputeSet(name);
  poplar::detail::addReduction(graph.data(), compute_set.getId(),
                               poplar::detail::textOf(poplar::StringRef(op)), rows.data(),
                               rows.dim(1), out.data());
  program.add(poplar::program::Execute(compute_set));
}

/// (kept, reduced): the dimensions that stay, and those in `dims`, one after the other.
inline poplar::Tensor keptAndReduced(const poplar::Tensor& in,
                                     const std::vector<std::size_t>& dims) {
  std::vector<unsigned> order;
  std::vector<unsigned> last;
  std::size_t kept = 1;
  for (unsigned d = 0; d < in.rank(); ++d) {
    const bool is_reduced = std::find(dims.begin(), dims.end(), d) != dims.end();
    (is_reduced ? last : order).push_back(d);
    if (!is_reduced) kept *= in.dim(d);
  }
  order.insert(order.end(), last.begin(), last.end());
  return in.dimShuffle(order).reshape({kept, kept == 0 ? 0 : in.numElements() / kept});
}

}  // namespace detail

/// Reduces dimensions `dims` of `in` to `out`: first in parts where the elements lie, then the
/// parts.
inline void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in,
                             const poplar::Tensor& out, const std::vector<std::size_t>& dims,
                             ReduceParams params, poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "reduce") {
  const std::string op = detail::reductionName(params.op);
  const poplar::Tensor rows = detail::keptAndReduced(in, dims);
  const poplar::Tensor outputs = out.flatten();
  const std::size_t kept = rows.dim(0);
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const std::size_t least = 32;  // elements of a part that are worth a vertex
  const std::size_t parts = std::max<std::size_t>(
      1, std::min(tiles / std::max<std::size_t>(kept, 1), rows.dim(1) / least));
  if (parts < 2) {
    detail::reduceRows(graph, op, rows, outputs, program, name);
    return;
  }
  const poplar::Tensor partials = graph.addVariable(out.elementType(), {kept, parts}, name);
  const poplar::ComputeSet first = graph.addComputeSet({name, "parts"});
  for (std::size_t row = 0; row < kept; ++row) {
    for (std::size_t part = 0; part < parts; ++part) {
      const poplar::Tensor piece =
          rows[row].slice(part * rows.dim(1) / parts, (part + 1) * rows.dim(1) / parts);
      const poplar::Tensor result = partials[row].slice(part, part + 1);
      graph.setTileMapping(result, poplar::detail::firstTileOf(graph.data(), piece.data()));
      poplar::detail::addReduction(graph.data(), first.getId(),
                                   poplar::detail::textOf(poplar::StringRef(op)), piece.data(),
                                   piece.numElements(), result.data());
    }
  }
  program.add(poplar::program::Execute(first));
  detail::reduceRows(graph, op == "square_add" ? "add" : op, partials, outputs, program, name);
}

/// The reduction as a new tensor, spread over the tiles.
inline poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                             const poplar::Type& type, const std::vector<std::size_t>& dims,
                             ReduceParams params, poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "reduce") {
  std::vector<std::size_t> shape;
  for (unsigned d = 0; d < in.rank(); ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) shape.push_back(in.dim(d));
  }
  const poplar::Tensor out =
      graph.addVariable(type, shape, poplar::VariableMappingMethod::LINEAR, name);
  reduceWithOutput(graph, in, out, dims, params, program, name);
  return out;
}
inline poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                             const std::vector<std::size_t>& dims, ReduceParams params,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "reduce") {
  return reduce(graph, in, in.elementType(), dims, params, program, name);
}

}  // namespace popops
