// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/place.h"

#include "models/ipu/machine/machine_reader.h"

namespace ipusim::parallel {

Place readPlace(const ConfigReader& config) {
  if (namesSystem(config)) return readSystem(config, "machine");
  return readMachine(config);
}

std::uint32_t devicesOf(const Place& place) {
  if (const auto* system = std::get_if<System>(&place)) return system->ipus;
  return std::get<Machine>(place).tiles;
}

const std::string& nameOf(const Place& place) {
  if (const auto* system = std::get_if<System>(&place)) return system->name;
  return std::get<Machine>(place).name;
}

}  // namespace ipusim::parallel
