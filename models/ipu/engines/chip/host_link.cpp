// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/host_link.h"

#include "models/ipu/engines/chip/modelled_host.h"
#include "models/ipu/engines/chip/report.h"
#include "models/ipu/engines/chip/transactions.h"

namespace ipusim::models {

HostLink::HostLink(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : TransferLink(name, programs.host_transfers.size()),
      socket("socket"),
      programs_(programs),
      clock_(programs.timing.clock_hz) {}

Cycles HostLink::play(const ExpectedTransfer& transfer, Cycles start) {
  return start + clock_.cyclesIn(transport(programs_.host_transfers[transfer.index]));
}

/// Returns how long the transfer took.
sc_core::sc_time HostLink::transport(const HostTransfer& transfer) {
  if (MachineClock::isLatest(clock_.at(transfer.cycles))) reportTooLong();
  ExpectedTime expected;
  expected.cycles = transfer.cycles;
  return models::transport({transfer.bytes, 0, transfer.to_chip, kHostReport}, *socket.operator->(),
                           expected, [&expected] {
                             expected.cycles = Cycles(0);
                             return true;
                           });
}

}  // namespace ipusim::models
