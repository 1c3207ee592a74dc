// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <optional>
#include <systemc>
#include <tlm>

#include "ipusim/tile_program.h"
#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/transfer_link.h"

namespace ipusim::models {

/// Rides on the transactions of the streaming link: what the chip tells the memory, and what a
/// memory of ours answers. A target with times of its own ignores this extension.
struct RemoteRequest : public tlm::tlm_extension<RemoteRequest> {
  ExpectedTransfer transfer = {};
  Cycles begin;               ///< when the external sync was over
  std::optional<Cycles> end;  ///< the answer: when the transfer ends

  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new RemoteRequest(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const RemoteRequest&>(other);
  }
};

/// The way to the streaming memory of the machine: a loosely timed TLM-2.0 initiator.
///
/// A transfer consists of transactions of at most 64 KiB, one after the other, at the addresses of
/// its row in the chip's part of the memory. Loads read from the target, stores write to it. The
/// chip holds no data, so it writes zeros. The target may wait, annotate a delay, or both. The
/// transfer then takes the external sync, its fixed cost, and the longer of the target's time and
/// that of the chip's tiles and exchange contexts. In a pod, the network of the pod plays the
/// external sync. The socket stays unbound on a chip without remote transfers.
class StreamingLink : public TransferLink {
 public:
  StreamingLink(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  tlm_utils::simple_initiator_socket_optional<StreamingLink> socket;
  sc_core::sc_port<TransferIf> pod;  ///< the way to the network of the pod

 private:
  [[nodiscard]] Cycles waitForStart() override;
  [[nodiscard]] Cycles play(const ExpectedTransfer& transfer, Cycles start) override;

  const ChipPrograms& programs_;
  MachineClock clock_;
};

}  // namespace ipusim::models
