// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "models/ipu/energy/constants.h"

// Sets of values that the constants may have together. All designs are priced with one list of
// them, so that what two designs have in common cancels.

namespace ipusim::energy {

/// One value per constant.
struct Values {
  std::array<double, kConstants> of_constant = {};

  [[nodiscard]] double operator[](Constant constant) const {
    return of_constant[static_cast<std::size_t>(constant)];
  }
  double& operator[](Constant constant) { return of_constant[static_cast<std::size_t>(constant)]; }
};

/// Number of draws that price a run.
inline constexpr std::size_t kDraws = 64;

/// The value of a band at a standard normal score: its median at 0, and its 5 % and 95 % quantiles
/// at -1.645 and 1.645. A band with unequal arms has each arm on its own side.
double valueAt(const Band& band, double score);

/// The score that a standard normal variable is below with this probability, above 0 and below 1.
double normalScore(double probability);

/// Pairs of draws that mirror each other about the medians. Before correlations each constant takes
/// the middle of each of `count` equally likely strata, in an order of its own, and what two
/// constants have in common by chance is taken out. The values are those of a fixed seed, rounded
/// to nine digits, so that every platform has the same. Needs an even count of twice as many draws
/// as constants, or more.
std::vector<Values> drawsOf(const Constants& constants, std::size_t count);

/// kDraws draws of the shipped constants, made once. Throws ConfigError.
const std::vector<Values>& shippedDraws();

}  // namespace ipusim::energy
