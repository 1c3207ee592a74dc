// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace ipusim::validate {

std::string numberText(double value) {
  const double size = std::abs(value);
  const bool whole = value == std::floor(value) && size < 1e15;
  if (whole || (size >= 1e6 && size < 1e15)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

std::string percentText(double percent) {
  return fmt::format("{:+.1f}", std::round(10 * percent) / 10 + 0.0);
}

}  // namespace ipusim::validate
