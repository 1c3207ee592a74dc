// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/random.h"

#include "ipusim/error.h"

// The literals are those of the formulas in random.h.

namespace ipusim::models {
namespace {

/// `start`, then `rate` per `step` elements, and `rest` where elements are left over.
struct RandomLoop {
  std::uint64_t start;
  std::uint64_t rate;
  std::uint64_t step;
  std::uint64_t rest;

  [[nodiscard]] std::uint64_t cycles(std::uint64_t n) const {
    return start + rate * (n + step - 1) / step + (n % step > 0 ? rest : 0);
  }
};

RandomLoop uniformOf(const RandomShape& shape) {
  if (shape.type == ElementType::Float) return {136, 4, 32, 4};
  return {148, 4, 16, 12};
}

RandomLoop truncatedOf(const RandomShape& shape) {
  const std::uint64_t i = shape.iterations;
  if (shape.type == ElementType::Float) return {160, 11 * i + 5, 2, 13 * i + 2};
  return {172, 12 * i + 5, 4, 12 * i + 10};
}

RandomLoop loopOf(const Architecture& machine, const RandomShape& shape) {
  const bool is_half = shape.type == ElementType::Half;
  switch (shape.vertex) {
    case RandomVertex::Uniform:
      return uniformOf(shape);
    case RandomVertex::Bernoulli:
      return is_half ? RandomLoop{130, 1, 16, 9} : RandomLoop{142, 1, 32, 1};
    case RandomVertex::Normal:
      return is_half ? RandomLoop{148, 4, 4, 12} : RandomLoop{136, 4, 2, 3};
    case RandomVertex::TruncatedNormal:
      return truncatedOf(shape);
    case RandomVertex::Dropout:
      return {150, 2, machine.vectorWidth(shape.type), is_half ? 9ULL : 1ULL};
  }
  throw InternalError("a random vertex without a formula");
}

}  // namespace

Cycles randomCycles(const Architecture& machine, const RandomShape& shape) {
  const std::uint64_t n = shape.elements;
  if (shape.vertex == RandomVertex::Uniform && shape.type == ElementType::Int32) {
    return Cycles(136 + (shape.is_scaled ? 6 * (n / 2) + 2 * (n % 2) : n / 2));
  }
  return Cycles(loopOf(machine, shape).cycles(n));
}

}  // namespace ipusim::models
