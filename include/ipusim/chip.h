// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <tlm>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim {

struct ChipOptions {
  /// The observer hears what happens on the chip. Null: nobody is told.
  Observer* observer = nullptr;
  /// True: the caller binds a target to the host link (bindHost). False: a host inside the chip
  /// answers after the time that the program expects.
  bool foreign_host = false;
  /// True: the caller binds a target to the streaming link of a chip with remote transfers.
  /// False: a memory inside the chip answers, which the chip shares with no other.
  bool foreign_streaming = false;
  /// The caller has verified the programs: the chip does not do so again.
  bool verified = false;
  /// True: every tile has signals of what it does, which trace() writes.
  bool signals = false;
};

// Ids of the errors that the chip reports, all of severity SC_ERROR. A platform may handle them
// with sc_report_handler; otherwise sc_start throws the error as an sc_report.

/// The programs are invalid: see `verify`.
inline constexpr const char* kProgramReport = "/ipusim/program";
/// Two transmissions meet on a port.
inline constexpr const char* kFabricReport = "/ipusim/fabric";
/// The target behind the host link answers with an error.
inline constexpr const char* kHostReport = "/ipusim/host";
/// The target behind the streaming link answers with an error.
inline constexpr const char* kStreamingReport = "/ipusim/streaming";
/// An iteration was assumed equal to the one before it, and is not.
inline constexpr const char* kLoopReport = "/ipusim/loop";
/// A time is beyond the last cycle, or the resolution of SystemC's time cannot tell two cycles
/// apart.
inline constexpr const char* kClockReport = "/ipusim/clock";

/// A TLM-2.0 target as a chip sees it: any target socket with a bus of 32 bits, such as
/// tlm_utils::simple_target_socket.
using ChipTarget =
    tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

/// All tiles of one IPU, with the networks that join them. The caller owns the SystemC kernel and
/// starts it. `programs` and the observer must outlive the chip.
///
/// Simulated time is the time of the machine's clock. When the chip is constructed, the resolution
/// of the kernel must be a quarter of the clock's period or finer. The chip reports errors by
/// sc_report, with the ids below. It verifies the programs at the end of elaboration.
class Chip : public sc_core::sc_module {
 public:
  Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs,
       const ChipOptions& options = {});

  ~Chip() override;

  /// Puts a memory of the host behind the host link. Needs ChipOptions::foreign_host.
  ///
  /// A transfer consists of transactions of at most 64 KiB, one after the other from address 0 on.
  /// A transfer to the chip reads from the target; a transfer to the host writes to it. The chip
  /// holds no data, so it writes zeros. The target may wait, annotate a delay, or both. The
  /// transfer ends with the cycle in which the sum of these times ends.
  void bindHost(ChipTarget& memory);
  /// Puts a streaming memory behind the streaming link, in the way of bindHost: at the addresses of
  /// the rows in the chip's part of the memory, loads read and stores write. A transfer takes the
  /// external sync, its fixed cost, and the longer of the target's time and that of the chip's
  /// tiles and exchange contexts. Needs ChipOptions::foreign_streaming.
  void bindStreaming(ChipTarget& memory);
  /// Connects a chip of a pod to the links and the sync network of the pod.
  void bindPod(ChipTarget& network);

  /// True when all tiles have come to the end of their programs.
  [[nodiscard]] bool finished() const;
  /// Gives away what the tiles measured. May be called once, after the tiles have finished; throws
  /// InternalError before that.
  [[nodiscard]] ChipResult takeResult();
  /// Adds the signals of all tiles to `file` under their names. Needs ChipOptions::signals.
  void trace(sc_core::sc_trace_file* file) const override;
  /// Adds the signals of one tile.
  void trace(sc_core::sc_trace_file* file, TileId tile) const;

 private:
  void end_of_elaboration() override;

  struct Modules;
  std::unique_ptr<Modules> modules_;
};

}  // namespace ipusim
