// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// How the table fits on a page of 80 columns.

namespace ipusim::run {

/// `text` without its middle where it is longer: both ends of a step's name tell it apart.
std::string shortened(const std::string& text, std::size_t length);

/// "message_buffers" as people write it.
std::string words(std::string key);

/// A heading and items with commas between them; further lines are indented as the first item is.
std::string wrapped(const std::string& heading, const std::vector<std::string>& items);

std::string withoutTrailingSpaces(const std::string& text);

}  // namespace ipusim::run
