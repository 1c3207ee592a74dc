// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ipusim {

/// May stand before a text of UTF-8.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// All of a file. Throws ConfigError when there is no file to read, or when it is larger than
/// `most_mebibytes`; no more of it than that is read.
std::string readFile(const std::filesystem::path& path, std::uint64_t most_mebibytes);

}  // namespace ipusim
