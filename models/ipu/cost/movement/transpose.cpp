// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/transpose.h"

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in transpose.h.

namespace ipusim::models {
namespace {

constexpr Bytes kTransposeHalf(2);
constexpr std::uint64_t kBlock = 4;             // rows and columns of a block of halves
constexpr std::uint64_t kFloatLoopLimit = 512;  // of the fast loop over floats
constexpr std::uint64_t kSingleWorkerBlocks = 4;
constexpr std::uint64_t kSupervisorSlots = 7;

bool inBlocks(std::uint64_t rows, std::uint64_t columns) {
  return rows % kBlock == 0 && columns % kBlock == 0 && rows > 0 && columns > 0;
}

std::uint64_t floatSlots(const TransposeShape& shape) {
  const std::uint64_t rows = shape.rows;
  const std::uint64_t columns = shape.columns;
  const bool fast = rows % 2 == 0 && columns % 2 == 0 && columns > 0 && rows < kFloatLoopLimit &&
                    rows * (columns - 2) / 2 < kFloatLoopLimit;
  if (fast) return 27 + shape.matrices * (11 + rows / 2 * (6 + 3 * (columns / 2 - 1)));
  return 13 + shape.matrices * (8 + columns * (5 + 2 * rows));
}

std::uint64_t halfSlots(const TransposeShape& shape) {
  const std::uint64_t matrices = shape.matrices;
  if (!inBlocks(shape.rows, shape.columns)) {
    return 15 + matrices * (8 + shape.columns * (5 + 5 * shape.rows / 2));
  }
  const std::uint64_t r = shape.rows / kBlock;
  const std::uint64_t c = shape.columns / kBlock;
  if (c >= 2) return 39 + matrices * (12 + r * (15 + 4 * (c - 2)));
  if (r == 1) return 34 + 15 * matrices;
  return 30 + matrices * (37 + 4 * (r - 2));
}

/// The function t(m) of transpose.h.
std::uint64_t wholeMatricesSlots(const TransposeShape& shape, std::uint64_t matrices) {
  const std::uint64_t r = shape.rows / kBlock;
  const std::uint64_t c = shape.columns / kBlock;
  if (c >= 2) return 29 + matrices * (18 + r * (12 + 4 * (c - 2)));
  if (r >= 2) return 27 + matrices * (35 + 4 * (r - 2));
  return matrices < 2 ? 29 : 37 + 4 * (matrices - 2);
}

/// The value p of transpose.h, for the largest piece.
std::uint64_t pieceSlots(const Architecture& machine, const TransposeShape& shape) {
  const std::uint64_t r = shape.rows / kBlock;
  const std::uint64_t c = shape.columns / kBlock;
  const std::uint64_t workers = machine.workers_per_tile / shape.matrices;
  const std::uint64_t a = ceilDiv(r, workers);
  const std::uint64_t workers_on_a_row = workers / ceilDiv(r, a);
  const std::uint64_t b = ceilDiv(c, workers_on_a_row);
  if (b >= 2) return 27 + a * (12 + 4 * (b - 2));
  return a < 2 ? 29 : 45 + 4 * (a - 2);
}

Cycles spread(const Architecture& machine, std::uint64_t slots) {
  return Cycles(kSupervisorSlots) + tileCyclesOf(machine, slots - kSupervisorSlots);
}

}  // namespace

TransposeVertex transposeVertexFor(const Architecture& machine, Bytes element, std::uint64_t rows,
                                   std::uint64_t columns, std::uint64_t matrices) {
  if (element != kTransposeHalf || !inBlocks(rows, columns)) return TransposeVertex::Transpose2D;
  const std::uint64_t blocks = rows / kBlock * (columns / kBlock) * matrices;
  if (blocks <= kSingleWorkerBlocks) return TransposeVertex::Transpose1DSingleWorker;
  if (2 * matrices <= machine.workers_per_tile) return TransposeVertex::SplitTranspose1D;
  return TransposeVertex::Transpose1D;
}

Cycles transposeCycles(const Architecture& machine, const TransposeShape& shape) {
  const bool half = shape.element == kTransposeHalf;
  if (shape.vertex == TransposeVertex::Transpose2D) {
    return Cycles(half ? halfSlots(shape) : floatSlots(shape));
  }
  check(half && inBlocks(shape.rows, shape.columns) && shape.matrices > 0,
        "transposeCycles: the 1D vertices move 4x4 blocks of two-byte elements");
  const std::uint64_t scaled = shape.layout == PointerLayout::Plain ? 0 : 1;
  if (shape.vertex == TransposeVertex::Transpose1DSingleWorker) {
    return Cycles(wholeMatricesSlots(shape, shape.matrices) + scaled);
  }
  if (shape.vertex == TransposeVertex::SplitTranspose1D) {
    check(shape.matrices <= machine.workers_per_tile,
          "transposeCycles: SplitTranspose1D has a worker at least for each matrix");
    return spread(machine, pieceSlots(machine, shape) + scaled);
  }
  const std::uint64_t matrices = largestShare(machine, shape.matrices);
  return spread(machine, wholeMatricesSlots(shape, matrices) + scaled) + Cycles(2 * scaled);
}

}  // namespace ipusim::models
