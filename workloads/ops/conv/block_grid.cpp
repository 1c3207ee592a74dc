// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/block_grid.h"

namespace ipusim::workloads {

BlockGrid::BlockGrid(GridParts parts, Shape inner)
    : parts_(std::move(parts)), inner_(std::move(inner)) {
  std::size_t count = 1;
  for (const std::vector<Range>& ranges : parts_) count *= ranges.size();
  offsets_ = {0};
  for (std::size_t b = 0; b < count; ++b) {
    offsets_.push_back(offsets_.back() + elementsOf(shapeOf(b)));
  }
}

GridIndex BlockGrid::indexOf(std::size_t block) const {
  GridIndex index{};
  for (std::size_t d = kGridDims; d-- > 0;) {
    index.at(d) = static_cast<std::uint32_t>(block % parts_.at(d).size());
    block /= parts_.at(d).size();
  }
  return index;
}

std::size_t BlockGrid::blockOf(const GridIndex& index) const {
  std::size_t block = 0;
  for (std::size_t d = 0; d < kGridDims; ++d) block = block * parts_.at(d).size() + index.at(d);
  return block;
}

Shape BlockGrid::shapeOf(std::size_t block) const {
  const GridIndex index = indexOf(block);
  Shape shape;
  for (std::size_t d = 0; d < kGridDims; ++d) {
    shape.push_back(parts_.at(d)[index.at(d)].size());
  }
  shape.insert(shape.end(), inner_.begin(), inner_.end());
  return shape;
}

Tensor BlockGrid::block(const Tensor& storage, std::size_t block) const {
  return storage.slice(offsets_[block], offsets_[block + 1], 0).reshape(shapeOf(block));
}

Tensor BlockGrid::whole(const Tensor& storage) const {
  std::vector<Tensor> tensors;
  for (std::size_t b = 0; b < count(); ++b) tensors.push_back(block(storage, b));
  for (std::size_t d = kGridDims; d-- > 0;) {
    const auto each = static_cast<std::ptrdiff_t>(parts_.at(d).size());
    std::vector<Tensor> joined;
    for (auto first = tensors.begin(); first != tensors.end(); first += each) {
      joined.push_back(concat({first, first + each}, d));
    }
    tensors = std::move(joined);
  }
  return tensors.front();
}

namespace {

/// Adds the slices of dimension `dim` at ranges [first, last), which follow one another from index
/// `begin` of the tensor on. Halves are sliced first: each slice looks at all pieces of its tensor.
void addSlices(const Tensor& tensor, std::size_t dim, const Range* first, const Range* last,
               std::vector<Tensor>& slices) {
  if (last - first == 1) {
    slices.push_back(tensor);
    return;
  }
  const Range* const middle = first + (last - first) / 2;
  const std::uint64_t size = middle->begin - first->begin;
  addSlices(tensor.slice(0, size, dim), dim, first, middle, slices);
  addSlices(tensor.slice(size, tensor.shape()[dim], dim), dim, middle, last, slices);
}

}  // namespace

std::vector<Tensor> BlockGrid::cut(const Tensor& tensor) const {
  std::vector<Tensor> tensors{tensor};
  for (std::size_t d = 0; d < kGridDims; ++d) {
    const std::vector<Range>& parts = parts_.at(d);
    if (parts.size() == 1) continue;
    std::vector<Tensor> smaller;
    smaller.reserve(tensors.size() * parts.size());
    for (const Tensor& whole : tensors) {
      addSlices(whole, d, parts.data(), parts.data() + parts.size(), smaller);
    }
    tensors = std::move(smaller);
  }
  return tensors;
}

}  // namespace ipusim::workloads
