// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/pod_link.h"

namespace ipusim {

PodLink::PodLink(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : sc_module(name), socket("socket"), sync("sync") {
  if (programs.global_exchanges == 0) return;  // a thread is expensive
  SC_THREAD(run);
}

void PodLink::expect(const ExpectedTransfer& transfer) {
  expected_ = transfer;
  is_expected_.notify();
}

void PodLink::run() {
  for (;;) {
    if (!expected_) wait(is_expected_);
    const ExpectedTransfer exchange = *expected_;
    expected_.reset();
    wait(sync->releasedAtController());
    last_end_ = transport(exchange);
    ++known_;
    one_more_known_.notify();
  }
}

/// Returns when the pod released its chips.
Cycles PodLink::transport(const ExpectedTransfer& exchange) {
  GlobalExchangeRequest request;
  request.exchange = exchange;
  request.arrival = sync->lastRelease();
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_extension(&request);
  sc_core::sc_time delay;
  socket->b_transport(payload, delay);
  payload.clear_extension(&request);
  return request.release;
}

}  // namespace ipusim
