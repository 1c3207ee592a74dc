// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"
#include "models/ipu/engines/chip/exchange_fabric.h"
#include "models/ipu/engines/chip/host_link.h"
#include "models/ipu/engines/chip/loop_control.h"
#include "models/ipu/engines/chip/machine_clock.h"
#include "models/ipu/engines/chip/sync_network.h"
#include "models/ipu/engines/chip/tile_signals.h"
#include "models/ipu/engines/chip/worker_contexts.h"
#include "models/ipu/program/span_recorder.h"

namespace ipusim::models {

/// One tile: runs its own program, and meets the other tiles only at a Sync.
///
/// The tile is temporally decoupled: between two Syncs no other tile can influence it. It therefore
/// runs ahead of the kernel in its own local time, and the kernel wakes it once per Sync, when a
/// release reaches it. Its process is a method instead of a thread: the program counter is all the
/// state between two wake-ups, and a method needs no switch of stacks.
class Tile : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Tile);
  /// What the caller gives a tile besides its program.
  struct Setup {
    ChipResult& result;  ///< has room for all steps and tiles; the tile fills in its own share
    Observer* observer = nullptr;  ///< hears what the tile does; may be null
    bool signals = false;          ///< the tile has signals; somebody else writes them
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
  sc_core::sc_port<TransferIf> host;
  sc_core::sc_port<TransferIf> pod;
  sc_core::sc_port<TransferIf> streaming;
  sc_core::sc_port<LoopIf> loops;

  /// The tile's signals, or null where the setup did not ask for them.
  [[nodiscard]] TileSignals* signals() const { return signals_.get(); }

  [[nodiscard]] bool finished() const { return next_ == end_ && !waits_; }
  /// Iterations of all Repeat bodies that were simulated; equal on all tiles.
  [[nodiscard]] std::uint64_t iterationsSimulated() const { return iterations_; }
  [[nodiscard]] std::uint64_t opsSimulated() const { return ops_; }

 private:
  /// A Repeat that the tile is in.
  struct Repeat {
    const TileOp* body;
    std::uint64_t iterations;
    std::uint64_t iteration;  ///< 1 or 2: the second one stands for all that follow
    std::uint64_t weight_outside;
    std::uint64_t syncs_before;
    Cycles began;  ///< when the iteration began
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
  [[nodiscard]] const TileOp* nextBarrier() const;
  void announceTransfer();
  void waitForHost(const TileOp& op);
  void passHostTransfer(const TileOp& op);
  void waitForPod(const TileOp& op);
  void passPod(const TileOp& op);
  void beginRemote(const TileOp& op);
  void waitForRemote(const TileOp& op);
  void passRemoteEnd(const TileOp& op);
  void beginRepeat(const TileOp& op);
  void endIteration();
  void skipTheRest(const Repeat& repeat);
  void spend(const TileOp& op, Cycles cycle);
  /// True for tile 0: it tells the observer about what all tiles have in common.
  [[nodiscard]] bool speaksForAll() const { return observer_ != nullptr && tile_ == 0; }

  // What every step reads or writes lies together, in as few cache lines as can be: all other tiles
  // run before this one does again, and what it touches is to be still in the cache.
  const TileOp* next_;
  const TileOp* end_;
  const VertexRun* vertices_;
  SyncIf* sync_network_ = nullptr;  // what the ports are bound to
  ExchangeIf* fabric_ = nullptr;
  Cycles local_time_;
  PassedSync sync_passed_;  // the last one; number 0 before the first
  TileOp waits_for_{};      // a copy: the cache has lost the op itself when the tile runs again
  bool waits_ = false;      // for `waits_for_`, which is no Compute, Exchange or Repeat
  bool ended_ = false;      // the kernel will wake the tile at the end of its program
  std::uint32_t tile_;
  std::uint64_t weight_ = 1;  // how many iterations the current one stands for
  std::uint64_t ops_ = 0;
  const ChipPrograms& programs_;
  ChipResult& result_;
  Observer* observer_;
  WorkerContexts contexts_;
  SpanRecorder spans_;

  std::vector<Repeat> repeats_;
  std::uint64_t transfers_ = 0;         // how many transfers with the host have passed
  std::uint64_t pod_barriers_ = 0;      // how many times the tile has waited for the pod
  std::uint64_t remote_transfers_ = 0;  // how many remote transfers have passed
  std::uint64_t iterations_ = 0;
  MachineClock clock_;
  sc_core::sc_process_handle process_;
  std::unique_ptr<TileSignals> signals_;
};

}  // namespace ipusim::models
