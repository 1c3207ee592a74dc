// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/message.h"
#include "ipusim/error.h"

namespace ipusim {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

std::string shown(const std::filesystem::path& path) {
  return oneLine(path.string(), kPathLength);
}

/// Appends the rest of `file`, up to one byte more than `most`, to `text`.
void readUpTo(std::uint64_t most, std::ifstream& file, std::string& text) {
  while (file && text.size() <= most) {
    const std::size_t had = text.size();
    const std::size_t wanted = std::min(most + 1 - had, kMebibyte);
    text.resize(had + wanted);
    file.read(text.data() + had, static_cast<std::streamsize>(wanted));
    text.resize(had + static_cast<std::size_t>(file.gcount()));
  }
}

}  // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t most_mebibytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ConfigError(fmt::format("{}: wanted a file, found a directory", shown(path)));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) readUpTo(most_mebibytes * kMebibyte, file, text);
  if (!file.is_open() || file.bad()) {
    throw ConfigError(fmt::format("{}: wanted a readable file, found: {}", shown(path),
                                  errno != 0 ? std::strerror(errno) : "a read error"));
  }
  if (text.size() > most_mebibytes * kMebibyte) {
    throw ConfigError(fmt::format("{}: wanted a file of at most {} MiB, found a larger one",
                                  shown(path), most_mebibytes));
  }
  return text;
}

}  // namespace ipusim
