// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "ipusim/tile_program.h"
#include "models/ipu/engines/chip/transfer_link.h"

namespace ipusim::models {

/// Rides on the transaction of a GlobalExchange or RemoteBegin: what the chip tells the pod, and
/// what the pod answers.
struct PodRequest : public tlm::tlm_extension<PodRequest> {
  ExpectedTransfer transfer = {};
  Cycles arrival;  ///< when the chip came to the transfer
  Cycles release;  ///< the answer: when the pod released its chips

  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new PodRequest(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const PodRequest&>(other);
  }
};

/// The way to the other chips of a pod: a loosely timed TLM-2.0 initiator. A GlobalExchange or
/// RemoteBegin is one transaction without data, which the pod answers when it releases the chips.
/// The socket stays unbound on a chip on its own.
class PodLink : public TransferLink {
 public:
  PodLink(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  tlm_utils::simple_initiator_socket_optional<PodLink> socket;

 private:
  [[nodiscard]] Cycles play(const ExpectedTransfer& transfer, Cycles start) override;
};

}  // namespace ipusim::models
