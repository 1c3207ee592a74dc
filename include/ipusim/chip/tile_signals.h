// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace ipusim {

/// What a tile does, as a number that a wave viewer shows.
enum class TilePhase : std::uint8_t {
  Waiting,  ///< for a Sync, or at the end of its program
  Compute,
  Exchange,
  HostTransfer
};

/// The signals of one tile. They follow the iterations of a Repeat that are simulated, the first
/// and the second; during the others the tile is shown as waiting.
struct TileSignals {
  TileSignals() : phase("phase"), sending("sending"), receiving("receiving") {}

  sc_core::sc_signal<unsigned> phase;  ///< a TilePhase
  sc_core::sc_signal<bool> sending;    ///< its send port is held
  sc_core::sc_signal<bool> receiving;  ///< its receive port is held

  void trace(sc_core::sc_trace_file* file) const {
    sc_core::sc_trace(file, phase, phase.name());
    sc_core::sc_trace(file, sending, sending.name());
    sc_core::sc_trace(file, receiving, receiving.name());
  }
};

}  // namespace ipusim
