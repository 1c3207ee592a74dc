// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/cache_in_use.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/word_hash.h"
#include "ipusim/version.h"
#include "sim/cli/terminal.h"

namespace ipusim::cli {

namespace {

/// The version, and a hash of the program: another build may compute other results.
std::string program() {
  std::ostringstream bytes;
  bytes << std::ifstream("/proc/self/exe", std::ios::binary).rdbuf();
  return fmt::format("{} build {:016x}", libraryVersion(), wordHash(bytes.str()));
}

}  // namespace

CacheInUse::CacheInUse(const CacheArguments& arguments) {
  if (!arguments.folder) return;
  cache_.emplace(DiskCache::Options{*arguments.folder, arguments.most_bytes, program(), say});
  useDiskCache(&*cache_);
}

CacheInUse::~CacheInUse() {
  if (!cache_) return;
  useDiskCache(nullptr);
  cache_->trim();
}

}  // namespace ipusim::cli
