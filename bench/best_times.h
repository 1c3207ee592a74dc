// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace ipusim::bench {

/// CPU seconds of two pieces of work.
struct BestTimes {
  double first;
  double second;
};

/// The best time of each of two pieces of work, which run by turns. CPU seconds of this process
/// leave out other work of the machine as far as possible. The influence that is left slows both
/// pieces alike.
BestTimes bestByTurns(int turns, const std::function<void()>& first,
                      const std::function<void()>& second);

}  // namespace ipusim::bench
