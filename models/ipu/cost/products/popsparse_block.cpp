// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/popsparse_block.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

/// The row of a block size in the tables.
std::size_t sizeIndex(std::uint64_t block) {
  check(block == 4 || block == 8 || block == 16, "sparse blocks have size 4, 8 or 16");
  return block == 4 ? 0 : block == 8 ? 1 : 2;
}

/// The column of a type in the tables: half with float partials, half, float.
std::size_t typeIndex(const SparseBlockShape& shape) {
  if (shape.inputs == ElementType::Float) return 2;
  return shape.partials == ElementType::Float ? 0 : 1;
}

template <typename Entry>
using Table = std::array<std::array<Entry, 3>, 3>;

template <typename Entry>
const Entry& in(const Table<Entry>& table, const SparseBlockShape& shape) {
  return table.at(sizeIndex(shape.block)).at(typeIndex(shape));
}

/// What a worker takes in the forward pass.
struct Stream {
  std::uint64_t per_column;
  std::uint64_t overhead;
  std::array<std::uint64_t, 3> per_block;  ///< with one column, with two, with more
};
constexpr Table<Stream> kPopsparseBlockForward{{
    {{{2, 26, {17, 18, 19}}, {2, 26, {15, 16, 17}}, {4, 26, {14, 14, 14}}}},
    {{{4, 20, {22, 23, 23}}, {4, 23, {19, 20, 20}}, {8, 23, {22, 22, 23}}}},
    {{{4, 23, {24, 25, 24}}, {4, 22, {22, 23, 22}}, {4, 23, {24, 25, 24}}}},
}};

/// Blocks of 16 halves with half partials need all 16 engines. On 8 engines their code is that of
/// float partials.
const Stream& streamOf(const SparseBlockShape& shape) {
  SparseBlockShape coded = shape;
  if (shape.block == 16 && shape.conv_units < 16) coded.partials = ElementType::Float;
  return in(kPopsparseBlockForward, coded);
}

constexpr SparseWalk kForwardWalk{42, 33, 46, 56};
constexpr std::uint64_t kBlockSupervisor = 3;
constexpr std::uint64_t kLoadSupervisor = 12;
constexpr std::uint64_t kRetainSaves = 3;

/// What a worker takes in GradW for a call, a row of blocks, a block, and a column of a block.
struct Gradient {
  std::uint64_t overhead;
  std::uint64_t row;
  std::uint64_t block;
  std::uint64_t column;
};
constexpr Table<Gradient> kGradW{{
    {{{26, 9, 33, 6}, {26, 9, 29, 6}, {27, 9, 45, 12}}},
    {{{26, 9, 113, 24}, {26, 9, 113, 24}, {24, 7, 208, 48}}},
    {{{27, 9, 505, 96}, {27, 9, 441, 96}, {27, 9, 505, 96}}},
}};

/// What AmpGradW takes for a block: loads of the engines, a worker's columns of a group, and what
/// the worker saves from the second group on. Without a load there is no such vertex.
struct AmpGradient {
  std::uint64_t load;
  std::uint64_t group;
  std::uint64_t saved;
};
constexpr Table<AmpGradient> kAmpGradW{{
    {{{8, 17, 2}, {8, 15, 1}, {8, 20, 1}}},
    {{{16, 27, 4}, {16, 27, 4}, {16, 33, 2}}},
    {{{32, 32, 4}, {32, 32, 4}, {0, 0, 0}}},
}};

std::uint64_t blocksOfRow(const SparseBlockShape& shape) {
  return std::accumulate(shape.non_zeros.begin(), shape.non_zeros.end(), std::uint64_t{0});
}

/// Cycles of the supervisor in AmpGradW for rows, entries of rows, blocks and groups of columns.
std::uint64_t ampGradSupervisor(const SparseBlockShape& shape, std::uint64_t groups,
                                std::uint64_t load) {
  std::uint64_t row = 0;
  for (const std::uint64_t y : shape.non_zeros) {
    row += 32 + 10 * (y - 1) + y * (15 + 4 * (groups - 1) + groups * (8 + load));
  }
  return 23 + 8 * (shape.rows - 1) + shape.rows * row;
}

}  // namespace

Cycles sparseBlockCycles(const Architecture& machine, const SparseBlockShape& shape) {
  return sparseBlockCycles(machine, shape, shape.rows * blocksOfRow(shape));
}

Cycles sparseBlockCycles(const Architecture& machine, const SparseBlockShape& shape,
                         std::uint64_t blocks) {
  const Stream& stream = streamOf(shape);
  const auto loads = ceilDiv<std::uint64_t>(shape.block, shape.conv_units);
  const std::uint64_t retain = shape.retains_rows ? 1 : 0;
  const std::uint64_t load = shape.block * shape.block / machine.vectorWidth(shape.inputs) +
                             kBlockSupervisor + kLoadSupervisor * loads;
  const std::size_t short_run = std::clamp<std::uint64_t>(shape.columns, 1, 3) - 1;
  const std::uint64_t pass =
      stream.per_block.at(short_run) + shape.columns * stream.per_column - kRetainSaves * retain;
  return sparseWalkCycles(kForwardWalk, shape.buckets) +
         Cycles(blocks * load + retain * shape.rows) +
         tileCyclesOf(machine, stream.overhead + blocks * loads * pass);
}

Cycles sparseBlockGradWCycles(const Architecture& machine, const SparseBlockShape& shape) {
  const Gradient& cost = in(kGradW, shape);
  const std::uint64_t blocks = blocksOfRow(shape) * (cost.block + cost.column * shape.columns);
  return sparseWalkCycles(kSparseGradWWalk, shape.buckets) +
         tileCyclesOf(machine, cost.overhead + shape.rows * (cost.row + blocks));
}

Cycles sparseBlockAmpGradWCycles(const Architecture& machine, const SparseBlockShape& shape) {
  const AmpGradient& cost = in(kAmpGradW, shape);
  check(cost.load > 0, "no published estimate for these types");
  const std::uint64_t width = shape.inputs == ElementType::Float ? 8 : 16;
  const std::uint64_t groups = ceilDiv(shape.columns, width);
  const std::uint64_t block = cost.group * groups - cost.saved * (groups - 1);
  return sparseWalkCycles(kSparseGradWWalk, shape.buckets) +
         Cycles(ampGradSupervisor(shape, groups, cost.load)) +
         tileCyclesOf(machine, 5 + shape.rows * blocksOfRow(shape) * block);
}

}  // namespace ipusim::models
