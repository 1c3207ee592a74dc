// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/modelled_streaming.h"

#include <algorithm>
#include <utility>

#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

ModelledStreaming::ModelledStreaming(const sc_core::sc_module_name& name,
                                     std::vector<const ChipPrograms*> chips,
                                     std::vector<std::uint32_t> chip_of_ipu)
    : sc_module(name),
      sockets("socket", chips.size()),
      chips_(std::move(chips)),
      chip_of_ipu_(std::move(chip_of_ipu)),
      timing_(chips_.front()->timing.streaming),
      clock_(chips_.front()->timing.clock_hz) {
  for (std::size_t chip = 0; chip < sockets.size(); ++chip) {
    sockets[chip].register_b_transport(this, &ModelledStreaming::transport, static_cast<int>(chip));
  }
}

void ModelledStreaming::transport(int /*chip*/, tlm::tlm_generic_payload& payload,
                                  sc_core::sc_time& /*delay*/) {
  auto* request = payload.get_extension<RemoteRequest>();
  if (++arrived_ == sockets.size()) {
    serve(*request);
  } else {
    wait(served_);
  }
  request->end = end_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Called by the last chip that comes.
void ModelledStreaming::serve(const RemoteRequest& request) {
  const std::uint32_t transfer = request.transfer.index;
  const Cycles begin = request.begin + timing_.fixed;
  end_ = begin;
  for (const ChipPrograms* chip : chips_) {
    end_ = std::max(end_, begin + chip->remote_transfers[transfer].ports);
  }
  end_ = std::max(end_, drain(flowsOf(transfer), begin));
  if (end_ > kLastCycle) return reportTooLong();
  wait(clock_.untilCycle(end_));
  arrived_ = 0;
  served_.notify();
}

std::vector<ModelledStreaming::Flow> ModelledStreaming::flowsOf(std::uint32_t transfer) const {
  std::vector<Flow> flows;
  for (std::uint32_t ipu = 0; ipu < chip_of_ipu_.size(); ++ipu) {
    const Bytes bytes = chips_[chip_of_ipu_[ipu]]->remote_transfers[transfer].on_memory;
    if (bytes == Bytes(0)) continue;
    flows.push_back({ipu / timing_.ipus, bytes.value() << StreamingTiming::kRateBits});
  }
  return flows;
}

/// Serves the flows from cycle `now` on, and returns the cycle in which the last one is done. Waits
/// whenever one is done, and shares the rate anew.
Cycles ModelledStreaming::drain(std::vector<Flow> flows, Cycles now) {
  while (!flows.empty()) {
    std::vector<std::uint64_t> active(flows.back().machine + 1);
    for (const Flow& flow : flows) ++active[flow.machine];
    const auto share_of = [&](const Flow& flow) {
      return std::min(timing_.ipu_rate, timing_.rate / active[flow.machine]);
    };
    std::uint64_t step = kLastCycle.value();
    for (const Flow& flow : flows) step = std::min(step, ceilDiv(flow.left, share_of(flow)));
    for (Flow& flow : flows) flow.left -= std::min(flow.left, step * share_of(flow));
    now += Cycles(step);
    if (now > kLastCycle) reportTooLong();
    wait(clock_.untilCycle(now));
    flows.erase(
        std::remove_if(flows.begin(), flows.end(), [](const Flow& flow) { return flow.left == 0; }),
        flows.end());
  }
  return now;
}

}  // namespace ipusim::models
