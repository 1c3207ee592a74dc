// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/streaming_link.h"

#include <algorithm>

#include "ipusim/chip/report.h"
#include "ipusim/chip/transactions.h"

namespace ipusim {

StreamingLink::StreamingLink(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : TransferLink(name, programs.remote_transfers.size()),
      socket("socket"),
      programs_(programs),
      clock_(programs.timing.clock_hz) {}

Cycles StreamingLink::play(const ExpectedTransfer& transfer, Cycles release) {
  const RemoteTransfer& row = programs_.remote_transfers[transfer.index];
  RemoteRequest request;
  request.transfer = transfer;
  request.arrival = release;
  const sc_core::sc_time took =
      transport({row.payload, row.address, row.to_chip, kStreamingReport}, *socket.operator->(),
                request, [&request] { return !request.end; });
  if (request.end) return *request.end;
  const StreamingTiming& timing = programs_.timing.streaming;
  return release + timing.sync + timing.fixed + std::max(row.ports, clock_.cyclesIn(took));
}

}  // namespace ipusim
