// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "ipusim/tile_program.h"
#include "models/ipu/engines/chip/machine_clock.h"

namespace ipusim::models {

/// What a tile sees of the sync network.
class SyncIf : public virtual sc_core::sc_interface {
 public:
  /// `tile` asks for a sync in cycle `when`, which is now or later.
  virtual void ask(std::uint32_t tile, Cycles when) = 0;
  /// The event of the cycle in which a release reaches `tile`.
  [[nodiscard]] virtual const sc_core::sc_event& released(std::uint32_t tile) const = 0;
  /// The event of the cycle in which the controller releases a sync.
  [[nodiscard]] virtual const sc_core::sc_event& releasedAtController() const = 0;
  /// How many releases of the controller are known; the last one may still be ahead.
  [[nodiscard]] virtual std::uint64_t releases() const = 0;
  /// The cycle of release `number`, which is one of the last two known: 0 is the first of all.
  [[nodiscard]] virtual Cycles release(std::uint64_t number) const = 0;
  /// The cycle of the last known release.
  [[nodiscard]] virtual Cycles lastRelease() const = 0;
};

/// Releases all tiles when the last one has asked. A request takes as long as the tile's distance
/// to the controller, and so does a release.
class SyncNetwork : public sc_core::sc_module, public SyncIf {
 public:
  SyncNetwork(const sc_core::sc_module_name& name, const ChipTiming& timing);

  void ask(std::uint32_t tile, Cycles when) override;
  [[nodiscard]] const sc_core::sc_event& released(std::uint32_t tile) const override;
  [[nodiscard]] const sc_core::sc_event& releasedAtController() const override {
    return released_at_controller_;
  }
  [[nodiscard]] std::uint64_t releases() const override { return released_; }
  [[nodiscard]] Cycles release(std::uint64_t number) const override {
    return last_two_[number % last_two_.size()];
  }
  [[nodiscard]] Cycles lastRelease() const override { return release(released_ - 1); }

 private:
  /// A release passes all tiles at one distance in the same cycle: they share the event.
  struct Wire {
    explicit Wire(Cycles length) : distance(length) {}
    Cycles distance;
    sc_core::sc_event release_arrives;
  };

  void releaseAll();

  const ChipTiming& timing_;
  MachineClock clock_;
  sc_core::sc_event released_at_controller_;
  std::deque<Wire> wires_;  // a deque, because events cannot move
  std::vector<std::uint32_t> wire_of_tile_;
  std::size_t requests_ = 0;
  Cycles last_request_;  // at the controller
  std::uint64_t released_ = 0;
  std::array<Cycles, 2> last_two_;  // the releases with even and with odd numbers
};

}  // namespace ipusim::models
