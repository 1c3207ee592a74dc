// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/exchange/links.h"
#include "sim/parallel/redistribution/device_step.h"

namespace ipusim::parallel {

/// Prices exchanges among IPUs of a system. Device d of the mesh is IPU d.
class PodPrice {
 public:
  /// `system` must outlive this. `devices` are at most its IPUs.
  PodPrice(const System& system, std::uint32_t devices, Bytes element);

  /// The time of one global exchange; nothing where there are no flows.
  [[nodiscard]] double seconds(const std::vector<models::Flow>& flows) const;
  /// The time of the step. Each sender sends to each receiver in one exchange. A gather over all
  /// devices may go round a ring instead, if that is faster and they are an even number. Cuts and
  /// joins inside an IPU are not priced.
  [[nodiscard]] double seconds(const DeviceStep& step, const Cells& before) const;
  /// The sum over the steps.
  [[nodiscard]] double seconds(const std::vector<DeviceStep>& steps, const Cells& source) const;

  [[nodiscard]] Bytes element() const { return element_; }

 private:
  [[nodiscard]] bool gathersAll(const DeviceStep& step, const Cells& before) const;
  /// The fastest gather in rings after which every device has so many elements.
  [[nodiscard]] double ringSeconds(std::uint64_t elements) const;

  const System* system_;
  models::Routes routes_;
  std::uint32_t devices_;
  Bytes element_;
};

}  // namespace ipusim::parallel
