// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>

#include "ipusim/chip/chip_signals.h"
#include "ipusim/chip/exchange_fabric.h"
#include "ipusim/chip/host_link.h"
#include "ipusim/chip/loop_control.h"
#include "ipusim/chip/modelled_host.h"
#include "ipusim/chip/modelled_streaming.h"
#include "ipusim/chip/pod_link.h"
#include "ipusim/chip/streaming_link.h"
#include "ipusim/chip/sync_network.h"
#include "ipusim/chip/tile.h"
#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim {

struct ChipOptions {
  /// The observer hears what happens on the chip. Null: nobody is told.
  Observer* observer = nullptr;
  /// True: the caller binds `host.socket` to a target. False: a host inside the chip answers after
  /// the time that the program expects.
  bool foreign_host = false;
  /// True: the caller binds `streaming.socket`, of a chip with remote transfers, to a target.
  /// False: a memory inside the chip answers, which the chip shares with no other.
  bool foreign_streaming = false;
  /// The caller has verified the programs: the chip does not do so again.
  bool verified = false;
  /// True: every tile has signals (see TileSignals).
  bool signals = false;
};

/// All tiles of one IPU, with the networks that join them. The caller owns the SystemC kernel and
/// starts it. `programs` and the observer must outlive the chip.
///
/// Simulated time is the time of the machine's clock. When the chip is constructed, the resolution
/// of the kernel must be a quarter of the clock's period or finer. The chip reports errors by
/// sc_report, with the ids of chip/report.h. It verifies the programs at the end of elaboration.
class Chip : public sc_core::sc_module {
 public:
  Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs,
       const ChipOptions& options = {});

  SyncNetwork sync;
  ExchangeFabric exchange;
  HostLink host;
  PodLink pod;  ///< to be bound where the chip has global exchanges
  StreamingLink streaming;
  sc_core::sc_vector<Tile> tiles;

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
  void bindHost(const ChipOptions& options);
  void bindStreaming(const ChipOptions& options);

  const ChipPrograms& programs_;
  MachineClock clock_;
  LoopControl loops_;
  ChipResult measured_;
  std::unique_ptr<ChipSignals> signals_;
  std::unique_ptr<ModelledHost> modelled_host_;
  std::unique_ptr<ModelledStreaming> modelled_streaming_;
  bool verified_;
};

}  // namespace ipusim
