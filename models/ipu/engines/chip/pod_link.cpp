// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/pod_link.h"

namespace ipusim::models {

PodLink::PodLink(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : TransferLink(name, programs.podBarriers()), socket("socket") {}

Cycles PodLink::play(const ExpectedTransfer& transfer, Cycles start) {
  PodRequest request;
  request.transfer = transfer;
  request.arrival = start;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_extension(&request);
  sc_core::sc_time delay;
  socket->b_transport(payload, delay);
  payload.clear_extension(&request);
  return request.release;
}

}  // namespace ipusim::models
