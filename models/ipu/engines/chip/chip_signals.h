// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <queue>
#include <systemc>
#include <vector>

#include "ipusim/observer.h"
#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/tile.h"

namespace ipusim::models {

/// Writes the signals of the tiles. A tile runs ahead of the kernel's time and tells an observer in
/// advance what happens in which cycle. This module keeps the changes until the kernel comes to
/// their cycles.
class ChipSignals : public sc_core::sc_module, public Observer {
 public:
  SC_HAS_PROCESS(ChipSignals);
  /// The tiles must have signals. `next` hears all that this observer hears; it may be null.
  ChipSignals(const sc_core::sc_module_name& name, const ChipPrograms& programs,
              sc_core::sc_vector<Tile>& tiles, Observer* next);

  void busy(TileId tile, OpKind kind, const Interval& when) override;
  void transmission(std::uint32_t transmission, const Interval& when) override;
  void sync(const Interval& when) override;
  void hostTransfer(std::uint32_t transfer, const Interval& when) override;

 private:
  enum class Signal : std::uint8_t { Phase, Sending, Receiving };
  /// A signal takes `value` in `cycle`. When one cycle has two changes of a signal, the later one
  /// stays.
  struct Change {
    Cycles cycle;
    std::uint64_t number;
    TileId tile;
    Signal signal;
    TilePhase value;  ///< for a port signal: Waiting when the port is free, any other value when it
                      ///< is held
  };
  struct IsLater {
    bool operator()(const Change& a, const Change& b) const {
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.number > b.number;
    }
  };

  void run();
  void add(TileId tile, Signal signal, TilePhase value, const Interval& when);
  void write(const Change& change);
  [[nodiscard]] Interval onClockOf(TileId tile, TileId from, const Interval& when) const;

  const ChipPrograms& programs_;
  MachineClock clock_;
  sc_core::sc_vector<Tile>& tiles_;
  Observer* next_;
  std::priority_queue<Change, std::vector<Change>, IsLater> changes_;
  std::uint64_t added_ = 0;
  sc_core::sc_event earlier_;  // notified when a change is added that comes before all others
};

}  // namespace ipusim::models
