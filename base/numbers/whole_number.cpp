// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/whole_number.h"

#include <cmath>

#include "base/numbers/number_in.h"

namespace ipusim {

std::optional<std::uint64_t> wholeNumberOf(double real) {
  constexpr double kLargestExact = 9007199254740992;
  // A NaN compares false with everything and therefore fails here.
  if (!(real >= 0 && real <= kLargestExact) || std::floor(real) != real) return std::nullopt;
  return static_cast<std::uint64_t>(real);
}

std::optional<std::uint64_t> wholeNumberIn(std::string_view text) {
  if (const auto whole = numberIn<std::uint64_t>(text)) return whole;
  const auto real = numberIn<double>(text);
  return real ? wholeNumberOf(*real) : std::nullopt;
}

}  // namespace ipusim
