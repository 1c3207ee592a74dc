// SPDX-License-Identifier: Apache-2.0
#include "base/config/size_error.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/text/json.h"

namespace ipusim {

namespace {

/// The largest whole number in a value, or 0 when there is none.
std::uint64_t largestIn(const SortedJson& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  std::uint64_t largest = 0;
  if (!value.is_structured()) return largest;
  for (const auto& below : value) largest = std::max(largest, largestIn(below));
  return largest;
}

}  // namespace

ConfigError errorAtLargest(const ConfigReader& table, const std::string& wanted) {
  const auto values = table.values();
  std::string largest_key;
  std::uint64_t largest = 0;
  for (const std::string& key : table.keys()) {
    const std::uint64_t in_key = largestIn(values.json().at(key));
    if (in_key <= largest) continue;
    largest = in_key;
    largest_key = key;
  }
  // A file has the sizes of what it describes.
  if (largest <= 1 && table.has("file")) return table.error("file", wanted);
  return table.error(largest_key.empty() ? "kind" : largest_key, wanted);
}

}  // namespace ipusim
