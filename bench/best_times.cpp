// SPDX-License-Identifier: Apache-2.0
#include "bench/best_times.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace ipusim::bench {

namespace {

double cpuSecondsFor(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

BestTimes bestByTurns(int turns, const std::function<void()>& first,
                      const std::function<void()>& second) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  BestTimes best{kNever, kNever};
  for (int turn = 0; turn < turns; ++turn) {
    best.first = std::min(best.first, cpuSecondsFor(first));
    best.second = std::min(best.second, cpuSecondsFor(second));
  }
  return best;
}

}  // namespace ipusim::bench
