// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "poplar/detail/slice_api.hpp"
#include "popops/detail/operands.hpp"

// Slices by one dimension at a time: the dimension becomes the rows of a table.

namespace popops {
namespace detail {

/// What a call slices: sizes of the slice along some dimensions.
struct SliceOf {
  std::string call;
  const std::vector<std::size_t>& dims;
  const std::vector<std::size_t>& sizes;
};

/// Throws unless the sliced dimensions are there, each of them once, with room for their sizes.
inline void checkSlice(const SliceOf& slice, const std::vector<std::size_t>& shape) {
  bool is_there = slice.dims.size() == slice.sizes.size();
  for (std::size_t i = 0; is_there && i < slice.dims.size(); ++i) {
    const auto end = slice.dims.begin() + static_cast<std::ptrdiff_t>(i);
    is_there = slice.dims[i] < shape.size() && slice.sizes[i] > 0 &&
               slice.sizes[i] <= shape[slice.dims[i]] &&
               std::find(slice.dims.begin(), end, slice.dims[i]) == end;
  }
  if (is_there) return;
  std::string found;
  for (std::size_t i = 0; i < std::min(slice.dims.size(), slice.sizes.size()); ++i) {
    found +=
        " " + std::to_string(slice.sizes[i]) + " of dimension " + std::to_string(slice.dims[i]);
  }
  throw poputil::poplibs_error(slice.call + ": wanted a size within each sliced dimension of " +
                               shapeText(shape) + ", found" + found);
}
inline void checkSlice(const SliceOf& slice, const poplar::Tensor& tensor) {
  checkSlice(slice, tensor.shape());
}

/// `offsets` as unsigned int. Throws for other types, and for another number of them.
inline poplar::Tensor offsetsOf(const std::string& call, const poplar::Tensor& offsets,
                                std::size_t count) {
  const bool is_whole =
      offsets.elementType() == poplar::UNSIGNED_INT || offsets.elementType() == poplar::INT;
  if (!is_whole || offsets.numElements() != count) {
    throw poputil::poplibs_error(
        call + ": wanted " + std::to_string(count) + " offsets of unsigned int, found " +
        std::to_string(offsets.numElements()) + " of " + offsets.elementType().toString());
  }
  return offsets.flatten().reinterpret(poplar::UNSIGNED_INT);
}

/// The tensor as a table whose rows are the indices of a dimension.
inline poplar::Tensor tableOf(const poplar::Tensor& tensor, std::size_t dim) {
  const poplar::Tensor front = tensor.dimRoll(static_cast<unsigned>(dim), 0);
  const std::size_t rows = front.dim(0);
  return front.reshape({rows, rows == 0 ? 0 : front.numElements() / rows});
}

/// Adds a compute set that moves rows of a table.
inline void moveRows(const Lowering& to, poplar::detail::RowMove move,
                     const poplar::detail::RowMoveOperands& operands) {
  const poplar::ComputeSet compute_set = to.graph.addComputeSet(to.name);
  poplar::detail::addRowMove(to.graph.data(), compute_set.getId(), move, operands);
  to.program.add(poplar::program::Execute(compute_set));
}

/// `size` indices of a dimension from `offset` on, on the tiles of the first index.
inline poplar::Tensor slicedAlong(const Lowering& to, const poplar::Tensor& tensor,
                                  const poplar::Tensor& offset, std::size_t dim, std::size_t size) {
  const poplar::Tensor front = tensor.dimRoll(static_cast<unsigned>(dim), 0);
  std::vector<std::size_t> shape = front.shape();
  shape[0] = size;
  const poplar::Tensor out = to.graph.addVariable(tensor.elementType(), shape, to.name);
  const auto mapping = to.graph.getTileMapping(front[0]);
  for (std::size_t i = 0; i < size; ++i) to.graph.setTileMapping(out[i], mapping);
  moveRows(to, poplar::detail::RowMove::Slice,
           poplar::detail::RowMoveOperands{tableOf(tensor, dim).data(), tableOf(out, 0).data(),
                                           offset.data(), nullptr});
  return out.dimRoll(0, static_cast<unsigned>(dim));
}

/// The numbers of the sliced dimensions, in an order that moves little: those first of which the
/// slice has the smallest share.
inline std::vector<std::size_t> sliceOrder(const poplar::Tensor& tensor, const SliceOf& slice) {
  std::vector<std::size_t> order(slice.dims.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return slice.sizes[a] * tensor.dim(static_cast<unsigned>(slice.dims[b])) <
           slice.sizes[b] * tensor.dim(static_cast<unsigned>(slice.dims[a]));
  });
  return order;
}

}  // namespace detail
}  // namespace popops
