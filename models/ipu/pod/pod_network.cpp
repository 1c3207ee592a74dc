// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/pod/pod_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/chip/pod_link.h"
#include "ipusim/chip/report.h"

namespace ipusim {

PodNetwork::PodNetwork(const sc_core::sc_module_name& name, const PodPrograms& pod)
    : sc_module(name),
      sockets("socket", pod.exchanges.empty() ? 0 : pod.chips.size()),
      pod_(pod),
      clock_(pod.chips.front().timing.clock_hz),
      links_(pod.link_sets) {
  for (std::size_t chip = 0; chip < sockets.size(); ++chip) {
    sockets[chip].register_b_transport(this, &PodNetwork::transport, static_cast<int>(chip));
  }
}

void PodNetwork::transport(int chip, tlm::tlm_generic_payload& payload,
                           sc_core::sc_time& /*delay*/) {
  auto* request = payload.get_extension<GlobalExchangeRequest>();
  const std::uint32_t exchange = request->exchange.index;
  if (arrived_ > 0 && exchange != exchange_) {
    reportError(kProgramReport,
                fmt::format("chip {} comes to global exchange {} while others wait at {}", chip,
                            exchange, exchange_));
  }
  exchange_ = exchange;
  last_arrival_ = arrived_ == 0 ? request->arrival : std::max(last_arrival_, request->arrival);
  if (++arrived_ == sockets.size()) release(exchange, request->exchange.weight);
  wait(released_);
  request->release = last_release_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Called by the last chip that comes.
void PodNetwork::release(std::uint32_t exchange, std::uint64_t weight) {
  const GlobalExchange& played = pod_.exchanges[exchange];
  last_release_ = last_arrival_ + played.sync + played.transfer;
  if (last_release_ > kLastCycle) return reportTooLong();
  addLoads(played, weight, links_);
  arrived_ = 0;
  released_.notify(clock_.untilCycle(last_release_));
}

}  // namespace ipusim
