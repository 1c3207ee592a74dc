// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/energy.h"

namespace ipusim::energy {

namespace {

constexpr std::array<const char*, kEnergyParts> kEnergyNames = {
    "leakage", "clock", "issue", "half_mac", "float_mac", "flop",     "sram",
    "wire",    "sync",  "links", "host",     "streaming", "platform",
};

constexpr std::array<const char*, kAreaParts> kAreaNames = {
    "sram", "processor", "amp", "exchange", "lanes", "other",
};

}  // namespace

const char* nameOf(EnergyPart part) {
  return kEnergyNames[static_cast<std::size_t>(part)];
}

const char* nameOf(AreaPart part) {
  return kAreaNames[static_cast<std::size_t>(part)];
}

}  // namespace ipusim::energy
