// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ipusim/tensor.h"
#include "workloads/ops/placement/ranges.h"

namespace ipusim::workloads {

/// The dimensions in which a tensor of a convolution is cut.
constexpr std::size_t kGridDims = 6;

/// The parts of a dimension, one after the other.
using GridParts = std::array<std::vector<Range>, kGridDims>;
using GridIndex = std::array<std::uint32_t, kGridDims>;

/// A tensor in blocks: kGridDims dimensions that are cut, and more that are not. Blocks follow each
/// other in row-major order of their indices, and so do the elements of a block.
class BlockGrid {
 public:
  BlockGrid() = default;
  BlockGrid(GridParts parts, Shape inner);

  [[nodiscard]] std::uint64_t elements() const { return offsets_.back(); }
  [[nodiscard]] std::size_t count() const { return offsets_.size() - 1; }
  [[nodiscard]] const GridParts& parts() const { return parts_; }
  [[nodiscard]] GridIndex indexOf(std::size_t block) const;
  [[nodiscard]] std::size_t blockOf(const GridIndex& index) const;
  /// Block `block` of the tensor whose elements are `storage`.
  [[nodiscard]] Tensor block(const Tensor& storage, std::size_t block) const;
  /// The whole tensor whose elements are `storage`.
  [[nodiscard]] Tensor whole(const Tensor& storage) const;
  /// Each block of `tensor`, which has the shape of the whole.
  [[nodiscard]] std::vector<Tensor> cut(const Tensor& tensor) const;

 private:
  [[nodiscard]] Shape shapeOf(std::size_t block) const;

  GridParts parts_;
  Shape inner_;
  std::vector<std::uint64_t> offsets_;  ///< by block, and the end
};

}  // namespace ipusim::workloads
