// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/popsparse_rearrange.h"

#include <array>

#include "models/ipu/cost/transpose.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

/// A worker's loop over vectors: a call, a turn, what an empty loop costs, and by what is left.
struct GatherLoop {
  std::uint64_t overhead;
  std::uint64_t turn;
  std::uint64_t no_turn;
  std::array<std::uint64_t, 4> rest;
};
constexpr GatherLoop kGatherFloat{28, 3, 1, {0, 2, 0, 0}};
constexpr GatherLoop kGatherHalf{29, 5, 2, {0, 5, 5, 9}};

constexpr std::uint64_t kTransposeSupervisor = 7;

std::uint64_t floatTransposeSlots(std::uint64_t each, std::uint64_t rows, std::uint64_t columns) {
  if (rows == 2 && columns == 2) return 31 + 3 * each;
  if (columns == 2) return 27 + each * (29 + 3 * rows / 2);
  return 29 + each * (18 + rows / 2 * (6 + 3 * columns / 2));
}

}  // namespace

Cycles sparseGatherCycles(const Machine& machine, ElementType type, std::uint64_t indices) {
  const GatherLoop& loop = type == ElementType::Float ? kGatherFloat : kGatherHalf;
  const std::uint64_t width = machine.vectorWidth(type);
  const std::uint64_t turns = largestShare(machine, indices / width);
  return tileCyclesOf(machine, loop.overhead + (turns == 0 ? loop.no_turn : turns * loop.turn) +
                                   loop.rest.at(indices % width));
}

Cycles sparseBlockTransposeCycles(const Machine& machine, const BlockTranspose& shape) {
  const std::uint64_t each = largestShare(machine, shape.blocks);
  const std::uint64_t turns = shape.type == ElementType::Float
                                  ? shape.columns / 8 * (3 + 6 * shape.block)
                                  : shape.columns / 16 * (3 + 23 * shape.block / 4);
  return tileCyclesOf(machine, 37 + each * (3 + turns));
}

Cycles sparseTransposeCycles(const Machine& machine, ElementType type, std::uint64_t matrices,
                             std::uint64_t rows, std::uint64_t columns) {
  if (type == ElementType::Float) {
    return Cycles(kTransposeSupervisor) +
           tileCyclesOf(machine,
                        floatTransposeSlots(largestShare(machine, matrices), rows, columns));
  }
  const TransposeShape shape{TransposeVertex::Transpose1D, sizeOf(type), rows, columns, matrices};
  return transposeCycles(machine, shape) + tileCyclesOf(machine, kTransposeSupervisor);
}

}  // namespace ipusim::models
