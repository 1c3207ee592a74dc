// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/disk_cache.h"
#include "sim/cli/arguments.h"

namespace ipusim::cli {

/// Gives the stages of this process the disk cache that was asked for, while the object lives.
class CacheInUse {
 public:
  explicit CacheInUse(const CacheArguments& arguments);
  CacheInUse(const CacheInUse&) = delete;
  CacheInUse& operator=(const CacheInUse&) = delete;
  /// Trims the cache, which processes that this one started may have filled.
  ~CacheInUse();

 private:
  std::optional<DiskCache> cache_;
};

}  // namespace ipusim::cli
