// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "ipusim/chip/machine_clock.h"
#include "ipusim/chip/sync_network.h"
#include "ipusim/chip/transfer_if.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// The one link to the host: a loosely timed TLM-2.0 initiator. A transfer starts when the
/// controller releases the Sync before it.
///
/// A transfer consists of transactions of at most 64 KiB, one after the other from address 0 on. A
/// transfer to the chip reads from the target; a transfer to the host writes to it. The chip holds
/// no data, so it writes zeros. The target may wait, annotate a delay, or both. The transfer ends
/// with the cycle in which the sum of these times ends.
class HostLink : public sc_core::sc_module, public TransferIf {
 public:
  SC_HAS_PROCESS(HostLink);
  HostLink(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  tlm_utils::simple_initiator_socket<HostLink> socket;
  sc_core::sc_port<SyncIf> sync;

  void expect(const ExpectedTransfer& transfer) override;
  [[nodiscard]] std::uint64_t known() const override { return known_; }
  [[nodiscard]] const sc_core::sc_event& oneMoreKnown() const override { return one_more_known_; }
  [[nodiscard]] Cycles lastEnd() const override { return last_end_; }

 private:
  void run();
  [[nodiscard]] sc_core::sc_time transport(const HostTransfer& transfer);

  const ChipPrograms& programs_;
  MachineClock clock_;
  std::vector<unsigned char> data_;
  std::optional<std::uint32_t> expected_;
  sc_core::sc_event is_expected_;
  std::uint64_t known_ = 0;
  sc_core::sc_event one_more_known_;
  Cycles last_end_;
};

}  // namespace ipusim
