// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/block_grid.h"

#include <algorithm>
#include <iterator>

#include "ipusim/units.h"

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
    if (each == 1) continue;
    std::vector<Tensor> joined;
    for (auto first = tensors.begin(); first != tensors.end(); first += each) {
      const std::vector<Tensor> row(std::make_move_iterator(first),
                                    std::make_move_iterator(first + each));
      joined.push_back(concat(row, d));
    }
    tensors = std::move(joined);
  }
  return tensors.front();
}

namespace {

/// Cuts a tensor dimension by dimension, and adds its blocks in order. What is sliced is let go
/// before the next slice is made.
class Cutter {
 public:
  Cutter(const GridParts& parts, std::vector<Tensor>& blocks) : parts_(parts), blocks_(blocks) {}

  /// Adds the blocks of `tensor`, which is cut in the dimensions before `dim`.
  void cut(const Tensor& tensor, std::size_t dim) {
    while (dim < kGridDims && parts_.at(dim).size() == 1) ++dim;
    if (dim == kGridDims) {
      blocks_.push_back(tensor);
      return;
    }
    const std::vector<Range>& parts = parts_.at(dim);
    cutParts(tensor, dim, parts.data(), parts.data() + parts.size());
  }

 private:
  /// A slice looks at all pieces of its tensor, and copies those that it has. With so many slices
  /// per tensor, looks and copies take about as long.
  static constexpr std::ptrdiff_t kSlices = 8;

  /// Cuts dimension `dim` into the ranges [first, last), which follow one another from index 0 of
  /// the tensor on.
  void cutParts(const Tensor& tensor, std::size_t dim, const Range* first, const Range* last) {
    if (last - first == 1) return cut(tensor, dim + 1);
    const std::ptrdiff_t each = ceilDiv(last - first, kSlices);
    const std::uint64_t offset = first->begin;
    for (const Range* next = first; next != last;) {
      const Range* const end = next + std::min(each, last - next);
      const std::uint64_t slice_end = std::prev(end)->end - offset;
      cutParts(tensor.slice(next->begin - offset, slice_end, dim), dim, next, end);
      next = end;
    }
  }

  const GridParts& parts_;
  std::vector<Tensor>& blocks_;
};

}  // namespace

std::vector<Tensor> BlockGrid::cut(const Tensor& tensor) const {
  std::vector<Tensor> blocks;
  blocks.reserve(count());
  Cutter(parts_, blocks).cut(tensor, 0);
  return blocks;
}

}  // namespace ipusim::workloads
