// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <optional>
#include <systemc>
#include <tlm>

#include "ipusim/chip/sync_network.h"
#include "ipusim/chip/transfer_if.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// Rides on the transaction of a global exchange: what the chip tells the pod, and what the pod
/// answers.
struct GlobalExchangeRequest : public tlm::tlm_extension<GlobalExchangeRequest> {
  ExpectedTransfer exchange = {};
  Cycles arrival;  ///< when the chip came to the exchange
  Cycles release;  ///< the answer: when the pod released its chips

  [[nodiscard]] tlm::tlm_extension_base* clone() const override {
    return new GlobalExchangeRequest(*this);
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const GlobalExchangeRequest&>(other);
  }
};

/// The way to the other chips of a pod: a loosely timed TLM-2.0 initiator. A global exchange is one
/// transaction without data, which the pod answers when all its chips have come to the exchange.
/// The socket stays unbound on a chip on its own.
class PodLink : public sc_core::sc_module, public TransferIf {
 public:
  SC_HAS_PROCESS(PodLink);
  PodLink(const sc_core::sc_module_name& name, const ChipPrograms& programs);

  tlm_utils::simple_initiator_socket_optional<PodLink> socket;
  sc_core::sc_port<SyncIf> sync;

  void expect(const ExpectedTransfer& transfer) override;
  [[nodiscard]] std::uint64_t known() const override { return known_; }
  [[nodiscard]] const sc_core::sc_event& oneMoreKnown() const override { return one_more_known_; }
  [[nodiscard]] Cycles lastEnd() const override { return last_end_; }

 private:
  void run();
  [[nodiscard]] Cycles transport(const ExpectedTransfer& exchange);

  std::optional<ExpectedTransfer> expected_;
  sc_core::sc_event is_expected_;
  std::uint64_t known_ = 0;
  sc_core::sc_event one_more_known_;
  Cycles last_end_;
};

}  // namespace ipusim
