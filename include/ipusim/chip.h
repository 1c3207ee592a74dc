// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>

#include "ipusim/chip/chip_signals.h"
#include "ipusim/chip/exchange_fabric.h"
#include "ipusim/chip/host_link.h"
#include "ipusim/chip/loop_control.h"
#include "ipusim/chip/modelled_host.h"
#include "ipusim/chip/sync_network.h"
#include "ipusim/chip/tile.h"
#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim {

struct ChipOptions {
  /// Hears what happens; none when null.
  Observer* observer = nullptr;
  /// The caller binds `host.socket` to a target. Otherwise a host inside the chip answers after the
  /// time that the program expects.
  bool foreign_host = false;
  /// The caller has verified the programs: the chip does not do so again.
  bool verified = false;
  /// Every tile has signals: see TileSignals.
  bool signals = false;
};

/// All tiles of one IPU and what joins them. The caller owns the kernel and starts it; `programs`
/// and the observer must outlive the chip. Time is that of the machine's clock: the kernel's
/// resolution must be a quarter of its period or finer when the chip is made. What goes wrong is an
/// sc_report: report.h has the ids. The programs are verified at the end of elaboration.
class Chip : public sc_core::sc_module {
 public:
  Chip(const sc_core::sc_module_name& name, const ChipPrograms& programs,
       const ChipOptions& options = {});

  SyncNetwork sync;
  ExchangeFabric exchange;
  HostLink host;
  sc_core::sc_vector<Tile> tiles;

  /// All tiles have come to the end of their programs.
  [[nodiscard]] bool finished() const;
  /// What the tiles measured, once, after they have finished. Throws InternalError before that.
  [[nodiscard]] ChipResult takeResult();
  /// Adds the signals of all tiles under their names; the options must have asked for them.
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void end_of_elaboration() override;
  void bindHost(const ChipOptions& options);

  const ChipPrograms& programs_;
  MachineClock clock_;
  LoopControl loops_;
  ChipResult measured_;
  std::unique_ptr<ChipSignals> signals_;
  std::unique_ptr<ModelledHost> modelled_host_;
  bool verified_;
};

}  // namespace ipusim
