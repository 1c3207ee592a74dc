// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"

namespace ipusim::models {

/// Four tiles and round figures: no delays, no overheads, a sync of 10 cycles.
inline const Machine& toyMachine() {
  static const Machine kMachine = readPreset("toy");
  return kMachine;
}

inline const Machine& gc200() {
  static const Machine kMachine = readPreset("gc200");
  return kMachine;
}

/// gc200 with the memory of the vendor's compiler: 624 KiB per tile.
inline const Machine& gc200Sdk() {
  static const Machine kMachine = readPreset("gc200-624k");
  return kMachine;
}

}  // namespace ipusim::models
