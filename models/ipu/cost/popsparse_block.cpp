// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/popsparse_block.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "models/ipu/cost/workers.h"
#include "sim/base/error.h"

namespace ipusim::models {
namespace {

/// Rows of the tables: block sizes.
std::size_t sizeIndex(std::uint64_t block) {
  check(block == 4 || block == 8 || block == 16, "sparse blocks have size 4, 8 or 16");
  return block == 4 ? 0 : block == 8 ? 1 : 2;
}

/// Columns of the tables: half with float partials, half, float.
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
  std::array<std::uint64_t, 3> per_block;  ///< with one column, two, more
};
constexpr Table<Stream> kForward{{
    {{{2, 26, {17, 18, 19}}, {2, 26, {15, 16, 17}}, {4, 26, {14, 14, 14}}}},
    {{{4, 20, {22, 23, 23}}, {4, 23, {19, 20, 20}}, {8, 23, {22, 22, 23}}}},
    {{{4, 23, {24, 25, 24}}, {4, 22, {22, 23, 22}}, {4, 23, {24, 25, 24}}}},
}};
constexpr SparseWalk kForwardWalk{42, 33, 46, 56};
constexpr std::uint64_t kBlockSupervisor = 3;
constexpr std::uint64_t kLoadSupervisor = 12;
constexpr std::uint64_t kRetainSaves = 3;

/// What a gradient takes: a row of blocks, a block, and a column or group of columns of it.
struct Gradient {
  std::uint64_t base;
  std::uint64_t row;
  std::uint64_t block;
  std::uint64_t column;
};
constexpr SparseWalk kGradientWalk{0, 0, 26, 0};
constexpr Table<Gradient> kGradW{{
    {{{231, 54, 198, 36}, {231, 54, 174, 36}, {237, 54, 270, 72}}},
    {{{231, 54, 678, 144}, {231, 54, 678, 144}, {219, 42, 1248, 288}}},
    {{{237, 54, 3030, 576}, {237, 54, 2646, 576}, {237, 54, 3030, 576}}},
}};
constexpr Table<Gradient> kAmpGradW{{
    {{{120, 30, 33, 110}, {120, 30, 27, 104}, {120, 30, 27, 134}}},
    {{{120, 30, 45, 166}, {120, 30, 45, 166}, {120, 30, 33, 214}}},
    {{{120, 30, 45, 212}, {120, 30, 45, 212}, {}}},
}};

std::uint64_t blocksOfRow(const SparseBlockShape& shape) {
  return std::accumulate(shape.non_zeros.begin(), shape.non_zeros.end(), std::uint64_t{0});
}

Cycles gradientCycles(const SparseBlockShape& shape, const Gradient& cost, std::uint64_t columns) {
  check(cost.base != 0, "no published estimate for these types");
  return sparseWalkCycles(kGradientWalk, shape.buckets) +
         Cycles(cost.base + shape.rows * (cost.row + blocksOfRow(shape) *
                                                         (cost.block + cost.column * columns)));
}

}  // namespace

Cycles sparseBlockCycles(const Machine& machine, const SparseBlockShape& shape) {
  return sparseBlockCycles(machine, shape, shape.rows * blocksOfRow(shape));
}

Cycles sparseBlockCycles(const Machine& machine, const SparseBlockShape& shape,
                         std::uint64_t blocks) {
  const Stream& stream = in(kForward, shape);
  const std::uint64_t loads = ceilDiv<std::uint64_t>(shape.block, shape.conv_units);
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

Cycles sparseBlockGradWCycles(const Machine&, const SparseBlockShape& shape) {
  return gradientCycles(shape, in(kGradW, shape), shape.columns);
}

Cycles sparseBlockAmpGradWCycles(const Machine&, const SparseBlockShape& shape) {
  const std::uint64_t group = shape.inputs == ElementType::Float ? 8 : 16;
  return gradientCycles(shape, in(kAmpGradW, shape), ceilDiv(shape.columns, group));
}

}  // namespace ipusim::models
