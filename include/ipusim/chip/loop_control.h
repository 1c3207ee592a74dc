// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "ipusim/units.h"

namespace ipusim {

/// What a tile sees of the loop control.
class LoopIf : public virtual sc_core::sc_interface {
 public:
  /// `tile` has run the body of a Repeat with a Sync in it for the second time, in `length`, and
  /// takes the rest of the iterations for equal to this one.
  virtual void settle(std::uint32_t tile, Cycles length) = 0;
};

/// Watches over what makes the multiplication of a Repeat exact: an iteration that ends on every
/// tile equally long after the one before leaves the chip in the same state, moved in time. The
/// second iteration does so, because after a Sync a tile's times depend on its release alone; if
/// one tile ever took longer than another, that is a fault.
class LoopControl : public sc_core::sc_module, public LoopIf {
 public:
  LoopControl(const sc_core::sc_module_name& name, std::size_t tiles);

  void settle(std::uint32_t tile, Cycles length) override;

 private:
  /// One settled Repeat that some tiles have told of, and some not yet.
  struct Open {
    Cycles length;
    std::size_t told = 0;
  };

  std::deque<Open> open_;
  std::uint64_t closed_ = 0;
  std::vector<std::uint64_t> told_;  // a tile: how many Repeats it has settled
};

}  // namespace ipusim
