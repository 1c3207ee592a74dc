// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ipusim {

/// The value of a real number where that is whole and not negative. None beyond 2^53: a larger
/// number may stand for another one than was written.
std::optional<std::uint64_t> wholeNumberOf(double real);

/// The number that a text is, all of it: digits, or a real number such as 1e6 that wholeNumberOf()
/// takes.
std::optional<std::uint64_t> wholeNumberIn(std::string_view text);

}  // namespace ipusim
