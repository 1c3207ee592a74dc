// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

// Functions that vertices and their gradients share.

namespace ipusim::workloads {

constexpr float kSqrtTwoOverPi = 0.79788456F;
constexpr float kInverseSqrtTwoPi = 0.39894228F;
constexpr float kGeluCube = 0.044715F;

template <typename Number>
Number logistic(Number x) {
  return 1 / (1 + std::exp(-x));
}

/// The normal distribution function.
template <typename Number>
Number normalBelow(Number x) {
  constexpr auto kSqrtHalf = static_cast<Number>(0.70710678118654752);
  return Number(0.5) * (1 + std::erf(x * kSqrtHalf));
}

/// What the approximation of gelu takes the tanh of.
inline float geluArgument(float x) {
  return kSqrtTwoOverPi * (x + kGeluCube * x * x * x);
}

}  // namespace ipusim::workloads
