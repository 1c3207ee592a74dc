// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/popsparse_elementwise.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// The literals are those of the formulas in popsparse_elementwise.h.

/// Costs of one row: `row`, then `entry` per entry of non-zeros and `each` per non-zero.
struct RowLoop {
  std::uint64_t overhead;
  std::uint64_t row;
  std::uint64_t entry;
  std::uint64_t each;
};

std::uint64_t bitIn(std::uint64_t columns, std::uint64_t mask) {
  return (columns & mask) != 0 ? 1 : 0;
}

/// Forward and GradA differ in the costs of a call and of some loops.
RowLoop gatherFloat(bool forward, std::uint64_t z) {
  if (z == 4) return {forward ? 25U : 23U, 13, 0, 3};
  if (z == 2) return {forward ? 27U : 25U, 11, 0, 2};
  RowLoop loop{forward ? 30U : 33U, 13, z % 4 != 0 ? 3U : 1U, 0};
  if (z >= 4) loop.entry += forward ? 12 : 10;
  loop.entry += 8 * bitIn(z, 2) + 8 * bitIn(z, 1);
  loop.each = 3 * (z / 4) + 2 * (z / 2) * bitIn(z, 2) + 2 * bitIn(z, 1);
  return loop;
}

RowLoop gatherHalf(bool forward, std::uint64_t z) {
  if (z == 8) return {forward ? 28U : 26U, 15, 0, 3};
  if (z == 4) return {forward ? 30U : 28U, 11, 0, 2};
  RowLoop loop{forward ? 33U : 32U, forward ? 12U : 11U, 0, 0};
  if (z >= 8) loop.entry += forward ? 16 : 14;
  loop.entry += 13 * bitIn(z, 4) + (forward ? 11 : 10) * bitIn(z, 3);
  loop.each = 3 * (z / 8) + 2 * bitIn(z, 4) + 2 * (z & 3U);
  return loop;
}

RowLoop transposeFloat(std::uint64_t z) {
  return {23, 24, 8, (z >= 2 ? 2 + 3 * (z / 2) : 0) + 4 * bitIn(z, 1)};
}

RowLoop transposeHalf(std::uint64_t z) {
  if (z == 8) return {20, 18, 0, 10};
  if (z == 4) return {20, 21, 0, 7};
  return {26, 22, 8, (z >= 4 ? 2 + 5 * (z / 4) : 0) + (5 + 3 * (z & 3U)) * bitIn(z, 3)};
}

RowLoop gradWFloat(std::uint64_t z) {
  if (z == 4) return {30, 9, 0, 5};
  if (z == 2) return {32, 7, 0, 4};
  return {34, 9, 0, 9 + z / 2 + z % 2};
}

RowLoop gradWHalf(std::uint64_t z) {
  if (z == 8) return {30, 11, 0, 5};
  if (z == 4) return {32, 10, 0, 4};
  return {35, 8, 0, 11 + z / 4 + 3 * bitIn(z, 2) + 4 * bitIn(z, 1)};
}

RowLoop loopOf(const SparseElementShape& shape) {
  const std::uint64_t z = shape.columns;
  switch (shape.pass) {
    case SparsePass::Forward:
    case SparsePass::GradA: {
      const bool forward = shape.pass == SparsePass::Forward;
      return isFloat(shape.type) ? gatherFloat(forward, z) : gatherHalf(forward, z);
    }
    case SparsePass::Transpose:
      return isFloat(shape.type) ? transposeFloat(z) : transposeHalf(z);
    case SparsePass::GradW:
      break;
  }
  return isFloat(shape.type) ? gradWFloat(z) : gradWHalf(z);
}

SparseWalk walkOf(SparsePass pass) {
  switch (pass) {
    case SparsePass::Forward:
      return {30, 32, 47, 46};
    case SparsePass::GradA:
      return {30, 32, 46, 46};
    case SparsePass::Transpose:
      return {30, 32, 44, 68};
    case SparsePass::GradW:
      break;
  }
  return kSparseGradWWalk;
}

}  // namespace

Cycles sparseWalkCycles(const SparseWalk& walk, const SparseBuckets& buckets) {
  const std::uint64_t foreign = (buckets.buckets - buckets.with_info) * buckets.subgroups;
  const std::uint64_t own = (buckets.subgroups + 1) * walk.per_subgroup / 2 + walk.per_bucket;
  return Cycles(walk.base + walk.per_foreign_subgroup * foreign + own * buckets.with_info);
}

Cycles sparseElementWorkerCycles(const Architecture& machine, const SparseElementShape& shape) {
  const RowLoop loop = loopOf(shape);
  std::uint64_t row = loop.row;
  for (const std::uint64_t count : shape.non_zeros) {
    const bool dealt = shape.pass == SparsePass::Transpose;
    row += loop.entry + loop.each * (dealt ? largestShare(machine, count) : count);
  }
  return Cycles(loop.overhead + shape.rows * row);
}

Cycles sparseForwardRowsCycles(ElementType type, std::uint64_t columns, const SparseRows& rows) {
  const RowLoop loop = loopOf({SparsePass::Forward, type, {}, 1, columns, {}});
  return Cycles(loop.overhead + rows.rows * (loop.row + loop.entry) + rows.non_zeros * loop.each);
}

Cycles sparseForwardTileCycles(const Architecture& machine, ElementType type, std::uint64_t columns,
                               const DealRows& deal) {
  Cycles best(0);
  for (std::uint64_t by_rows = 1; by_rows <= machine.workers_per_tile; ++by_rows) {
    if (machine.workers_per_tile % by_rows != 0) continue;
    const std::uint64_t share = ceilDiv(columns, machine.workers_per_tile / by_rows);
    const std::uint64_t width =
        std::min(columns, roundUp(share, 2 * std::uint64_t{machine.vectorWidth(type)}));
    Cycles slowest(0);
    for (const SparseRows& rows : deal(by_rows)) {
      slowest = std::max(slowest, sparseForwardRowsCycles(type, width, rows));
    }
    if (by_rows == 1 || slowest < best) best = slowest;
  }
  return sparseWalkCycles(walkOf(SparsePass::Forward), {}) + tileCyclesOf(machine, best.value());
}

Cycles sparseElementCycles(const Architecture& machine, const SparseElementShape& shape) {
  return sparseWalkCycles(walkOf(shape.pass), shape.buckets) +
         tileCyclesOf(machine, sparseElementWorkerCycles(machine, shape).value());
}

}  // namespace ipusim::models
