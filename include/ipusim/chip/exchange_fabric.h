// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// A Sync that has passed: how many did before it, and when the controller released it.
struct PassedSync {
  std::uint64_t number = 0;
  Cycles release;
};

/// What a tile sees of the exchange fabric.
class ExchangeIf : public virtual sc_core::sc_interface {
 public:
  /// `tile` takes part in an Exchange, in an iteration that stands for `iterations`. Returns when
  /// the last transmission on its ports has ended; the release when there is none.
  virtual Cycles play(std::uint32_t tile, const TileOp& op, const PassedSync& sync,
                      std::uint64_t iterations) = 0;
};

/// Plays the transmissions of an exchange on the ports of both ends, when the first tile comes to
/// it. Nothing arbitrates on the machine: two transmissions that meet on a port are a fault of the
/// schedule, and never a wait.
///
/// The times of ports count from the last release. So they stay right when tiles skip iterations
/// that are like the ones before. A tile may come to an exchange when others are at the next one
/// already, without a Sync in between: the transmissions are then played once more for it. Each
/// tile's own ports go through its exchanges in the order of its program.
class ExchangeFabric : public sc_core::sc_module, public ExchangeIf {
 public:
  ExchangeFabric(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  /// Tells `observer` from now on, nobody when it is null.
  void observe(Observer* observer);

  Cycles play(std::uint32_t tile, const TileOp& op, const PassedSync& sync,
              std::uint64_t iterations) override;

 private:
  /// What the exchange that is being played brings to one port: from `first` to `last`, which are
  /// transmissions. Empty when `end` is zero.
  struct Traffic {
    Cycles begin;
    Cycles end;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  /// The two ports of a tile, as the exchanges since its last Sync left them.
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
  void raiseMeeting(Port port, std::uint32_t first, std::uint32_t second);

  const ChipPrograms& programs_;
  Observer* observer_ = nullptr;
  std::vector<std::uint64_t> told_;  // one entry per exchange: after which sync it was told last
  std::vector<Ports> ports_;         // one entry per tile
  // The exchange that is being played.
  std::uint32_t exchange_ = 0;
  PassedSync sync_;
  std::vector<Traffic> sends_;     // one entry per tile
  std::vector<Traffic> receives_;  // one entry per tile
};

}  // namespace ipusim
