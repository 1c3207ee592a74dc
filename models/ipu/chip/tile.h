// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/ipu/chip/exchange_fabric.h"
#include "models/ipu/chip/fault.h"
#include "models/ipu/chip/host_link.h"
#include "models/ipu/chip/loop_control.h"
#include "models/ipu/chip/sync_network.h"
#include "models/ipu/chip/worker_contexts.h"
#include "models/ipu/program/observer.h"
#include "models/ipu/program/tile_program.h"

namespace ipusim::models {

/// One tile: runs its own program, and meets the others only at a Sync.
///
/// Temporally decoupled: between two Syncs no other tile can touch this one, so it runs ahead of
/// the kernel in its own local time, and the kernel wakes it where a release reaches it, once a
/// Sync. A method and not a thread: the program counter is the whole state between two wake-ups,
/// and a method needs no switch of stacks (bench/bench_chip.cpp measures both).
class Tile : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Tile);
  /// `result` has room for all steps and tiles; the tile fills in its own share. `observer` may be
  /// null.
  Tile(const sc_core::sc_module_name& name, std::uint32_t tile, const ChipPrograms& programs,
       ChipResult& result, Fault& fault, Observer* observer);

  sc_core::sc_port<SyncIf> sync;
  sc_core::sc_port<ExchangeIf> exchange;
  sc_core::sc_port<HostLinkIf> host;
  sc_core::sc_port<LoopIf> loops;

  [[nodiscard]] bool finished() const { return next_ == end_ && asked_for_ == nullptr; }
  /// Of all Repeat bodies; the same on all tiles.
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

  void run();
  void execute(const TileOp& op);
  void compute(const TileOp& op);
  void askForSync(const TileOp& op);
  void fetchAhead() const;
  void passSync();
  void transfer(const TileOp& op);
  void beginRepeat(const TileOp& op);
  void endIteration();
  void skipTheRest(const Repeat& repeat);
  void spend(const TileOp& op, Cycles cycle);
  /// Tile 0 tells an observer of what all tiles have together.
  [[nodiscard]] bool speaksForAll() const { return observer_ != nullptr && tile_ == 0; }

  std::uint32_t tile_;
  const ChipPrograms& programs_;
  const TileProgram& program_;
  ChipResult& result_;
  Fault& fault_;
  Observer* observer_;
  WorkerContexts contexts_;

  const TileOp* next_;
  const TileOp* end_;
  const TileOp* asked_for_ = nullptr;  // the Sync that the tile waits for
  Cycles local_time_;
  PassedSync sync_passed_;  // the last; number 0 before the first
  std::vector<Repeat> repeats_;
  std::uint64_t weight_ = 1;  // iterations that the one being simulated stands for
  std::uint64_t iterations_ = 0;
  std::uint64_t ops_ = 0;
};

}  // namespace ipusim::models
