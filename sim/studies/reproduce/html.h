// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ipusim::reproduce {

/// `text` as HTML shows it, in an attribute too.
std::string escaped(std::string_view text);

/// A picture as a page can hold it itself: data:image/png;base64,... Throws ConfigError where the
/// file cannot be read.
std::string pngAddress(const std::filesystem::path& file);

/// What a page begins with, its title and its looks included, and what ends it.
std::string pageHead(std::string_view title);
std::string pageEnd();

}  // namespace ipusim::reproduce
