// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poplar/OptionFlags.hpp"
#include "poplar/Target.hpp"

namespace poplar {

/// A simulated device. It is never taken by others.
class Device {
 public:
  Device() = default;
  Device(const Target& target, unsigned id) : target_(target), id_(id) {}
  Device(const Device&) = delete;
  Device(Device&&) = default;
  Device& operator=(const Device&) = delete;
  Device& operator=(Device&&) = default;

  /// One tile with the memory of this computer and one worker, for tests of codelets.
  static Device createCPUDevice(const OptionFlags& = {}) {
    return Device(Target::createCPUTarget(), 0);
  }

  /// A device of that target: the simulator is the only kind of device here.
  static Device createSimulatorDevice(const Target& target, const OptionFlags& = {}) {
    return Device(target, 0);
  }

  bool attach() const {
    attached_ = true;
    return true;
  }
  bool isAttached() const { return attached_; }
  void detach() const { attached_ = false; }
  void reset() const {}
  unsigned getId() const { return id_; }
  const Target& getTarget() const { return target_; }
  bool supportsRemoteBuffers() const { return target_.getTargetType() == TargetType::IPU; }
  bool hasGateway() const { return supportsRemoteBuffers(); }
  std::map<std::string, std::string> getAttributes() const { return {}; }
  std::vector<int> getDriverIDs() const { return {static_cast<int>(id_)}; }

  /// The first tiles of each IPU.
  Device createVirtualDevice(unsigned tiles_per_ipu) const {
    detail::TargetData data = target_.data();
    if (tiles_per_ipu == 0 || tiles_per_ipu > data.tiles_per_ipu) {
      throw invalid_machine_model("createVirtualDevice: wanted 1 to " +
                                  std::to_string(data.tiles_per_ipu) + " tiles, found " +
                                  std::to_string(tiles_per_ipu));
    }
    data.tiles_per_ipu = tiles_per_ipu;
    return Device(Target(data), id_);
  }
  /// These tiles of each IPU, which must be its first ones.
  Device createVirtualDevice(const std::vector<unsigned>& tiles) const {
    for (unsigned i = 0; i < tiles.size(); ++i) {
      if (tiles[i] == i) continue;
      throw invalid_machine_model("createVirtualDevice: wanted tiles 0, 1, 2 ..., found " +
                                  std::to_string(tiles[i]) + " at place " + std::to_string(i));
    }
    return createVirtualDevice(static_cast<unsigned>(tiles.size()));
  }

 private:
  Target target_;
  unsigned id_ = 0;
  mutable bool attached_ = false;
};

}  // namespace poplar
