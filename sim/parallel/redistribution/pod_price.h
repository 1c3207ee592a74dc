// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/links.h"
#include "sim/parallel/redistribution/device_step.h"

namespace ipusim::parallel {

/// Prices exchanges among IPUs of a system. Device d of the mesh is IPU d.
class PodPrice {
 public:
  /// `pod` must outlive this. Throws ConfigError where the mesh has more devices than IPUs.
  PodPrice(const Pod& pod, std::uint32_t devices, Bytes element);

  /// The time of the step: nothing where no device receives anything, else the time of one global
  /// exchange. Cuts and joins inside an IPU are not priced.
  [[nodiscard]] double seconds(const std::vector<models::Flow>& flows) const;
  [[nodiscard]] double seconds(const DeviceStep& step, const Cells& before) const;
  /// The sum over the steps.
  [[nodiscard]] double seconds(const std::vector<DeviceStep>& steps, const Cells& source) const;

  [[nodiscard]] Bytes element() const { return element_; }

 private:
  const Pod* pod_;
  models::Routes routes_;
  std::uint32_t devices_;
  Bytes element_;
};

}  // namespace ipusim::parallel
