// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

// Functions that vertices and their gradients share.

namespace ipusim::workloads {

constexpr float kSqrtTwoOverPi = 0.79788456F;
constexpr float kInverseSqrtTwoPi = 0.39894228F;
constexpr float kGeluCube = 0.044715F;

inline float logistic(float x) {
  return 1 / (1 + std::exp(-x));
}

/// The normal distribution function.
inline float normalBelow(float x) {
  constexpr float kSqrtHalf = 0.70710678F;
  return 0.5F * (1 + std::erf(x * kSqrtHalf));
}

/// What the approximation of gelu takes the tanh of.
inline float geluArgument(float x) {
  return kSqrtTwoOverPi * (x + kGeluCube * x * x * x);
}

}  // namespace ipusim::workloads
