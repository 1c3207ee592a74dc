// SPDX-License-Identifier: Apache-2.0
#include "base/whole_number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace ipusim {

namespace {

/// The number that all of the text is.
template <typename Number>
std::optional<Number> numberOf(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  if (fault != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::uint64_t> wholeNumberOf(double real) {
  constexpr double kLargestExact = 9007199254740992;
  // A NaN compares false with everything and therefore fails here.
  if (!(real >= 0 && real <= kLargestExact) || std::floor(real) != real) return std::nullopt;
  return static_cast<std::uint64_t>(real);
}

std::optional<std::uint64_t> wholeNumberIn(std::string_view text) {
  if (const auto whole = numberOf<std::uint64_t>(text)) return whole;
  const auto real = numberOf<double>(text);
  return real ? wholeNumberOf(*real) : std::nullopt;
}

}  // namespace ipusim
