// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/transfer_if.h"
#include "models/ipu/program/system_program.h"

namespace ipusim::models {

/// The links and the sync network of a pod: a TLM-2.0 target with one socket per chip. A chip that
/// comes to a global exchange or to the begin of a remote transfer sends one transaction. The
/// transaction blocks until all chips of the sync group have come, and the exchange or the external
/// sync is over. Sets of links are servers that the network observes: links() has what each of them
/// carried, and how long it was busy.
class PodNetwork : public sc_core::sc_module {
 public:
  /// `system` must outlive the network.
  PodNetwork(const sc_core::sc_module_name& name, const SystemPrograms& pod);

  using Socket = tlm_utils::simple_target_socket_tagged<PodNetwork>;
  sc_core::sc_vector<Socket> sockets;  ///< one entry per program; none without barriers

  /// One entry per set of links.
  [[nodiscard]] const std::vector<LinkUse>& links() const { return links_; }

 private:
  void transport(int chip, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void release();
  [[nodiscard]] Cycles play(const GlobalExchange& exchange);

  const SystemPrograms& pod_;
  MachineClock clock_;
  std::size_t arrived_ = 0;
  ExpectedTransfer transfer_ = {};  // that the chips have come to
  Cycles last_arrival_;
  Cycles last_release_;
  sc_core::sc_event released_;
  std::vector<LinkUse> links_;
};

}  // namespace ipusim::models
