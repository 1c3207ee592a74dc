// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ipusim::reproduce {

/// `text` as HTML that shows it, also within an attribute.
std::string escaped(std::string_view text);

/// A picture as text that a page can contain: data:image/png;base64,... Throws ConfigError where
/// the file cannot be read.
std::string pngAddress(const std::filesystem::path& file);

/// The beginning of a page, with its title and style, and the end of a page.
std::string pageHead(std::string_view title);
std::string pageEnd();

}  // namespace ipusim::reproduce
