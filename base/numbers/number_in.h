// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace ipusim {

/// The whole text as a number. None when it is no number, or when `Number` cannot hold it.
template <typename Number>
std::optional<Number> numberIn(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, number);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// The whole text as a number that is neither infinite nor a NaN.
inline std::optional<double> finiteNumberIn(std::string_view text) {
  const auto number = numberIn<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace ipusim
