// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>

namespace poplar::detail {

/// While this object exists, the clocks of its thread stand; when it ends they have gone on by the
/// modelled time of the run. Does nothing unless the environment has IPUSIM_VIRTUAL_CLOCK=1. Other
/// threads keep the clocks of the system, so that time limits hold.
class VirtualRun {
 public:
  /// `nanoseconds` gives the modelled time since the load of the program.
  explicit VirtualRun(std::function<double()> nanoseconds);
  VirtualRun(const VirtualRun&) = delete;
  VirtualRun& operator=(const VirtualRun&) = delete;
  ~VirtualRun();

 private:
  std::function<double()> nanoseconds_;  ///< empty where the clocks are those of the system
  double modelled_begin_ = 0;
  std::int64_t begin_ = 0;  ///< of the run, by the system's clock
  bool is_inner_ = false;   ///< a callback of a run began this one
};

/// Reads a clock of the C library as this thread sees it. Returns what the system's call returns.
int readClock(clockid_t clock, timespec* time);

}  // namespace poplar::detail
