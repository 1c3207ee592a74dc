// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "sim/studies/sweep/shard.h"

// What the texts of options say.

namespace ipusim::cli {

constexpr std::uint64_t kMostShards = 1'000'000;

/// The number that the whole text is, if `Number` can hold it.
template <typename Number>
std::optional<Number> numberIn(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, number);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// Bytes above 0, as `65536`, `64K`, `1M`, `1G` or `1T` say them; nothing for any other text.
std::optional<std::uint64_t> bytesIn(const std::string& text);

/// The shard that a text such as `2/8` says, the one with index 1 of 8; nothing for any other text.
std::optional<explore::Shard> shardIn(const std::string& text);

}  // namespace ipusim::cli
