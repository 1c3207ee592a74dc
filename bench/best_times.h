// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace ipusim::bench {

/// CPU seconds of two works.
struct BestTimes {
  double first;
  double second;
};

/// The best time of each of two works, which run by turns. CPU seconds of this process leave out
/// other work of the machine as far as possible; what is left of it slows both works alike.
BestTimes bestByTurns(int turns, const std::function<void()>& first,
                      const std::function<void()>& second);

}  // namespace ipusim::bench
