// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim::models {

/// A Sync that has passed: its number, counted from 1, and when the controller released it.
struct PassedSync {
  std::uint64_t number = 0;
  Cycles release;
};

/// What a tile sees of the exchange fabric.
class ExchangeIf : public virtual sc_core::sc_interface {
 public:
  /// Called when `tile` takes part in an Exchange. The call stands for `iterations` iterations.
  /// Returns when the last transmission on the tile's ports has ended, or the release where there
  /// is no transmission.
  virtual Cycles play(std::uint32_t tile, const TileOp& op, const PassedSync& sync,
                      std::uint64_t iterations) = 0;
};

/// Plays the transmissions of an exchange on the ports of both ends when the first tile comes to
/// the exchange. The machine has no arbitration: when two transmissions meet on a port, the
/// schedule is wrong, and no tile waits.
///
/// The times of ports count from the last release. They therefore stay right when tiles skip
/// iterations that repeat the ones before. Two exchanges may follow each other without a Sync in
/// between: a tile may come to the first when others are already at the second. The fabric then
/// plays the transmissions of the first once more for that tile. The ports of each tile go through
/// its exchanges in the order of its program.
class ExchangeFabric : public sc_core::sc_module, public ExchangeIf {
 public:
  ExchangeFabric(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  /// Tells `observer` about transmissions from now on. Null: tells nobody.
  void observe(Observer* observer);

  Cycles play(std::uint32_t tile, const TileOp& op, const PassedSync& sync,
              std::uint64_t iterations) override;

 private:
  /// What the exchange that is being played brings to one port: the transmissions from `first` to
  /// `last`. There are none when `end` is zero.
  struct Traffic {
    Cycles begin;
    Cycles end;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  /// How far the exchanges since a tile's last Sync have used its two ports.
  struct Ports {
    std::uint64_t sync = 0;
    Cycles send_end;
    Cycles receive_end;
    std::uint32_t last_sent = 0;  ///< a transmission
    std::uint32_t last_received = 0;
  };

  void playAll(std::uint32_t exchange, const PassedSync& sync);
  void tell(const TileOp& op, std::uint64_t iterations);
  void occupy(Port port, std::uint32_t transmission, Cycles length);
  void raiseCollision(Port port, std::uint32_t first, std::uint32_t second);

  const ChipPrograms& programs_;
  Observer* observer_ = nullptr;
  // One entry per exchange: the sync after which the observer was last told of it.
  std::vector<std::uint64_t> told_;
  std::vector<Ports> ports_;  // one entry per tile
  // The exchange that is being played.
  std::uint32_t exchange_ = 0;
  PassedSync sync_;
  std::vector<Traffic> sends_;     // one entry per tile
  std::vector<Traffic> receives_;  // one entry per tile
};

}  // namespace ipusim::models
