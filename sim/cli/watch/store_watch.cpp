// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/store_watch.h"

#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/studies/sweep/store/sweep_store.h"

namespace ipusim::cli {

namespace {}  // namespace

StoreWatch::StoreWatch(const report::OutputFolder& folder)
    : store_(folder.path() / sweep::kStoreFile), identity_(identityOf(store_)) {}

void StoreWatch::expectThere() const {
  const std::optional<FileIdentity> now = identityOf(store_);
  if (now && now == identity_) return;
  throw ConfigError(oneLine(store_.string(), kPathLength) + ": wanted the store of this sweep, " +
                    (now ? "found another file" : "found it removed") +
                    "; the same command begins anew");
}

}  // namespace ipusim::cli
