// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/schedule/exchange_streams.h"
#include "sim/compile/schedule/stream_order.h"

namespace ipusim::compiler {

/// When each stream of an exchange starts. All times are on the clocks of the tiles.
struct Schedule {
  StreamSet set;                 ///< multicasts may have been split
  StreamOrder order;             ///< the streams by time on every port
  std::vector<Cycles> starts;    ///< one entry per stream, in the order of `order`
  Cycles length;                 ///< from the release to the last word on the last port
  std::uint32_t split_load = 0;  ///< the load up to which multicasts were split; 0: not split
};

/// The time by which the busiest port can at best be done with its streams: it waits for the first
/// start delay, then the streams follow without a gap. No schedule of these streams is shorter.
Cycles portBound(const StreamSet& set, std::uint32_t tiles);

/// Tries a few schedules of the streams and returns the shortest: in rounds, by gaps or by
/// dispatch, and with multicasts whole or split into streams to some of the receivers. The time
/// grows with the number of ports that all streams hold together. Equal streams always get an equal
/// schedule.
Schedule searchSchedule(const Interconnect& interconnect, StreamSet set);

/// What searchSchedule() returns. Its choice is kept: for later exchanges of this process, and for
/// other processes where a disk cache is in use.
Schedule scheduleStreams(const Interconnect& interconnect, StreamSet set);

}  // namespace ipusim::compiler
