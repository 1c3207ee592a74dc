// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/compile/schedule/stream_order.h"

// The orders of streams that the search for a schedule found. The process keeps some of them, and
// the disk cache, where one is in use, keeps all. Any thread may call these functions.

namespace ipusim::compiler {

/// What the search for a schedule chose. All else follows from it.
struct CachedOrder {
  std::uint32_t split_load = 0;  ///< the load up to which multicasts are split; 0: not split
  StreamOrder order;             ///< the streams, after multicasts are split
};

/// False where the order of these streams would be too large to keep.
bool mayKeepOrder(const StreamSet& set);

/// All that the search for a schedule of these streams takes, as bytes.
std::string keyOf(const Interconnect& interconnect, const StreamSet& set);

/// The order that is kept for the key. None where there is no such key.
std::optional<CachedOrder> findOrder(const std::string& key);

/// Keeps the order for the key.
void cacheOrder(std::string key, CachedOrder kept);

/// True when `order` has each of that many streams once.
bool isOrderOf(const StreamOrder& order, std::size_t streams);

}  // namespace ipusim::compiler
