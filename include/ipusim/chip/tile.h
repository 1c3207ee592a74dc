// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "ipusim/chip/exchange_fabric.h"
#include "ipusim/chip/host_link.h"
#include "ipusim/chip/loop_control.h"
#include "ipusim/chip/machine_clock.h"
#include "ipusim/chip/sync_network.h"
#include "ipusim/chip/tile_signals.h"
#include "ipusim/chip/worker_contexts.h"
#include "ipusim/observer.h"
#include "ipusim/span_recorder.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// One tile: runs its own program, and meets the others only at a Sync.
///
/// Temporally decoupled: between two Syncs no other tile can touch this one, so it runs ahead of
/// the kernel in its own local time, and the kernel wakes it where a release reaches it, once per
/// Sync. A method and not a thread: the program counter is the whole state between two wake-ups,
/// and a method needs no switch of stacks (bench/bench_chip.cpp measures both).
class Tile : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Tile);
  /// What the caller gives a tile besides its program.
  struct Setup {
    ChipResult& result;  ///< with room for all steps and tiles; the tile fills in its own share
    Observer* observer = nullptr;  ///< hears what the tile does; may be null
    bool signals = false;          ///< the tile has them. Who writes them is no matter of the tile.
  };

  Tile(const sc_core::sc_module_name& name, std::uint32_t tile, const ChipPrograms& programs,
       const Setup& setup);
  Tile(const Tile&) = delete;
  Tile& operator=(const Tile&) = delete;
  /// Ends the process of the tile. The kernel would end it too, but searches the list of all
  /// processes for each: the square of the tiles, a minute for 65,536 of them.
  ~Tile() override;

  sc_core::sc_port<SyncIf> sync;
  sc_core::sc_port<ExchangeIf> exchange;
  sc_core::sc_port<HostLinkIf> host;
  sc_core::sc_port<LoopIf> loops;

  /// Null when they were not asked for.
  [[nodiscard]] TileSignals* signals() const { return signals_.get(); }

  [[nodiscard]] bool finished() const { return next_ == end_ && !waits_; }
  /// Iterations of all Repeat bodies; the same on all tiles.
  [[nodiscard]] std::uint64_t iterationsSimulated() const { return iterations_; }
  [[nodiscard]] std::uint64_t opsSimulated() const { return ops_; }

 private:
  /// A Repeat that the tile is in.
  struct Repeat {
    const TileOp* body;
    std::uint64_t iterations;
    std::uint64_t iteration;  ///< 1 or 2: the second stands for all that follow
    std::uint64_t weight_outside;
    std::uint64_t syncs_before;
    Cycles began;  ///< the iteration
  };

  void end_of_elaboration() override;
  void run();
  void resume();
  void finish();
  void execute(const TileOp& op);
  void compute(const TileOp& op);
  void waitFor(const TileOp& op);
  void askForSync(const TileOp& op);
  void fetchAhead(const TileOp& asked) const;
  [[nodiscard]] Cycles& cyclesOf(StepId step) const {
    return result_.busy[indexOf(step) * result_.tiles + tile_];
  }
  void passSync(const TileOp& op);
  [[nodiscard]] const TileOp* nextMeeting() const;
  void waitForHost(const TileOp& op);
  void passHostTransfer(const TileOp& op);
  void beginRepeat(const TileOp& op);
  void endIteration();
  void skipTheRest(const Repeat& repeat);
  void spend(const TileOp& op, Cycles cycle);
  /// Tile 0 tells an observer of what all tiles have together.
  [[nodiscard]] bool speaksForAll() const { return observer_ != nullptr && tile_ == 0; }

  // What every step reads or writes lies together, in as few cache lines as can be: all other tiles
  // run before this one does again, and what it touches is to be still in the cache.
  const TileOp* next_;
  const TileOp* end_;
  const VertexRun* vertices_;
  SyncIf* sync_network_ = nullptr;  // what the ports are bound to
  ExchangeIf* fabric_ = nullptr;
  Cycles local_time_;
  PassedSync sync_passed_;  // the last; number 0 before the first
  TileOp waits_for_{};      // a copy: the cache has lost the op itself when the tile runs again
  bool waits_ = false;      // for the Sync or HostTransfer `waits_for_`
  bool ended_ = false;      // the kernel has been asked to come to the end of the program
  std::uint32_t tile_;
  std::uint64_t weight_ = 1;  // iterations that the one being simulated stands for
  std::uint64_t ops_ = 0;
  const ChipPrograms& programs_;
  ChipResult& result_;
  Observer* observer_;
  WorkerContexts contexts_;
  SpanRecorder spans_;

  std::vector<Repeat> repeats_;
  std::uint64_t transfers_ = 0;  // with the host, passed so far
  std::uint64_t iterations_ = 0;
  MachineClock clock_;
  sc_core::sc_process_handle process_;
  std::unique_ptr<TileSignals> signals_;
};

}  // namespace ipusim
