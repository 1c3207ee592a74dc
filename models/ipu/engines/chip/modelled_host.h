// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "models/ipu/engines/chip/machine_clock.h"

namespace ipusim::models {

/// Rides on the transactions of the host link and holds how long the program expects the transfer
/// to take. The first transaction of a transfer has the time of the whole transfer. A target with
/// times of its own ignores this extension.
struct ExpectedTime : public tlm::tlm_extension<ExpectedTime> {
  Cycles cycles;

  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new ExpectedTime(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const ExpectedTime&>(other);
  }
};

/// The host that the chip uses when the caller binds none. It keeps no data, and answers after the
/// expected time.
class ModelledHost : public sc_core::sc_module {
 public:
  ModelledHost(const sc_core::sc_module_name& name, double clock_hz)
      : sc_module(name), socket("socket"), clock_(clock_hz) {
    socket.register_b_transport(this, &ModelledHost::transport);
  }

  tlm_utils::simple_target_socket<ModelledHost> socket;

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const auto* expected = payload.get_extension<ExpectedTime>();
    delay += clock_.at(expected->cycles);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  MachineClock clock_;
};

}  // namespace ipusim::models
