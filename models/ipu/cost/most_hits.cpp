// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/most_hits.h"

#include <cmath>

namespace ipusim::models {
namespace {

/// Beyond this mean the probability of no hit is hardly a double.
constexpr double kLargestPoisson = 500;

}  // namespace

std::uint64_t mostHits(const RandomHits& hits) {
  const double beyond = 0.5 / static_cast<double>(hits.waiting);
  if (hits.mean > kLargestPoisson) {
    return static_cast<std::uint64_t>(
        std::ceil(hits.mean + std::sqrt(-2 * hits.mean * std::log(beyond))));
  }
  double probability = std::exp(-hits.mean);
  double below = probability;
  std::uint64_t number = 0;
  while (1 - below > beyond) {
    ++number;
    probability *= hits.mean / static_cast<double>(number);
    below += probability;
  }
  return number;
}

}  // namespace ipusim::models
