// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "popops/detail/look_ups.hpp"
#include "popops/detail/slicing.hpp"
#include "poputil/TileMapping.hpp"
#include "poputil/Util.hpp"

// Slices at offsets that the program computes. Offsets and slices that pass the end of
// their dimension go on at its beginning. Rows that a look-up wants beyond its table are left out.

namespace popops {

/// A tensor to slice along `dims`. The other dimensions are spread over the tiles. A tile that has
/// an element has it for all indices of `dims`, so that a slice stays on its tiles.
inline poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape,
                                            const std::vector<std::size_t>& dims,
                                            const std::vector<std::size_t>& /*sizes*/,
                                            std::size_t /*least_grain*/ = 0,
                                            const poplar::DebugContext& name = "sliceable") {
  std::vector<std::size_t> sizes;
  std::vector<unsigned> order;
  std::size_t rows = 1;
  for (std::size_t dim : dims) {
    const bool is_repeated = std::find(order.begin(), order.end(), dim) != order.end();
    if (dim >= shape.size() || is_repeated) {
      throw poputil::poplibs_error("createSliceableTensor: wanted dimensions of the shape, found " +
                                   std::string(is_repeated ? "twice " : "") + std::to_string(dim));
    }
    order.push_back(static_cast<unsigned>(dim));
    rows *= shape[dim];
  }
  std::size_t columns = 1;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (std::find(order.begin(), order.end(), d) != order.end()) continue;
    order.push_back(d);
    columns *= shape[d];
  }
  std::vector<unsigned> back(order.size());
  for (unsigned i = 0; i < order.size(); ++i) {
    sizes.push_back(shape[order[i]]);
    back[order[i]] = i;
  }
  if (rows * columns == 0) return graph.addVariable(type, shape, name);
  const poplar::Tensor table{
      poplar::detail::Handle<poplar::detail::TensorData>(poplar::detail::addSliceableTable(
          graph.data(), type.id(), rows, columns, poplar::detail::textOf(name)))};
  return table.reshape(sizes).dimShuffle(back);
}
inline poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape,
                                            const std::vector<std::size_t>& dims,
                                            const std::vector<std::size_t>& sizes, const SlicePlan&,
                                            const poplar::OptionFlags&,
                                            const poplar::DebugContext& name = "sliceable") {
  return createSliceableTensor(graph, type, shape, dims, sizes, 0, name);
}

/// A tensor for `count` slices of `tensor`. Each has the tiles of the slice at offset 0.
inline poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Tensor& tensor,
                                        const std::vector<std::size_t>& dims,
                                        const std::vector<std::size_t>& sizes, std::size_t count,
                                        const poplar::DebugContext& name = "slice") {
  detail::checkSlice({"createSliceTensor", dims, sizes}, tensor);
  poplar::Tensor first = tensor;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    first = first.slice(0, sizes[i], static_cast<unsigned>(dims[i]));
  }
  std::vector<std::size_t> shape = first.shape();
  shape.insert(shape.begin(), count);
  const poplar::Tensor slices = graph.addVariable(tensor.elementType(), shape, name);
  const auto mapping = graph.getTileMapping(first);
  for (std::size_t i = 0; i < count; ++i) graph.setTileMapping(slices[i], mapping);
  return slices;
}
inline poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Type& type,
                                        const std::vector<std::size_t>& shape,
                                        const std::vector<std::size_t>& dims,
                                        const std::vector<std::size_t>& sizes, std::size_t count,
                                        const SlicePlan&, const poplar::OptionFlags&,
                                        const poplar::DebugContext& name = "slice") {
  detail::checkSlice({"createSliceTensor", dims, sizes}, shape);
  std::vector<std::size_t> of_slices = shape;
  for (std::size_t i = 0; i < dims.size(); ++i) of_slices[dims[i]] = sizes[i];
  of_slices.insert(of_slices.begin(), count);
  return graph.addVariable(type, of_slices, poplar::VariableMappingMethod::LINEAR, name);
}

/// A tensor for the offsets of `count` slices: (count, dimensions), spread linearly over the tiles.
inline poplar::Tensor createIndicesTensor(poplar::Graph& graph,
                                          const std::vector<std::size_t>& dims, std::size_t count,
                                          const SlicePlan&, const poplar::OptionFlags&,
                                          const poplar::DebugContext& name = "indices") {
  return graph.addVariable(poplar::UNSIGNED_INT, {count, dims.size()},
                           poplar::VariableMappingMethod::LINEAR, name);
}

/// A tensor that has `counts` slices like `slice` along `dims`. The elements of each slice are on
/// the tiles of those of `slice`.
inline poplar::Tensor createSliceableTensorFromSlice(
    poplar::Graph& graph, const poplar::Tensor& slice, const std::vector<std::size_t>& dims,
    const std::vector<std::size_t>& counts, const poplar::DebugContext& name = "sliceable") {
  if (counts.size() != dims.size()) {
    throw poputil::poplibs_error("createSliceableTensorFromSlice: wanted a count for each of " +
                                 std::to_string(dims.size()) + " dimensions, found " +
                                 std::to_string(counts.size()));
  }
  std::vector<std::size_t> shape = counts;
  shape.insert(shape.end(), {slice.numElements()});
  const poplar::Tensor all = graph.addVariable(slice.elementType(), shape, name);
  const poplar::Tensor copies =
      all.reshape({slice.numElements() == 0 ? 0 : all.numElements() / slice.numElements(),
                   slice.numElements()});
  const auto mapping = graph.getTileMapping(slice);
  for (std::size_t i = 0; i < copies.dim(0); ++i) graph.setTileMapping(copies[i], mapping);
  std::vector<std::size_t> sizes = slice.shape();
  poplar::Tensor tensor = all;
  for (std::size_t i = dims.size(); i-- > 0;) {
    // Joins the slices along dims[i]: `counts` loses its last entry, and dims[i] grows by it.
    std::vector<std::size_t> split(counts.begin(), counts.begin() + static_cast<long>(i) + 1);
    split.insert(split.end(), sizes.begin(), sizes.end());
    const unsigned at = static_cast<unsigned>(i);
    tensor = tensor.reshape(split).dimRoll(at, at + static_cast<unsigned>(dims[i]));
    sizes.at(dims[i]) *= counts[i];
    std::vector<std::size_t> joined(counts.begin(), counts.begin() + static_cast<long>(i));
    joined.insert(joined.end(), sizes.begin(), sizes.end());
    tensor = tensor.reshape(joined);
  }
  return tensor;
}

/// The slice that begins at `offsets` and has `sizes` elements along `dims`. There is one offset
/// and one size for each entry of `dims`.
inline poplar::Tensor dynamicSlice(poplar::Graph& graph, const poplar::Tensor& tensor,
                                   const poplar::Tensor& offsets,
                                   const std::vector<std::size_t>& dims,
                                   const std::vector<std::size_t>& sizes,
                                   poplar::program::Sequence& program,
                                   const poplar::DebugContext& name = "dynamicSlice",
                                   const poplar::OptionFlags& = {}) {
  const detail::SliceOf slice{"dynamicSlice", dims, sizes};
  detail::checkSlice(slice, tensor);
  const poplar::Tensor each = detail::offsetsOf(slice.call, offsets, dims.size());
  if (dims.empty()) return poputil::duplicate(graph, tensor, program, name);
  poplar::Tensor part = tensor;
  for (std::size_t i : detail::sliceOrder(tensor, slice)) {
    part =
        detail::slicedAlong({graph, program, name}, part, each.slice(i, i + 1), dims[i], sizes[i]);
  }
  return part;
}
inline void dynamicSliceWithOutput(poplar::Graph& graph, const poplar::Tensor& output,
                                   const poplar::Tensor& tensor, const poplar::Tensor& offsets,
                                   const std::vector<std::size_t>& dims,
                                   const std::vector<std::size_t>& sizes,
                                   poplar::program::Sequence& program,
                                   const poplar::DebugContext& name = "dynamicSlice",
                                   const poplar::OptionFlags& = {}) {
  program.add(poplar::program::Copy(
      dynamicSlice(graph, tensor, offsets, dims, sizes, program, name), output));
}

/// Overwrites the slice of `tensor` that dynamicSlice() returns for these arguments with `part`.
inline void dynamicUpdate(poplar::Graph& graph, const poplar::Tensor& tensor,
                          const poplar::Tensor& part, const poplar::Tensor& offsets,
                          const std::vector<std::size_t>& dims,
                          const std::vector<std::size_t>& sizes, poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "dynamicUpdate",
                          const poplar::OptionFlags& = {}) {
  const detail::SliceOf slice{"dynamicUpdate", dims, sizes};
  detail::checkSlice(slice, tensor);
  const poplar::Tensor each = detail::offsetsOf(slice.call, offsets, dims.size());
  std::vector<std::size_t> wanted = tensor.shape();
  for (std::size_t i = 0; i < dims.size(); ++i) wanted[dims[i]] = sizes[i];
  if (part.shape() != wanted || part.elementType() != tensor.elementType()) {
    throw poputil::poplibs_error("dynamicUpdate: wanted a part of those sizes of " +
                                 tensor.shapeToString() + " and of its type, found " +
                                 part.shapeToString());
  }
  if (dims.empty()) return program.add(poplar::program::Copy(part, tensor));
  // Takes a slice along one dimension after the other, then puts them back in reverse order.
  const std::vector<std::size_t> order = detail::sliceOrder(tensor, slice);
  std::vector<poplar::Tensor> parts = {tensor};
  for (std::size_t o = 0; o + 1 < order.size(); ++o) {
    const std::size_t i = order[o];
    parts.push_back(detail::slicedAlong({graph, program, name}, parts.back(), each.slice(i, i + 1),
                                        dims[i], sizes[i]));
  }
  parts.push_back(part);
  for (std::size_t o = order.size(); o-- > 0;) {
    const std::size_t i = order[o];
    detail::moveRows({graph, program, name}, poplar::detail::RowMove::Update,
                     poplar::detail::RowMoveOperands{detail::tableOf(parts[o], dims[i]).data(),
                                                     detail::tableOf(parts[o + 1], dims[i]).data(),
                                                     each.slice(i, i + 1).data(), nullptr});
  }
}

}  // namespace popops
