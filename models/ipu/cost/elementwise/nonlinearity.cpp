// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/nonlinearity.h"

#include <algorithm>
#include <array>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in nonlinearity.h.

namespace ipusim::models {
namespace {

/// Issue slots of a function: on one register, and on a vector in the loop.
struct FunctionSlots {
  std::uint64_t op;
  std::uint64_t vector;
};

struct FunctionRow {
  NonLinearity function;
  FunctionSlots of_halves;
  FunctionSlots of_floats;
};
constexpr std::array kNonlinearityForward{FunctionRow{NonLinearity::Relu, {1, 1}, {1, 1}},
                                          FunctionRow{NonLinearity::Sigmoid, {2, 4}, {5, 10}},
                                          FunctionRow{NonLinearity::Tanh, {1, 2}, {5, 10}},
                                          FunctionRow{NonLinearity::Gelu, {5, 5}, {10, 10}},
                                          FunctionRow{NonLinearity::Swish, {3, 5}, {6, 11}}};
constexpr std::array kGradient{FunctionRow{NonLinearity::Relu, {3, 3}, {3, 3}},
                               FunctionRow{NonLinearity::Sigmoid, {3, 3}, {3, 3}},
                               FunctionRow{NonLinearity::Tanh, {3, 3}, {3, 3}},
                               FunctionRow{NonLinearity::Gelu, {5, 5}, {10, 10}},
                               FunctionRow{NonLinearity::GeluErf, {15, 15}, {30, 30}},
                               FunctionRow{NonLinearity::Swish, {7, 9}, {10, 15}}};

template <typename Table>
FunctionSlots slotsIn(const Table& table, const NonLinearityKind& kind) {
  const auto* const row = std::find_if(table.begin(), table.end(), [&](const FunctionRow& one) {
    return one.function == kind.function;
  });
  check(row != table.end(), "nonLinearityCycles: exact gelu is a UnaryOp");
  return kind.type == ElementType::Half ? row->of_halves : row->of_floats;
}

/// Slots of a part-used vector: `pair` for one of its halves, and `one` for a last element.
std::uint64_t restSlots(std::uint64_t rest, std::uint64_t pair, std::uint64_t one) {
  return (rest >= 2 ? pair : 0) + (rest % 2 != 0 ? one : 0);
}

bool isSwishInPlace(const NonLinearityKind& kind) {
  return kind.function == NonLinearity::Swish && kind.placement == OpPlacement::InPlace;
}

bool hasScaledPointers(const NonLinearityKind& kind) {
  return kind.pointers == PointerLayout::Scaled64;
}

/// Slots of the loop over `vectors` and of the rest, without those of every tail.
std::uint64_t forwardSlots(const NonLinearityKind& kind, std::uint64_t vectors,
                           std::uint64_t rest) {
  const FunctionSlots cost = slotsIn(kNonlinearityForward, kind);
  const std::uint64_t loop = vectors > 0 ? 3 + 2 * cost.op + (vectors - 1) * cost.vector : 0;
  return loop + (isHalf(kind.type) ? restSlots(rest, 2 + cost.op, 3 + cost.op)
                                   : restSlots(rest, 0, 2 + cost.op));
}

std::uint64_t gradientSlots(const NonLinearityKind& kind, std::uint64_t vectors,
                            std::uint64_t rest) {
  const FunctionSlots cost = slotsIn(kGradient, kind);
  const std::uint64_t loop = vectors > 0 ? 5 + (vectors - 1) * cost.vector : 0;
  return loop + (isHalf(kind.type) ? restSlots(rest, cost.op + 2, cost.op + 4)
                                   : restSlots(rest, 0, cost.op + 1));
}

}  // namespace

Cycles nonLinearityCycles(const Architecture& machine, const NonLinearityShape& shape) {
  const NonLinearityKind& kind = shape.kind;
  const std::uint64_t width = machine.vectorWidth(kind.type);
  const std::uint64_t start =
      20 + (isSwishInPlace(kind) ? 1 : 0) + (hasScaledPointers(kind) ? 1 : 0);
  const std::uint64_t vectors = largestShare(machine, shape.elements / width);
  const std::uint64_t tail = isHalf(kind.type) ? 4 : 3;
  return Cycles(9) +
         tileCyclesOf(machine, start + tail + forwardSlots(kind, vectors, shape.elements % width));
}

Cycles nonLinearity2dCycles(const Architecture& machine, const NonLinearity2dShape& shape) {
  const std::uint64_t width = machine.vectorWidth(shape.kind.type);
  const std::uint64_t entry = isHalf(shape.kind.type) ? 13 + 4 : 10 + 2;
  return regionCycles(isSwishInPlace(shape.kind) ? 6 : 14, shape.regions, [&](std::uint64_t n) {
    return entry + forwardSlots(shape.kind, n / width, n % width);
  });
}

Cycles nonLinearityGradCycles(const Architecture& machine, const NonLinearityShape& shape) {
  const NonLinearityKind& kind = shape.kind;
  const std::uint64_t width = machine.vectorWidth(kind.type);
  const std::uint64_t start = 20 + (hasScaledPointers(kind) ? 3 : 0);
  const std::uint64_t vectors = largestShare(machine, shape.elements / width);
  const std::uint64_t tail = isHalf(kind.type) ? 6 : 4;
  return Cycles(9) +
         tileCyclesOf(machine, start + tail + gradientSlots(kind, vectors, shape.elements % width));
}

Cycles nonLinearityGrad2dCycles(const Architecture& machine, const NonLinearity2dShape& shape) {
  const std::uint64_t width = machine.vectorWidth(shape.kind.type);
  const std::uint64_t entry = 10 + (isHalf(shape.kind.type) ? 4 : 2);
  return regionCycles(17, shape.regions, [&](std::uint64_t n) {
    return entry + gradientSlots(shape.kind, n / width, n % width);
  });
}

}  // namespace ipusim::models
