// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "base/units.h"

namespace ipusim::models {

/// One SystemC tick is one tile cycle, whatever the resolution is called: no clock is rounded.
inline sc_core::sc_time ticks(Cycles cycles) {
  return sc_core::sc_time::from_value(cycles.value());
}

inline Cycles currentCycle() {
  return Cycles(sc_core::sc_time_stamp().value());
}

}  // namespace ipusim::models
