// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/cache_in_use.h"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>

#include "base/word_hash.h"
#include "ipusim/error.h"
#include "ipusim/version.h"
#include "sim/cli/terminal.h"

namespace ipusim::cli {

namespace {

/// The version, and a hash of the program's file: another build may compute other results.
std::string program() {
  constexpr std::size_t kPart = 1U << 20U;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string part(kPart, '\0');
  std::string hash;
  while (file) {
    file.read(part.data(), kPart);
    const std::string_view read(part.data(), static_cast<std::size_t>(file.gcount()));
    hash = fmt::format("{:016x}", wordHash(fmt::format("{}{:016x}", hash, wordHash(read))));
  }
  return fmt::format("{} build {}", libraryVersion(), hash);
}

}  // namespace

CacheInUse::CacheInUse(const CacheArguments& arguments) {
  if (!arguments.folder) return;
  if (arguments.folder->empty()) throw ConfigError("--cache: wanted a folder, found \"\"");
  cache_.emplace(DiskCache::Options{*arguments.folder, arguments.most_bytes, program(), say});
  useDiskCache(&*cache_);
}

CacheInUse::~CacheInUse() {
  if (!cache_) return;
  useDiskCache(nullptr);
  cache_->trim();
}

}  // namespace ipusim::cli
