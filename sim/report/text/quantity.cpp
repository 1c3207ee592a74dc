// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/quantity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ipusim::report {

namespace {

constexpr double kThousand = 1000;
constexpr std::array<const char*, 6> kLargerUnits = {"", "k", "M", "G", "T", "P"};
constexpr std::array<const char*, 4> kSmallerUnits = {"", "m", "u", "n"};

/// Three significant figures of a number below 1000, without an exponent.
std::string threeFigures(double value) {
  // Below 9.995, two decimals make three figures, and so on.
  constexpr double kOneDigit = 9.995;
  constexpr double kTwoDigits = 99.95;
  constexpr double kBelowOne = 0.9995;
  if (value < kBelowOne) return fmt::format("{:.3f}", value);
  if (value < kOneDigit) return fmt::format("{:.2f}", value);
  if (value < kTwoDigits) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

/// The value in the largest unit in which it is at least 1 after rounding.
std::string withPrefix(double value, const char* unit) {
  constexpr double kRoundsToThousand = 999.5;
  std::size_t prefix = 0;
  while (value >= kRoundsToThousand && prefix + 1 < kLargerUnits.size()) {
    value /= kThousand;
    ++prefix;
  }
  return fmt::format("{} {}{}", threeFigures(value), kLargerUnits[prefix], unit);
}

}  // namespace

std::string bytesText(Bytes bytes) {
  if (bytes < Bytes(1000)) return fmt::format("{} B", bytes.value());
  return withPrefix(static_cast<double>(bytes.value()), "B");
}

std::string secondsText(double seconds) {
  // A tenth of a unit reads better than a hundred of the next: 0.420 ms.
  constexpr double kEnough = 0.1;
  std::size_t prefix = 0;
  while (seconds < kEnough && prefix + 1 < kSmallerUnits.size()) {
    seconds *= kThousand;
    ++prefix;
  }
  return fmt::format("{} {}s", threeFigures(seconds), kSmallerUnits[prefix]);
}

std::string bandText(double low, double high) {
  constexpr double kMuch = 1.3;
  const double factor = low > 0 ? std::sqrt(high / low) : 1;
  if (factor > kMuch) return fmt::format("within a factor of {:.2g}", factor);
  const double percent = 100 * (factor - 1);
  return percent < 1 ? fmt::format("± {:.1f} %", percent) : fmt::format("± {:.0f} %", percent);
}

std::string rateText(double flops_per_second) {
  return withPrefix(flops_per_second, "FLOP/s");
}

std::string workText(Flops flops) {
  return withPrefix(static_cast<double>(flops.value()), "FLOP");
}

std::string clockText(double hertz) {
  return withPrefix(hertz, "Hz");
}

std::string countText(std::uint64_t count) {
  constexpr int kGroup = 3;
  std::string text = std::to_string(count);
  for (int at = static_cast<int>(text.size()) - kGroup; at > 0; at -= kGroup) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string countText(std::uint64_t count, std::size_t width) {
  const std::string text = countText(count);
  return text.size() <= width ? text : fmt::format("{:.3g}", static_cast<double>(count));
}

std::string shapeText(const Shape& shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::string percentText(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string countOf(std::uint64_t count, const std::string& noun) {
  return countText(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string bar(double share, int width) {
  const double blocks = std::clamp(share, 0.0, 1.0) * width;
  std::string text;
  for (int i = 0; i < static_cast<int>(std::lround(blocks)); ++i) text += "█";
  if (text.empty() && share > 0) text = "▏";
  return text;
}

}  // namespace ipusim::report
