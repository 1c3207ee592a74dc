// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::models {

/// Numbers that are drawn at random, and those who each wait for some of them.
struct RandomHits {
  double mean;            ///< how many of them one is expected to be hit by
  std::uint64_t waiting;  ///< how many wait; their hits are taken to be independent
};

/// The hits of the one who is hit most: the least number that, more likely than not, nobody
/// exceeds. Hits have a Poisson distribution; where a mean is large, the normal one.
/// Calibrated: no.
std::uint64_t mostHits(const RandomHits& hits);

}  // namespace ipusim::models
