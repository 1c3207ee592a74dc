// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"
#include "poplar/detail/library_api.hpp"
#include "poputil/exceptions.hpp"

namespace popops {
namespace detail {

/// A step that the library made.
class LibraryStep : public poplar::program::Program {
 public:
  explicit LibraryStep(poplar::detail::ProgramData* step) : poplar::program::Program(step) {}
};

/// Where an operation goes: its graph, the program that runs it, and the name of what it adds.
struct Lowering {
  poplar::Graph& graph;
  poplar::program::Sequence& program;
  const poplar::DebugContext& name;
};

inline std::string shapeText(const std::vector<std::size_t>& shape) {
  std::string text;
  for (std::size_t size : shape) text += (text.empty() ? "" : ",") + std::to_string(size);
  return "{" + text + "}";
}

/// `tensor` as a view of `shape`: sizes of 1, and dimensions in front that it lacks, are repeated.
inline poplar::Tensor broadcastTo(poplar::Tensor tensor, const std::vector<std::size_t>& shape) {
  const std::string before = tensor.shapeToString();
  std::vector<std::size_t> sizes = tensor.shape();
  if (sizes.size() < shape.size()) sizes.insert(sizes.begin(), shape.size() - sizes.size(), 1);
  tensor = tensor.reshape(sizes);
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (sizes[d] == shape[d]) continue;
    if (sizes.size() != shape.size() || sizes[d] != 1) {
      throw poputil::poplibs_error("operands: wanted a shape that can be repeated to " +
                                   shapeText(shape) + ", found " + before);
    }
    tensor = tensor.broadcast(static_cast<unsigned>(shape[d]), d);
  }
  return tensor;
}

/// The shape that operands of two shapes are repeated to.
inline std::vector<std::size_t> commonShape(std::vector<std::size_t> left,
                                            std::vector<std::size_t> right) {
  const std::size_t rank = std::max(left.size(), right.size());
  left.insert(left.begin(), rank - left.size(), 1);
  right.insert(right.begin(), rank - right.size(), 1);
  for (std::size_t d = 0; d < rank; ++d) {
    if (left[d] == 1) left[d] = right[d];
  }
  return left;
}

/// Adds to a compute set elementwise vertices, made by `lines`.
inline void addElementwise(poplar::Graph& graph, const std::string& lines,
                           const std::vector<poplar::Tensor>& operands, const poplar::Tensor& out,
                           const poplar::ComputeSet& compute_set) {
  const std::vector<const poplar::detail::TensorData*> all = poplar::detail::dataOf(operands);
  poplar::detail::addElementwise(graph.data(), compute_set.getId(), poplar::detail::textOf(lines),
                                 {all.data(), all.size()}, out.data());
}

/// Throws for a view that has an element more than once, or a constant.
inline void checkWriteable(const poplar::Tensor& out) {
  if (out.isParallelWriteable()) return;
  throw poputil::poplibs_error(
      "operands: wanted a result whose elements can each be written once, "
      "found a view that repeats some or has constants: " +
      out.getDebugStr() + out.shapeToString());
}

/// Runs a compute set of such vertices.
inline void runElementwise(const Lowering& to, const std::string& lines,
                           const std::vector<poplar::Tensor>& operands, const poplar::Tensor& out) {
  checkWriteable(out);
  const poplar::ComputeSet compute_set = to.graph.addComputeSet(to.name);
  addElementwise(to.graph, lines, operands, out, compute_set);
  to.program.add(poplar::program::Execute(compute_set));
}

inline std::string typeLine(const poplar::Type& type) {
  return "type = '" + type.toString() + "'\n";
}

}  // namespace detail
}  // namespace popops
