// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/nonlinearity.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in nonlinearity.h.

namespace ipusim::models {
namespace {

std::uint64_t tailSlots(ElementType type, std::uint64_t rest) {
  if (type == ElementType::Float) return 4 + (rest > 0 ? 4 : 0);
  return 6 + (rest >= 2 ? 5 : 0) + (rest % 2 != 0 ? 7 : 0);
}

std::uint64_t loopSlots(std::uint64_t vectors) {
  return vectors > 0 ? 5 + 3 * (vectors - 1) : 0;
}

}  // namespace

Cycles nonLinearityGradCycles(const Machine& machine, const NonLinearityGradShape& shape) {
  const std::uint64_t vector = machine.vectorWidth(shape.type);
  const std::uint64_t loop = loopSlots(largestShare(machine, shape.elements / vector));
  const std::uint64_t pointers = shape.pointers == PointerLayout::Scaled64 ? 3 : 0;
  return Cycles(9) + tileCyclesOf(machine, 20 + pointers + loop +
                                               tailSlots(shape.type, shape.elements % vector));
}

Cycles nonLinearityGrad2dCycles(const Machine& machine, ElementType type,
                                const std::vector<std::uint64_t>& regions) {
  const std::uint64_t vector = machine.vectorWidth(type);
  std::uint64_t slots = 17;
  for (const std::uint64_t n : regions) {
    slots += 8 + loopSlots(n / vector) + tailSlots(type, n % vector);
  }
  return Cycles(slots);
}

Cycles lossCycles(const LossShape& shape) {
  const std::uint64_t n = shape.elements;
  const bool squared = shape.loss == Loss::SumSquared;
  const std::uint64_t start = squared ? 19 : 20;
  const std::uint64_t step = squared ? 4 : 9;
  if (shape.type == ElementType::Float) return Cycles(start + step * n);
  const std::uint64_t odd = squared ? 6 : 11;
  return Cycles(start + 3 + step * (n / 2) + (n % 2 != 0 ? odd : 0));
}

Cycles maxClassGatherCycles(const Machine& machine, std::uint64_t elements,
                            std::uint64_t worker_elements) {
  return Cycles(9) + tileCyclesOf(machine, 30 + 3 * (std::min(worker_elements, elements) - 1));
}

Cycles maxClassSparseCycles(std::uint64_t elements) {
  return Cycles(24 + 3 * elements);
}

}  // namespace ipusim::models
