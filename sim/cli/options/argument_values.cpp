// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/options/argument_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/report/text/table_options.h"

namespace ipusim::cli {

namespace {

/// The largest values that a limit may have: an exabyte, and 30 years.
constexpr double kMostBytes = 1e18;
constexpr double kMostSeconds = 1e9;

/// A unit of one letter, and what it multiplies by.
struct Unit {
  char letter;
  double factor;
};

/// Reads a number above 0 and up to `most`, followed by one of the units.
std::optional<double> quantityIn(const std::string& text, const std::array<Unit, 3>& units,
                                 double most) {
  if (text.empty()) return std::nullopt;
  const auto* const unit = std::find_if(
      units.begin(), units.end(), [&text](const Unit& one) { return one.letter == text.back(); });
  if (unit == units.end()) return std::nullopt;
  const auto number = numberIn<double>(text.substr(0, text.size() - 1));
  if (!number || !(*number > 0) || *number * unit->factor > most) return std::nullopt;
  return *number * unit->factor;
}

}  // namespace

std::optional<std::uint64_t> jobsIn(const std::string& text) {
  const auto jobs = numberIn<std::uint64_t>(text);
  return jobs && 1 <= *jobs && *jobs <= kMostJobs ? jobs : std::nullopt;
}

std::optional<std::size_t> widthIn(const std::string& text) {
  const auto width = numberIn<std::size_t>(text);
  return width && report::kNarrowest <= *width && *width <= report::kWidest ? width : std::nullopt;
}

std::optional<std::vector<std::uint32_t>> tilesIn(const std::string& text) {
  std::vector<std::uint32_t> tiles;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const auto tile = numberIn<std::uint32_t>(text.substr(begin, comma - begin));
    if (!tile) return std::nullopt;
    tiles.push_back(*tile);
    begin = comma + 1;
  }
  return tiles;
}

std::optional<sweep::Shard> shardIn(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto part = numberIn<std::uint64_t>(text.substr(0, slash));
  const auto count = numberIn<std::uint64_t>(text.substr(std::min(slash + 1, text.size())));
  if (!part || !count || *part < 1 || *part > *count || *count > kMostShards) return std::nullopt;
  return sweep::Shard{*part - 1, *count};
}

std::optional<double> plainSecondsIn(const std::string& text) {
  const auto seconds = numberIn<double>(text);
  return seconds && *seconds > 0 && std::isfinite(*seconds) ? seconds : std::nullopt;
}

std::optional<double> secondsIn(const std::string& text) {
  constexpr double kMinute = 60;
  return quantityIn(text, {{{'s', 1}, {'m', kMinute}, {'h', kMinute * kMinute}}}, kMostSeconds);
}

std::optional<Bytes> bytesIn(const std::string& text) {
  const auto bytes = quantityIn(text, {{{'M', 1e6}, {'G', 1e9}, {'T', 1e12}}}, kMostBytes);
  return bytes ? std::optional(Bytes(static_cast<std::uint64_t>(*bytes))) : std::nullopt;
}

}  // namespace ipusim::cli
