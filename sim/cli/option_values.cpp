// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/option_values.h"

#include <algorithm>

namespace ipusim::cli {

std::optional<std::uint64_t> bytesIn(const std::string& text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;
  constexpr std::size_t kUnitBits = 10;  // K is 1024 bytes, M 1024 K
  const std::string units = "KMGT";
  const std::size_t unit = text.empty() ? std::string::npos : units.find(text.back());
  const bool has_unit = unit != std::string::npos;
  const std::uint64_t bytes = has_unit ? std::uint64_t{1} << (kUnitBits * (unit + 1)) : 1;
  const auto number = numberIn<std::uint64_t>(text.substr(0, text.size() - (has_unit ? 1 : 0)));
  if (!number || *number == 0 || *number > kMost / bytes) return std::nullopt;
  return *number * bytes;
}

std::optional<explore::Shard> shardIn(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto part = numberIn<std::uint64_t>(text.substr(0, slash));
  const auto count = numberIn<std::uint64_t>(text.substr(std::min(slash + 1, text.size())));
  const bool is_shard = part && count && 1 <= *part && *part <= *count && *count <= kMostShards;
  if (!is_shard) return std::nullopt;
  return explore::Shard{*part - 1, *count};
}

}  // namespace ipusim::cli
