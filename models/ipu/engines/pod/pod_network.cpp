// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/pod/pod_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/ipu/engines/chip/pod_link.h"
#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

PodNetwork::PodNetwork(const sc_core::sc_module_name& name, const SystemPrograms& pod)
    : sc_module(name),
      sockets("socket", pod.chips.front().podBarriers() == 0 ? 0 : pod.chips.size()),
      pod_(pod),
      clock_(pod.chips.front().timing.clock_hz),
      links_(pod.link_sets) {
  for (std::size_t chip = 0; chip < sockets.size(); ++chip) {
    sockets[chip].register_b_transport(this, &PodNetwork::transport, static_cast<int>(chip));
  }
}

void PodNetwork::transport(int chip, tlm::tlm_generic_payload& payload,
                           sc_core::sc_time& /*delay*/) {
  auto* request = payload.get_extension<PodRequest>();
  const ExpectedTransfer& transfer = request->transfer;
  if (arrived_ > 0 && (transfer.kind != transfer_.kind || transfer.index != transfer_.index)) {
    reportError(kProgramReport, fmt::format("chip {} comes to {} while others wait at {}", chip,
                                            nameOfBarrier(transfer.kind, transfer.index),
                                            nameOfBarrier(transfer_.kind, transfer_.index)));
  }
  transfer_ = transfer;
  last_arrival_ = arrived_ == 0 ? request->arrival : std::max(last_arrival_, request->arrival);
  if (++arrived_ == sockets.size()) release();
  wait(released_);
  request->release = last_release_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Called by the last chip that comes.
void PodNetwork::release() {
  const Cycles lasts = transfer_.kind == OpKind::GlobalExchange
                           ? play(pod_.exchanges[transfer_.index])
                           : pod_.chips.front().timing.streaming.sync;
  last_release_ = last_arrival_ + lasts;
  if (last_release_ > kLastCycle) return reportTooLong();
  arrived_ = 0;
  released_.notify(clock_.untilCycle(last_release_));
}

/// Puts the exchange on the links, and returns how long it lasts from the last arrival on.
Cycles PodNetwork::play(const GlobalExchange& exchange) {
  addLoads(exchange, transfer_.weight, links_);
  return exchange.sync + exchange.transfer;
}

}  // namespace ipusim::models
