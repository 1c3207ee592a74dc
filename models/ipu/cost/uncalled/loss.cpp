// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/loss.h"

// The literals are those of the formulas in loss.h.

namespace ipusim::models {

Cycles lossCycles(const LossShape& shape) {
  const std::uint64_t n = shape.elements;
  const bool squared = shape.loss == Loss::SumSquared;
  const std::uint64_t start = squared ? 19 : 20;
  const std::uint64_t step = squared ? 4 : 9;
  if (shape.type == ElementType::Float) return Cycles(start + step * n);
  const std::uint64_t odd = squared ? 6 : 11;
  return Cycles(start + 3 + step * (n / 2) + (n % 2 != 0 ? odd : 0));
}

}  // namespace ipusim::models
