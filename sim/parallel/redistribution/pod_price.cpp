// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/pod_price.h"

#include <fmt/format.h>

#include "ipusim/error.h"

namespace ipusim::parallel {

PodPrice::PodPrice(const Pod& pod, std::uint32_t devices, Bytes element)
    : pod_(&pod), routes_(pod), devices_(devices), element_(element) {
  if (devices <= pod.ipus) return;
  throw ConfigError(fmt::format("mesh: wanted at most the {} IPUs of {}, found {} devices",
                                pod.ipus, pod.name, devices));
}

double PodPrice::seconds(const std::vector<models::Flow>& flows) const {
  return flows.empty() ? 0 : models::globalExchangeSeconds(*pod_, routes_, flows, devices_);
}

double PodPrice::seconds(const DeviceStep& step, const Cells& before) const {
  std::vector<models::Flow> flows;
  for (const Transfer& transfer : transfersOf(step, before)) {
    flows.push_back({transfer.from, transfer.to, transfer.elements.elements() * element_});
  }
  return seconds(flows);
}

double PodPrice::seconds(const std::vector<DeviceStep>& steps, const Cells& source) const {
  double sum = 0;
  const Cells* before = &source;
  for (const DeviceStep& step : steps) {
    sum += seconds(step, *before);
    before = &step.after;
  }
  return sum;
}

}  // namespace ipusim::parallel
