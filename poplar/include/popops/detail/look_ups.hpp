// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "popops/Cast.hpp"
#include "popops/detail/slice_plan.hpp"
#include "popops/detail/slicing.hpp"
#include "poputil/Util.hpp"

// Look-ups of rows of tables.

namespace popops {

namespace detail {

/// Throws unless the call moves single indices of one dimension, and at least one of them.
inline void checkLookUp(const SliceOf& slice, const poplar::Tensor& tensor,
                        const poplar::Tensor& offsets) {
  checkSlice(slice, tensor);
  if (slice.dims.size() != 1 || slice.sizes[0] != 1) {
    throw poputil::poplibs_error(slice.call + ": wanted slices of size 1 along one dimension");
  }
  if (tensor.numElements() == 0) {
    throw poputil::poplibs_error(slice.call + ": wanted a tensor with elements, found " +
                                 tensor.shapeToString());
  }
  if (offsets.numElements() == 0) {
    throw poputil::poplibs_error(slice.call + ": wanted at least one offset, found none");
  }
}

/// Reshapes `slices` to (count, columns). Throws unless they are `count` slices of `tensor`.
inline poplar::Tensor rowsOf(const SliceOf& slice, const poplar::Tensor& tensor,
                             const poplar::Tensor& slices, std::size_t count) {
  std::vector<std::size_t> wanted = tensor.shape();
  wanted[slice.dims[0]] = 1;
  wanted.insert(wanted.begin(), count);
  if (slices.shape() != wanted || slices.elementType() != tensor.elementType()) {
    throw poputil::poplibs_error(slice.call + ": wanted " + std::to_string(count) + " slices of " +
                                 tensor.shapeToString() + " of its type, found " +
                                 slices.shapeToString());
  }
  return slices.reshape({count, slices.numElements() / count});
}

/// An update of the slices of `tensor` at `offsets`.
struct RowUpdate {
  const poplar::Tensor& tensor;
  const poplar::Tensor& slices;
  const poplar::Tensor& offsets;
  const poplar::Tensor* scale;  ///< to add the slices times it; null to put them there
};

inline void updateRows(const Lowering& to, const SliceOf& slice, const RowUpdate& update) {
  checkLookUp(slice, update.tensor, update.offsets);
  const std::size_t count = update.offsets.numElements();
  const poplar::Tensor rows = rowsOf(slice, update.tensor, update.slices, count);
  const bool adds = update.scale != nullptr;
  moveRows(
      to, adds ? poplar::detail::RowMove::Add : poplar::detail::RowMove::Set,
      poplar::detail::RowMoveOperands{tableOf(update.tensor, slice.dims[0]).data(), rows.data(),
                                      offsetsOf(slice.call, update.offsets, count).data(),
                                      adds ? update.scale->data() : nullptr});
}

}  // namespace detail

/// Looks up one slice per offset. `offsets` are (slices, 1); the result is (slices, slice...).
inline poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& tensor,
                                 const poplar::Tensor& offsets,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes,
                                 poplar::program::Sequence& program, const SlicePlan&,
                                 const poplar::OptionFlags&,
                                 const poplar::DebugContext& name = "multiSlice") {
  const detail::SliceOf slice{"multiSlice", dims, sizes};
  detail::checkLookUp(slice, tensor, offsets);
  poplar::detail::ProgramData* steps = nullptr;
  poplar::detail::TensorData* rows = poplar::detail::addLookUp(
      graph.data(), detail::tableOf(tensor, dims[0]).data(),
      detail::offsetsOf(slice.call, offsets, offsets.numElements()).data(),
      poplar::detail::textOf(name), &steps);
  const poplar::Tensor found{poplar::detail::Handle<poplar::detail::TensorData>(rows)};
  program.add(detail::LibraryStep(steps));
  std::vector<std::size_t> shape = tensor.shape();
  shape[dims[0]] = 1;
  shape.insert(shape.begin(), offsets.numElements());
  return found.reshape(shape);
}
/// Copies the indices `offsets` of dimension `dim`, one behind the other along that dimension.
inline poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& tensor,
                                 poplar::ArrayRef<unsigned> offsets, std::size_t dim,
                                 poplar::program::Sequence& program,
                                 const poplar::DebugContext& name = "multiSlice",
                                 const poplar::OptionFlags& = {}) {
  const std::vector<unsigned> all(offsets.begin(), offsets.end());
  const unsigned along = static_cast<unsigned>(dim);
  return poputil::duplicate(graph, poplar::concat(tensor.slices(all, along), along), program, name);
}

/// Overwrites the slices of `tensor` at `offsets` with `slices`. For equal offsets the last one
/// holds.
inline void multiUpdate(poplar::Graph& graph, const poplar::Tensor& tensor,
                        const poplar::Tensor& slices, const poplar::Tensor& offsets,
                        const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                        poplar::program::Sequence& program, const SlicePlan&,
                        const poplar::OptionFlags&,
                        const poplar::DebugContext& name = "multiUpdate") {
  detail::updateRows({graph, program, name}, {"multiUpdate", dims, sizes},
                     {tensor, slices, offsets, nullptr});
}

/// Adds `scale` times `slices` to the slices of `tensor` at `offsets`, in the order of the offsets.
inline void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& tensor,
                           const poplar::Tensor& slices, const poplar::Tensor& offsets,
                           const poplar::Tensor& scale, const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes,
                           poplar::program::Sequence& program, const SlicePlan&,
                           const poplar::OptionFlags&,
                           const poplar::DebugContext& name = "multiUpdateAdd") {
  if (scale.numElements() != 1) {
    throw poputil::poplibs_error("multiUpdateAdd: wanted a scale of one element, found " +
                                 scale.shapeToString());
  }
  const poplar::Tensor factor = scale.elementType() == tensor.elementType()
                                    ? scale
                                    : cast(graph, scale, tensor.elementType(), program, name);
  detail::updateRows({graph, program, name}, {"multiUpdateAdd", dims, sizes},
                     {tensor, slices, offsets, &factor});
}

}  // namespace popops
