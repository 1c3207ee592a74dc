// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/files/disk_cache.h"
#include "sim/cli/options/arguments.h"

namespace ipusim::cli {

/// While the object lives, the stages of this process use the disk cache that the user asked for.
class CacheInUse {
 public:
  explicit CacheInUse(const CacheArguments& arguments);
  CacheInUse(const CacheInUse&) = delete;
  CacheInUse& operator=(const CacheInUse&) = delete;
  /// Trims the cache. Processes that this one started may have filled it.
  ~CacheInUse();

 private:
  std::optional<DiskCache> cache_;
};

}  // namespace ipusim::cli
