// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace ipusim {

/// Brackets within brackets, and dots in one key, that a config may have.
constexpr std::size_t kMaxNesting = 32;

/// The first line of TOML text (from 1) that nests deeper than kMaxNesting, 0 when none does.
/// The parser and the destructor of its tree recurse, so that a file of dots or brackets alone
/// could overflow the stack.
std::size_t tooDeepLine(std::string_view text);

}  // namespace ipusim
