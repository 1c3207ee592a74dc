// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "ipusim/chip/machine_clock.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// What a tile sees of the sync network.
class SyncIf : public virtual sc_core::sc_interface {
 public:
  /// `tile` asks for a sync in cycle `when`, now or later.
  virtual void ask(std::uint32_t tile, Cycles when) = 0;
  /// Notified in the cycle in which the release of the sync that `tile` asked for reaches it.
  [[nodiscard]] virtual const sc_core::sc_event& released(std::uint32_t tile) const = 0;
  /// Notified in the cycle in which the controller releases a sync.
  [[nodiscard]] virtual const sc_core::sc_event& releasedAtController() const = 0;
  /// When the controller released the last sync, or is about to.
  [[nodiscard]] virtual Cycles lastRelease() const = 0;
};

/// Releases all tiles when the last has asked. A request and a release each take the tile's
/// distance to the controller.
class SyncNetwork : public sc_core::sc_module, public SyncIf {
 public:
  SyncNetwork(const sc_core::sc_module_name& name, const ChipTiming& timing);

  void ask(std::uint32_t tile, Cycles when) override;
  [[nodiscard]] const sc_core::sc_event& released(std::uint32_t tile) const override;
  [[nodiscard]] const sc_core::sc_event& releasedAtController() const override {
    return released_at_controller_;
  }
  [[nodiscard]] Cycles lastRelease() const override { return last_release_; }

 private:
  /// A release passes all tiles of one distance in one cycle: they share the event.
  struct Wire {
    explicit Wire(Cycles length) : distance(length) {}
    Cycles distance;
    sc_core::sc_event release_arrives;
  };

  void release();

  const ChipTiming& timing_;
  MachineClock clock_;
  sc_core::sc_event released_at_controller_;
  std::deque<Wire> wires_;  // a deque: events cannot move
  std::vector<std::uint32_t> wire_of_tile_;
  std::size_t requests_ = 0;
  Cycles last_request_;  // at the controller
  Cycles last_release_;
};

}  // namespace ipusim
