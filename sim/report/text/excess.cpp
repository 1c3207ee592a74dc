// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/excess.h"

#include <fmt/format.h>

#include "sim/report/text/quantity.h"

namespace ipusim::report {

std::optional<std::string> describeExcess(const run::HostCost& cost,
                                          const run::HostLimits& limits) {
  if (run::isSurelyTooLong(cost, limits)) {
    return fmt::format("about {}, more than {}", secondsText(cost.seconds),
                       secondsText(*limits.seconds));
  }
  if (run::isSurelyTooLarge(cost, limits)) {
    return fmt::format("about {}, more than {}", bytesText(cost.memory), bytesText(*limits.memory));
  }
  return std::nullopt;
}

}  // namespace ipusim::report
