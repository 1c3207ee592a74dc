// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/partition.h"

#include <algorithm>
#include <numeric>

#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

struct BlockCounts {
  std::vector<std::uint64_t> of_row;
  std::vector<std::uint64_t> of_column;
};

BlockCounts countBlocks(const SparsePattern& pattern) {
  BlockCounts counts{std::vector<std::uint64_t>(pattern.blockRows()),
                     std::vector<std::uint64_t>(pattern.blockColumns())};
  for (const BlockPosition& block : pattern.blocks) {
    ++counts.of_row[block.row];
    ++counts.of_column[block.column];
  }
  return counts;
}

/// The part of each index.
std::vector<std::uint32_t> partOf(const std::vector<std::uint64_t>& cuts) {
  std::vector<std::uint32_t> part(cuts.back());
  for (std::size_t p = 0; p + 1 < cuts.size(); ++p) {
    std::fill(part.begin() + static_cast<std::ptrdiff_t>(cuts[p]),
              part.begin() + static_cast<std::ptrdiff_t>(cuts[p + 1]),
              static_cast<std::uint32_t>(p));
  }
  return part;
}

/// Cuts into parts that differ by at most one grain. The last grain may be short.
std::vector<std::uint64_t> equalCuts(std::uint64_t size, std::uint64_t grain, std::uint64_t parts) {
  const std::uint64_t grains = ceilDiv(size, grain);
  check(parts >= 1 && parts <= grains, "more parts than there is to cut");
  std::vector<std::uint64_t> cuts;
  for (std::uint64_t p = 0; p <= parts; ++p)
    cuts.push_back(std::min(size, grains * p / parts * grain));
  return cuts;
}

}  // namespace

std::uint64_t columnGrain(const SparseProblem& problem) {
  constexpr std::uint64_t kGrainBytes = 16;
  return problem.pattern.block == 1 ? kGrainBytes / sizeOf(problem.input).value() : 1;
}

std::vector<std::uint64_t> balancedCuts(const std::vector<std::uint64_t>& counts,
                                        std::uint64_t parts) {
  check(parts >= 1 && parts <= counts.size(), "more parts than there is to cut");
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<std::uint64_t> cuts = {0};
  std::uint64_t index = 0;
  std::uint64_t before = 0;
  for (std::uint64_t part = 1; part < parts; ++part) {
    const std::uint64_t last = counts.size() - (parts - part);  // leaves one for each further part
    do {
      before += counts[index++];
    } while (index < last && before + counts[index] / 2 < all * part / parts);
    cuts.push_back(index);
  }
  cuts.push_back(counts.size());
  return cuts;
}

SparsePartition cutProduct(const SparseProblem& problem, const SparseSplits& splits) {
  const BlockCounts counts = countBlocks(problem.pattern);
  return {balancedCuts(counts.of_row, splits.rows), balancedCuts(counts.of_column, splits.inner),
          equalCuts(problem.columns, columnGrain(problem), splits.columns)};
}

std::vector<std::vector<BlockPosition>> blocksOfParts(const SparsePattern& pattern,
                                                      const SparsePartition& partition) {
  const std::vector<std::uint32_t> row_part = partOf(partition.rows);
  const std::vector<std::uint32_t> inner_part = partOf(partition.inner);
  const std::size_t inner_parts = partition.inner.size() - 1;
  std::vector<std::vector<BlockPosition>> parts((partition.rows.size() - 1) * inner_parts);
  for (const BlockPosition& block : pattern.blocks) {
    const std::uint32_t x = row_part[block.row];
    const std::uint32_t y = inner_part[block.column];
    parts[x * inner_parts + y].push_back(
        {block.row - static_cast<std::uint32_t>(partition.rows[x]),
         block.column - static_cast<std::uint32_t>(partition.inner[y])});
  }
  return parts;
}

}  // namespace ipusim::workloads
