// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "workloads/ops/numbers.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

/// `value` as memory of a type holds it. Of another type than half and float, it stays.
inline double roundedTo(ElementType type, double value) {
  if (type == ElementType::Float) return static_cast<double>(static_cast<float>(value));
  if (type != ElementType::Half) return value;
  return static_cast<double>(static_cast<float>(Half(static_cast<float>(value))));
}

/// Moves numbers by as much as rounding may at most, up or down by chance. To first order, results
/// are off by a sum over all roundings, each times how much the result depends on it. Of roundings
/// that do not depend on one another, the root of the mean square over several probes is the root
/// of the sum of the squares of these terms at their most. The same seed gives the same numbers
/// everywhere.
class RoundingProbe {
 public:
  explicit RoundingProbe(std::uint64_t seed) : bits_(seed) {}

  double operator()(ElementType type, double value) {
    if (type != ElementType::Float && type != ElementType::Half) return value;
    double most = unitRoundoff(type) * std::abs(value);
    // Halves near zero are as far from one another as the two smallest.
    constexpr double kLeastHalf = 1.0 / (1U << 25U);
    if (type == ElementType::Half && value != 0) most = std::max(most, kLeastHalf);
    return (bits_() & 1U) == 0 ? value + most : value - most;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace ipusim::workloads
