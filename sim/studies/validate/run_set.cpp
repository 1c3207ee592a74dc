// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/run_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ipusim::validate {

namespace {

constexpr std::uint64_t kMostPoints = 10'000;

bool hasEquals(const std::string& text) {
  return splitOutsideBrackets(text, '=').size() > 1;
}

/// The items of a list such as `{256, 512}`. Any other value, including an inline table, is one
/// item.
std::vector<std::string> valuesIn(const Cell& cell, std::string_view text) {
  if (text.empty() || text.front() != '{') return {std::string(text)};
  if (text.size() < 2 || text.back() != '}') throw cell.error("a brace list such as n={256,512}");
  std::vector<std::string> items = splitOutsideBrackets(text.substr(1, text.size() - 2), ',');
  if (std::any_of(items.begin(), items.end(), hasEquals)) return {std::string(text)};
  const bool gap =
      std::any_of(items.begin(), items.end(), [](const std::string& item) { return item.empty(); });
  if (gap) throw cell.error("a value before and after each comma of a brace list");
  return items;
}

OverrideList parseOverride(const Cell& cell, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw cell.error("overrides key=value, with ; between them");
  }
  const std::string_view whole = text;
  return {std::string(trimmed(whole.substr(0, equals))),
          valuesIn(cell, trimmed(whole.substr(equals + 1)))};
}

/// The lengths of the lists, each once, in the order of the first list of that length.
std::vector<std::size_t> lengthsOf(const std::vector<OverrideList>& overrides) {
  std::vector<std::size_t> lengths;
  for (const OverrideList& list : overrides) {
    const std::size_t length = list.values.size();
    if (std::find(lengths.begin(), lengths.end(), length) == lengths.end()) {
      lengths.push_back(length);
    }
  }
  return lengths;
}

std::vector<Override> pointAt(const std::vector<OverrideList>& overrides,
                              const std::vector<std::size_t>& lengths, std::size_t point) {
  std::vector<std::size_t> item(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    item[i] = point % lengths[i];
    point /= lengths[i];
  }
  std::vector<Override> result;
  result.reserve(overrides.size());
  for (const OverrideList& list : overrides) {
    const auto length = std::find(lengths.begin(), lengths.end(), list.values.size());
    result.push_back(
        {list.key, list.values[item[static_cast<std::size_t>(length - lengths.begin())]]});
  }
  return result;
}

}  // namespace

std::vector<OverrideList> parseOverrides(const Cell& cell, std::string_view text) {
  std::vector<OverrideList> overrides;
  for (const std::string& part : splitOutsideBrackets(text, ';')) {
    overrides.push_back(parseOverride(cell, part));
  }
  std::uint64_t points = 1;
  for (const std::size_t length : lengthsOf(overrides)) {
    points *= length;
    if (points > kMostPoints)
      throw cell.error(fmt::format("a set of at most {} runs", kMostPoints));
  }
  return overrides;
}

RunSet parseRunSet(const Cell& cell) {
  const std::string_view text = cell.text;
  const std::size_t end = text.find(';');
  RunSet runs{std::string(trimmed(text.substr(0, end))), {}};
  if (runs.config.empty()) throw cell.error("the path of a run config");
  if (end != std::string_view::npos) runs.overrides = parseOverrides(cell, text.substr(end + 1));
  return runs;
}

std::vector<std::vector<Override>> pointsOf(const std::vector<OverrideList>& overrides) {
  const std::vector<std::size_t> lengths = lengthsOf(overrides);
  std::size_t count = 1;
  for (const std::size_t length : lengths) count *= length;
  std::vector<std::vector<Override>> points;
  points.reserve(count);
  for (std::size_t point = 0; point < count; ++point) {
    points.push_back(pointAt(overrides, lengths, point));
  }
  return points;
}

}  // namespace ipusim::validate
