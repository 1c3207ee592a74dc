// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "ipusim/tile_program.h"
#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/transfer_link.h"

namespace ipusim::models {

/// The one link to the host: a loosely timed TLM-2.0 initiator.
///
/// A transfer consists of transactions of at most 64 KiB, one after the other from address 0 on. A
/// transfer to the chip reads from the target; a transfer to the host writes to it. The chip holds
/// no data, so it writes zeros. The target may wait, annotate a delay, or both. The transfer ends
/// with the cycle in which the sum of these times ends.
class HostLink : public TransferLink {
 public:
  HostLink(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  tlm_utils::simple_initiator_socket<HostLink> socket;

 private:
  [[nodiscard]] Cycles play(const ExpectedTransfer& transfer, Cycles start) override;
  [[nodiscard]] sc_core::sc_time transport(const HostTransfer& transfer);

  const ChipPrograms& programs_;
  MachineClock clock_;
};

}  // namespace ipusim::models
