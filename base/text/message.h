// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Parts of one-line messages to the user.

namespace ipusim {

/// How many bytes of a user's text a message repeats.
constexpr std::size_t kQuotedLength = 60;

/// How many bytes of a path a message repeats: as many as a path may have.
constexpr std::size_t kPathLength = 4096;

/// Makes `text` fit for a message: control characters, and marks that turn the direction of text,
/// become \n or \x1b, bytes that are not UTF-8 become \xff, and an ellipsis ends the text after
/// about `length` bytes.
std::string oneLine(std::string_view text, std::size_t length = kQuotedLength);

/// Whether the text is UTF-8, as JSON must be.
bool isUtf8(std::string_view text);

/// Makes `text` fit for a message and puts it between double quotes.
std::string inQuotes(std::string_view text);

/// The choice with the fewest edits to `name`; empty when no choice is near. A key that only lacks
/// its unit is near.
std::string nearest(std::string_view name, const std::vector<std::string>& choices);

/// The `count` choices that are nearest to `name`, the nearest first, however far they are.
std::vector<std::string> nearestOf(std::string_view name, std::vector<std::string> choices,
                                   std::size_t count);

/// " (did you mean X?)" for the nearest choice, or an empty text.
std::string didYouMean(std::string_view name, const std::vector<std::string>& choices);

}  // namespace ipusim
