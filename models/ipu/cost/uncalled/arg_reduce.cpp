// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/arg_reduce.h"

#include <algorithm>
#include <cmath>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in arg_reduce.h.

namespace ipusim::models {
namespace {

bool isFloating(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

/// `sum` and `more`, cut to a whole number.
std::uint64_t cutSum(std::uint64_t sum, double more) {
  return static_cast<std::uint64_t>(static_cast<double>(sum) + more);
}

double logSlots(std::uint64_t i) {
  return 20 * std::log(static_cast<double>(i));
}

/// What comes after the first slots of a vertex that finds the `largest` elements. They are `sum`.
std::uint64_t withLargest(std::uint64_t sum, std::uint64_t elements, std::uint64_t largest,
                          TopOrder order) {
  for (std::uint64_t i = 1; i < largest; ++i) sum = cutSum(sum, 13 + logSlots(i));
  sum = cutSum(sum, static_cast<double>(elements - largest) * (13 + logSlots(largest)));
  sum += 8 * largest;
  if (order == TopOrder::Any) return sum;
  for (std::uint64_t i = largest; i >= 1; --i) sum = cutSum(sum + 10, logSlots(i));
  return sum;
}

}  // namespace

Cycles classGatherCycles(const Architecture& machine, ElementType type, std::uint64_t elements,
                         std::uint64_t worker_elements) {
  const std::uint64_t slots =
      isFloating(type) ? 30 + 3 * (std::min(worker_elements, elements) - 1)
                       : 22 + ceilDiv(elements, worker_elements) * (6 * worker_elements + 25);
  return Cycles(9) + tileCyclesOf(machine, slots);
}

Cycles classSparseCycles(ElementType type, std::uint64_t elements) {
  return Cycles(isFloating(type) ? 24 + 3 * elements : 23 + 6 * elements);
}

Cycles maxNClassSparseCycles(std::uint64_t elements, std::uint64_t largest, TopOrder order) {
  return Cycles(withLargest(35, elements, largest, order));
}

Cycles maxNClassGatherCycles(std::uint64_t elements, std::uint64_t worker_elements,
                             std::uint64_t largest, TopOrder order) {
  const std::uint64_t part = 23 + withLargest(0, elements, largest, order);
  return Cycles(12 + ceilDiv(elements, worker_elements) * part);
}

Cycles accuracyCycles(std::uint64_t elements) {
  return Cycles(14 + 4 * elements);
}

}  // namespace ipusim::models
