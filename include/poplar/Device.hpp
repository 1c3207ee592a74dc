// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    detail::TargetData data =
        Target(detail::modelTarget(detail::textOf(std::string("ipu2")))).data();
    data.type = TargetType::CPU;
    data.tiles_per_ipu = 1;
    data.workers = 1;
    data.bytes_per_tile = 1U << 30;
    return Device(Target(data), 0);
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

 private:
  Target target_;
  unsigned id_ = 0;
  mutable bool attached_ = false;
};

}  // namespace poplar
