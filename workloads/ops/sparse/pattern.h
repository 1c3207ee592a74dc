// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

/// The places at which a matrix of (rows, columns) elements is not zero: square blocks with sides
/// of `block` elements, row by row, each once. A block of 1 is an element.
struct SparsePattern {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t block;
  std::vector<BlockPosition> blocks;

  [[nodiscard]] std::uint64_t blockRows() const { return rows / block; }
  [[nodiscard]] std::uint64_t blockColumns() const { return columns / block; }
  [[nodiscard]] std::uint64_t blockElements() const { return block * block; }
  [[nodiscard]] std::uint64_t nonZeros() const { return blocks.size() * blockElements(); }
};

/// The most places that a pattern may choose from. Each is marked by one bit.
constexpr std::uint64_t kMaxPatternPlaces = std::uint64_t{1} << 30U;

/// `count` different blocks; every choice is equally likely. Equal seeds give equal patterns on
/// every platform. `count` is at most the number of all blocks, which is at most kMaxPatternPlaces.
SparsePattern randomPattern(std::uint64_t rows, std::uint64_t columns, std::uint64_t block,
                            std::uint64_t count, std::uint64_t seed);

}  // namespace ipusim::workloads
