// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/products/pixelfly_mask.h"

#include <algorithm>
#include <set>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

using Blocks = std::vector<std::vector<std::uint64_t>>;

/// For each row of blocks, the columns of the blocks that a cell of the mask touches.
Blocks coveredBlocks(const PixelflyShape& shape) {
  const std::uint64_t cell = shape.features / shape.butterfly_size;
  const auto first = [&](std::uint64_t index) { return index * cell / shape.block; };
  const auto last = [&](std::uint64_t index) { return ((index + 1) * cell - 1) / shape.block; };
  std::vector<std::set<std::uint64_t>> columns(shape.features / shape.block);
  const auto cover = [&](std::uint64_t row, std::uint64_t column) {
    for (std::uint64_t r = first(row); r <= last(row); ++r) {
      for (std::uint64_t c = first(column); c <= last(column); ++c) columns[r].insert(c);
    }
  };
  for (std::uint64_t row = 0; row < shape.butterfly_size; ++row) {
    cover(row, row);
    for (std::uint64_t bit = 1; bit < shape.butterfly_size; bit *= 2) cover(row, row ^ bit);
  }
  Blocks blocks;
  blocks.reserve(columns.size());
  for (const auto& row : columns) blocks.emplace_back(row.begin(), row.end());
  return blocks;
}

/// True when every row has equally many blocks. The mask is symmetric, so columns then have too.
bool areRegular(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const std::vector<std::uint64_t>& row) {
    return row.size() == blocks.front().size();
  });
}

/// The index of the block at (row, column) among the blocks of its column.
std::uint64_t slotOf(const Blocks& blocks, std::uint64_t row, std::uint64_t column) {
  // By symmetry, the rows of a column are the columns of the row with that number.
  const std::vector<std::uint64_t>& rows = blocks[column];
  return static_cast<std::uint64_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
}

}  // namespace

std::optional<OptionFault> pixelflyFault(const PixelflyShape& shape) {
  const std::string features = std::to_string(shape.features);
  if (shape.butterfly_size < 2 || !isPowerOfTwo(shape.butterfly_size) ||
      shape.features % shape.butterfly_size != 0) {
    return OptionFault{"butterfly_size", "a power of two from 2 on that divides " + features};
  }
  if (shape.block == 0 || shape.features % shape.block != 0) {
    return OptionFault{"block", "a divisor of " + features};
  }
  if (!areRegular(coveredBlocks(shape))) {
    return OptionFault{"features",
                       "a size whose mask has as many blocks in each row, such as a power of two"};
  }
  return std::nullopt;
}

Blocks pixelflyBlocks(const PixelflyShape& shape) {
  const std::optional<OptionFault> fault = pixelflyFault(shape);
  if (fault) throw InternalError(fault->key + ": wanted " + fault->wanted);
  return coveredBlocks(shape);
}

std::vector<std::uint64_t> pixelflyRows(const Blocks& blocks, BagSum sum) {
  const std::uint64_t active = blocks.front().size();
  std::vector<std::uint64_t> indices(blocks.size() * active);
  for (std::uint64_t bag = 0; bag < blocks.size(); ++bag) {
    for (std::uint64_t k = 0; k < active; ++k) {
      const std::uint64_t column = blocks[bag][k];
      const std::uint64_t place = sum == BagSum::Bags ? bag * active + k : k * blocks.size() + bag;
      indices[place] = column * active + slotOf(blocks, bag, column);
    }
  }
  return indices;
}

}  // namespace ipusim::workloads
