// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/popsparse_rearrange.h"

#include <array>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in popsparse_rearrange.h.

namespace ipusim::models {
namespace {

/// A worker's loop over vectors: the first vector, each further one, and the rest by its length.
struct GatherLoop {
  std::uint64_t first;
  std::uint64_t turn;
  std::array<std::uint64_t, 4> rest;
};
constexpr GatherLoop kGatherFloat{5, 3, {0, 5, 0, 0}};
constexpr GatherLoop kGatherHalf{8, 5, {0, 10, 10, 14}};

}  // namespace

Cycles sparseGatherCycles(const Architecture& machine, ElementType type, std::uint64_t indices) {
  const GatherLoop& loop = type == ElementType::Float ? kGatherFloat : kGatherHalf;
  const std::uint64_t width = machine.vectorWidth(type);
  const std::uint64_t turns = largestShare(machine, indices / width);
  const std::uint64_t vectors = turns > 0 ? loop.first + loop.turn * (turns - 1) : 0;
  // The worker with the rest has one vector less, if there are vectors at all.
  const std::uint64_t less = turns > 0 ? loop.turn : 0;
  const std::uint64_t rest = loop.rest.at(indices % width);
  return Cycles(18) + tileCyclesOf(machine, 23 + vectors + (rest > less ? rest - less : 0));
}

Cycles sparseBlockTransposeCycles(const Architecture& machine, const BlockTranspose& shape) {
  const std::uint64_t each = largestShare(machine, shape.blocks);
  const std::uint64_t turns = shape.type == ElementType::Float
                                  ? shape.columns / 8 * (3 + 12 * (shape.block / 2))
                                  : shape.columns / 16 * (3 + 23 * (shape.block / 4));
  return Cycles(18) + tileCyclesOf(machine, 34 + each * (3 + turns));
}

Cycles sparseTransposeCycles(const Architecture& machine, ElementType type,
                             const SparseTranspose& shape) {
  const std::uint64_t grain = machine.vectorWidth(type);
  const std::uint64_t k = type == ElementType::Float ? 3 : 4;
  const std::uint64_t r = shape.rows / grain;
  const std::uint64_t c = shape.columns / grain;
  const std::uint64_t m = largestShare(machine, shape.matrices);
  std::uint64_t slots = 29 + m * (18 + r * (12 + k * (c - 2)));
  if (c == 1) slots = 27 + m * (35 + k * (r - 2));
  if (c == 1 && r == 1) slots = m == 1 ? 29 : 37 + k * (m - 2);
  return Cycles(7) + tileCyclesOf(machine, slots);
}

}  // namespace ipusim::models
