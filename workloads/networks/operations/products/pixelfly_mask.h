// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/ops/gather/bags.h"

namespace ipusim::workloads {

/// The blocks of a pixelfly, and what stands beside them: y = W x + low rank x. W has blocks where
/// the mask has a one.
struct PixelflyShape {
  std::uint64_t features;
  std::uint64_t butterfly_size;     ///< the resolution of the mask: a power of two
  std::uint64_t block;              ///< rows and columns of a block
  std::uint64_t rank;               ///< rank of the low-rank part
  BagSum block_sum = BagSum::Bags;  ///< how products are summed to blocks of the result
};

/// An option with a wrong value.
struct OptionFault {
  std::string key;
  std::string wanted;
};

/// The option that keeps `shape` from having a mask with equally many blocks in each row and
/// column, if there is one.
std::optional<OptionFault> pixelflyFault(const PixelflyShape& shape);

/// One entry per row of blocks: the numbers of the columns in which the mask has a block. The mask
/// has butterfly_size x butterfly_size cells; cell (i, j) is one when i = j, or when i and j differ
/// in one bit. The mask is stretched to all features, and a block counts when any of its elements
/// is one. Throws InternalError for a shape with a fault.
std::vector<std::vector<std::uint64_t>> pixelflyBlocks(const PixelflyShape& shape);

/// For each block of the result, the rows of products that it sums, in the order of BagSteps. Row
/// i of the products belongs to the slot i % n of the column i / n, with n blocks in a column.
std::vector<std::uint64_t> pixelflyRows(const std::vector<std::vector<std::uint64_t>>& blocks,
                                        BagSum sum);

}  // namespace ipusim::workloads
