// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/pod_price.h"

#include <algorithm>
#include <limits>

#include "ipusim/error.h"
#include "models/ipu/cost/exchange/ring_order.h"

namespace ipusim::parallel {

PodPrice::PodPrice(const System& system, std::uint32_t devices, Bytes element)
    : system_(&system), routes_(system), devices_(devices), element_(element) {
  check(devices <= system.ipus, "a mesh with more devices than the system has IPUs");
}

double PodPrice::seconds(const std::vector<models::Flow>& flows) const {
  return flows.empty() ? 0 : models::globalExchangeSeconds(*system_, routes_, flows, devices_);
}

bool PodPrice::gathersAll(const DeviceStep& step, const Cells& before) const {
  if (devices_ % 2 != 0 || before.front().elements() * devices_ != step.after.front().elements()) {
    return false;
  }
  return std::all_of(step.senders.begin(), step.senders.end(),
                     [this](const auto& senders) { return senders.size() + 1 == devices_; });
}

double PodPrice::ringSeconds(std::uint64_t elements) const {
  double least = std::numeric_limits<double>::infinity();
  const std::vector<std::uint32_t> ipus = models::consecutiveIpus(0, devices_);
  for (const models::CollectiveMethod method : models::kCollectiveMethods) {
    const models::IpuRing ring = models::ringThrough(*system_, ipus, method);
    const models::Collective gather{models::CollectiveKind::AllGather, method, devices_,
                                    elements * element_, ring.mirror};
    least = std::min(least, models::exchangesSeconds(*system_, routes_, gather, ring.ipus));
  }
  return least;
}

double PodPrice::seconds(const DeviceStep& step, const Cells& before) const {
  std::vector<models::Flow> flows;
  for (const Transfer& transfer : transfersOf(step, before)) {
    flows.push_back({transfer.from, transfer.to, transfer.elements.elements() * element_});
  }
  const double at_once = seconds(flows);
  if (!gathersAll(step, before)) return at_once;
  return std::min(at_once, ringSeconds(step.after.front().elements()));
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
