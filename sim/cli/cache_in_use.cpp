// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/cache_in_use.h"

#include "ipusim/error.h"
#include "sim/cli/this_program.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

CacheInUse::CacheInUse(const CacheArguments& arguments) {
  if (!arguments.folder) return;
  if (arguments.folder->empty()) throw ConfigError("--cache: wanted a folder, found \"\"");
  cache_.emplace(DiskCache::Options{*arguments.folder, arguments.most_bytes, thisProgram(), say});
  useDiskCache(&*cache_);
}

CacheInUse::~CacheInUse() {
  if (!cache_) return;
  useDiskCache(nullptr);
  cache_->trim();
}

}  // namespace ipusim::cli
