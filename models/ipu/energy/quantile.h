// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace ipusim::energy {

/// The value that a share of the draws is below, between neighbours on a straight line. Needs at
/// least one draw.
double quantileOf(std::vector<double> draws, double share);

inline constexpr double kLowShare = 0.05;
inline constexpr double kHighShare = 0.95;

/// The mean of each part over the draws, times one factor that makes the sum `total`.
template <typename Parts>
Parts scaledMean(const std::vector<Parts>& draws, double total) {
  Parts mean{};
  double sum = 0;
  for (const Parts& draw : draws) {
    for (std::size_t p = 0; p < mean.size(); ++p) {
      mean[p] += draw[p];
      sum += draw[p];
    }
  }
  for (double& part : mean) part = sum > 0 ? part * (total / sum) : 0;
  return mean;
}

}  // namespace ipusim::energy
