// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace ipusim::models {

/// What a tile does. A wave viewer shows the number.
enum class TilePhase : std::uint8_t {
  Waiting,  ///< for a Sync, or at the end of its program
  Compute,
  Exchange,
  HostTransfer,
  RemoteTransfer
};

/// The signals of one tile. They follow the two simulated iterations of a Repeat, the first and the
/// second. During the other iterations they show the tile as waiting.
struct TileSignals {
  TileSignals() : phase("phase"), sending("sending"), receiving("receiving") {}

  sc_core::sc_signal<unsigned> phase;  ///< a TilePhase as a number
  sc_core::sc_signal<bool> sending;    ///< true while the tile's send port is held
  sc_core::sc_signal<bool> receiving;  ///< true while the tile's receive port is held

  void trace(sc_core::sc_trace_file* file) const {
    sc_core::sc_trace(file, phase, phase.name());
    sc_core::sc_trace(file, sending, sending.name());
    sc_core::sc_trace(file, receiving, receiving.name());
  }
};

}  // namespace ipusim::models
