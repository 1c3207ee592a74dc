// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Fits the table on a page of 80 columns.

namespace ipusim::report {

/// `text` without its middle when it is longer than `length`: both ends of a step's name
/// distinguish it from others.
std::string shortened(const std::string& text, std::size_t length);

/// A name that a user chose, without control characters.
std::string shownName(const std::string& name);

/// A key as people write it, such as "message buffers" for "message_buffers".
std::string words(std::string key);

/// A heading, and items with commas in between. Further lines are indented like the first item.
std::string wrapped(const std::string& heading, const std::vector<std::string>& items);

std::string withoutTrailingSpaces(const std::string& text);

}  // namespace ipusim::report
