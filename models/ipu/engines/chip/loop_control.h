// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "ipusim/units.h"

namespace ipusim::models {

/// What a tile sees of the loop control.
class LoopIf : public virtual sc_core::sc_interface {
 public:
  /// `tile` has run the body of a Repeat that has a Sync in it for the second time, which took
  /// `length`. The tile assumes that every further iteration equals this one.
  virtual void settle(std::uint32_t tile, Cycles length) = 0;
};

/// Checks the assumption that makes it exact to multiply the iterations of a Repeat: when an
/// iteration ends on every tile equally long after the one before, it leaves the chip in the state
/// that it found, moved in time. The second iteration does so, because the times of a tile after a
/// Sync depend on its release alone. It is a fault if one tile ever takes longer than another.
class LoopControl : public sc_core::sc_module, public LoopIf {
 public:
  LoopControl(const sc_core::sc_module_name& name, std::size_t tiles);

  void settle(std::uint32_t tile, Cycles length) override;

 private:
  /// A settled Repeat that some tiles have reported and others have not.
  struct Open {
    Cycles length;
    std::size_t told = 0;
  };

  std::deque<Open> open_;
  std::uint64_t closed_ = 0;
  std::vector<std::uint64_t> told_;  // one entry per tile: how many Repeats it has settled
};

}  // namespace ipusim::models
