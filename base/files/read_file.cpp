// SPDX-License-Identifier: Apache-2.0
#include "base/files/read_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/input_file.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

std::string shown(const std::filesystem::path& path) {
  return oneLine(path.string(), kPathLength);
}

/// Appends the rest of `file`, up to one byte more than `most`, to `text`.
void readUpTo(std::uint64_t most, InputFile& file, std::string& text) {
  while (text.size() <= most) {
    const std::size_t had = text.size();
    const std::size_t wanted = std::min(most + 1 - had, kMebibyte);
    text.resize(had + wanted);
    const std::size_t count = file.read(text.data() + had, wanted);
    text.resize(had + count);
    if (count < wanted) return;
  }
}

}  // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t most_mebibytes) {
  InputFile file(path);
  std::string text;
  readUpTo(most_mebibytes * kMebibyte, file, text);
  if (text.size() > most_mebibytes * kMebibyte) {
    throw ConfigError(fmt::format("{}: wanted a file of at most {} MiB, found a larger one",
                                  shown(path), most_mebibytes));
  }
  return text;
}

}  // namespace ipusim
