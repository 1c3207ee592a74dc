// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/exchange_streams.h"
#include "sim/compile/stream_order.h"

namespace ipusim::compiler {

/// When each stream of an exchange starts, each on its ports for itself.
struct Schedule {
  StreamSet set;                 ///< multicasts may have been split
  StreamOrder order;             ///< of the streams, by time on every port
  std::vector<Cycles> starts;    ///< of `order`
  Cycles length;                 ///< from the release to the last word on the last port
  std::uint32_t split_load = 0;  ///< the load up to which multicasts were split; 0: they are whole
};

/// The earliest time on every port at which it can be through with its streams: the first start
/// delay on it, then stream after stream. No schedule of these streams is shorter.
Cycles portBound(const StreamSet& set, std::uint32_t tiles);

/// A schedule of the streams, the shortest of a few that are tried: in rounds, by gaps or by
/// dispatch, and with multicasts as they are or split into streams to some of the receivers. Time
/// grows as ports of streams, all together. Deterministic. Where a disk cache is in use, the choice
/// is kept in it.
Schedule scheduleStreams(const Interconnect& interconnect, StreamSet set);

}  // namespace ipusim::compiler
