// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/this_program.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "base/text/word_hash.h"
#include "ipusim/version.h"

namespace ipusim::cli {

namespace {

std::string hashOfThisFile() {
  constexpr std::size_t kPart = 1U << 20U;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string part(kPart, '\0');
  std::string hash;
  while (file) {
    file.read(part.data(), kPart);
    const std::string_view read(part.data(), static_cast<std::size_t>(file.gcount()));
    hash = fmt::format("{:016x}", wordHash(fmt::format("{}{:016x}", hash, wordHash(read))));
  }
  return hash;
}

}  // namespace

std::string thisProgram() {
  static const std::string kProgram =
      fmt::format("{} build {}", libraryVersion(), hashOfThisFile());
  return kProgram;
}

}  // namespace ipusim::cli
