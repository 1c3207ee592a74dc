// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Pieces of one-line messages to the user.

namespace ipusim {

/// How much of somebody's text a message repeats.
constexpr std::size_t kQuotedLength = 60;

/// `text` fit for a message: control characters as \n or \x1b, anything that is no UTF-8 as \xff,
/// cut with an ellipsis after about `length` bytes.
std::string oneLine(std::string_view text, std::size_t length = kQuotedLength);

/// The same between double quotes.
std::string inQuotes(std::string_view text);

/// The choice with the fewest edits to `name`, empty when none is near enough to be meant. A key
/// that lacks only its unit is near.
std::string nearest(std::string_view name, const std::vector<std::string>& choices);

/// " (did you mean X?)" for the nearest choice, or nothing.
std::string didYouMean(std::string_view name, const std::vector<std::string>& choices);

}  // namespace ipusim
