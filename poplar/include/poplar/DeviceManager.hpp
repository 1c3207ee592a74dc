// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poplar/Device.hpp"

namespace poplar {

/// The simulated devices: those of one IPU first, then those of 2, 4, … 64 IPUs.
class DeviceManager {
 public:
  static DeviceManager createDeviceManager() { return DeviceManager(); }

  std::size_t getNumDevices() const { return 2 * kIpus - 1; }
  std::vector<Device> getDevices(const OptionFlags& options = {}) const {
    std::vector<Device> devices;
    for (unsigned id = 0; id < getNumDevices(); ++id) devices.push_back(getDevice(id, options));
    return devices;
  }
  /// The devices of that many IPUs; none for other types and numbers.
  std::vector<Device> getDevices(TargetType type, unsigned ipus,
                                 const OptionFlags& = OptionFlags()) const {
    std::vector<Device> devices;
    if (type != TargetType::IPU) return devices;
    for (unsigned id = 0; id < getNumDevices(); ++id) {
      if (ipusOf(id) == ipus) devices.emplace_back(Target::createIPUTarget(ipus), id);
    }
    return devices;
  }
  Device getDevice(unsigned id, const OptionFlags& = OptionFlags()) const {
    if (id >= getNumDevices()) {
      throw poplar_error("device " + std::to_string(id) + ": wanted one below " +
                         std::to_string(getNumDevices()));
    }
    return Device(Target::createIPUTarget(ipusOf(id)), id);
  }
  Device acquireAvailableDevice(unsigned ipus, const OptionFlags& options = OptionFlags()) const {
    std::vector<Device> devices = getDevices(TargetType::IPU, ipus, options);
    if (devices.empty()) {
      throw poplar_error("device: wanted 1, 2, 4, 8, 16, 32 or 64 IPUs, found " +
                         std::to_string(ipus));
    }
    devices.front().attach();
    return std::move(devices.front());
  }

 private:
  static constexpr unsigned kIpus = 64;

  static unsigned ipusOf(unsigned id) {
    unsigned ipus = 1;
    for (unsigned first = 0; id >= first + kIpus / ipus; ipus *= 2) first += kIpus / ipus;
    return ipus;
  }
};

}  // namespace poplar
