// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/quantile.h"

#include <algorithm>
#include <cstddef>

namespace ipusim::energy {

double quantileOf(std::vector<double> draws, double share) {
  std::sort(draws.begin(), draws.end());
  const double place = share * static_cast<double>(draws.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, draws.size() - 1);
  return draws[below] + (place - static_cast<double>(below)) * (draws[above] - draws[below]);
}

}  // namespace ipusim::energy
