// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/streaming_link.h"

#include <algorithm>

#include "models/ipu/engines/chip/report.h"
#include "models/ipu/engines/chip/transactions.h"

namespace ipusim::models {

StreamingLink::StreamingLink(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : TransferLink(name, programs.remote_transfers.size()),
      socket("socket"),
      pod("pod"),
      programs_(programs),
      clock_(programs.timing.clock_hz) {}

/// The external sync is over then.
Cycles StreamingLink::waitForStart() {
  if (!programs_.in_pod) return TransferLink::waitForStart() + programs_.timing.streaming.sync;
  wait(pod->oneMoreKnown());
  return pod->lastEnd();
}

Cycles StreamingLink::play(const ExpectedTransfer& transfer, Cycles start) {
  const RemoteTransfer& row = programs_.remote_transfers[transfer.index];
  RemoteRequest request;
  request.transfer = transfer;
  request.begin = start;
  const sc_core::sc_time took =
      transport({row.payload, row.address, row.to_chip, kStreamingReport}, *socket.operator->(),
                request, [&request] { return !request.end; });
  if (request.end) return *request.end;
  return start + programs_.timing.streaming.fixed + std::max(row.ports, clock_.cyclesIn(took));
}

}  // namespace ipusim::models
