// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/place.h"

#include "models/ipu/system/machine_reader.h"

namespace ipusim::parallel {

Place readPlace(const ConfigReader& config) {
  if (namesPod(config)) return readPod(config, "machine");
  return readMachine(config);
}

std::uint32_t devicesOf(const Place& place) {
  if (const auto* pod = std::get_if<Pod>(&place)) return pod->ipus;
  return std::get<Machine>(place).tiles;
}

const std::string& nameOf(const Place& place) {
  if (const auto* pod = std::get_if<Pod>(&place)) return pod->name;
  return std::get<Machine>(place).name;
}

}  // namespace ipusim::parallel
