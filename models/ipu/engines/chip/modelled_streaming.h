// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "ipusim/tile_program.h"
#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/streaming_link.h"

namespace ipusim::models {

/// The streaming memories of all machines of a system, where the caller binds none: a TLM-2.0
/// target with one socket per chip program. It keeps no data. All chips come to a remote transfer
/// in one cycle, after its external sync. Each sends one transaction, which blocks until the
/// transfer has ended for all IPUs. The memory of a machine is a server whose rate its IPUs share.
/// A chip may stand for several IPUs that run its program.
class ModelledStreaming : public sc_core::sc_module {
 public:
  /// `chips` has one entry per program. IPU i runs program `chip_of_ipu[i]`.
  ModelledStreaming(const sc_core::sc_module_name& name, std::vector<const ChipPrograms*> chips,
                    std::vector<std::uint32_t> chip_of_ipu);

  using Socket = tlm_utils::simple_target_socket_tagged<ModelledStreaming>;
  sc_core::sc_vector<Socket> sockets;  ///< one entry per program

 private:
  /// What an IPU still wants of the memory of its machine, in 2^-kRateBits bytes.
  struct Flow {
    std::uint32_t machine;
    std::uint64_t left;
  };

  void transport(int chip, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void serve(const RemoteRequest& request);
  [[nodiscard]] std::vector<Flow> flowsOf(std::uint32_t transfer) const;
  [[nodiscard]] Cycles drain(std::vector<Flow> flows, Cycles now);

  std::vector<const ChipPrograms*> chips_;
  std::vector<std::uint32_t> chip_of_ipu_;
  StreamingTiming timing_;
  MachineClock clock_;
  std::size_t arrived_ = 0;
  Cycles end_;
  sc_core::sc_event served_;
};

}  // namespace ipusim::models
