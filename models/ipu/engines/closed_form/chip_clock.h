// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "ipusim/tile_program.h"
#include "models/ipu/engines/closed_form/closed_form_compute.h"
#include "models/ipu/engines/closed_form/closed_form_exchange.h"

namespace ipusim::models {

/// Hears of nothing. What a recorder of a ChipClock hears: `op` is the op that a tile is at.
struct NoRecorder {
  /// The tile was at it from cycle `from` to cycle `to`.
  void moved(std::uint32_t /*tile*/, const TileOp& /*op*/, std::uint64_t /*from*/,
             std::uint64_t /*to*/) {}
  /// The tile passed it in no time.
  void passed(std::uint32_t /*tile*/, const TileOp& /*op*/, std::uint64_t /*now*/) {}
  /// The controller had the last request in one cycle and released the tiles in another one.
  void synced(const TileOp& /*op*/, std::uint64_t /*last_request*/, std::uint64_t /*release*/) {}
  void exchanges(const TileOp& /*op*/, std::uint64_t /*release*/) {}
  void hostTransfer(std::uint32_t /*tile*/, const TileOp& /*op*/, std::uint64_t /*release*/,
                    Cycles /*cycles*/) {}
};

/// The rules of time on one chip: how long a tile is at an op, and when tiles that meet go on. Its
/// owner says which op comes next. Times of tiles are advanced op by op, in any order of the tiles
/// between two barriers: what a tile does there does not affect any other tile.
template <typename Recorder = NoRecorder>
class ChipClock {
 public:
  /// `programs` must outlive the clock.
  explicit ChipClock(const ChipPrograms& programs, Recorder recorder = Recorder())
      : programs_(programs),
        recorder_(std::move(recorder)),
        compute_clock_(programs.timing),
        port_clock_(programs),
        now_(programs.tiles.size()) {
    busy_.resize(std::size_t{programs.steps} * now_.size());
  }

  /// Takes a tile past an op that it runs by itself. Returns false, and does nothing, for another.
  bool run(std::uint32_t tile, const TileOp& op) {
    const TileProgram& program = programs_.tiles[tile];
    switch (op.kind) {
      case OpKind::Compute:
        compute(tile, op, durationOf(tile, op));
        return true;
      case OpKind::Exchange:
        exchange(tile, op);
        return true;
      case OpKind::ExchangeBound:
        waitAfterRelease(tile, op, program.waits[op.first].value());
        return true;
      case OpKind::ComputeMeasured:
      case OpKind::ExchangeMeasured:
        moveTo(tile, op, now_[tile] + program.waits[op.first].value());
        return true;
      case OpKind::HostTransfer:
        hostTransfer(tile, op);
        return true;
      case OpKind::RemoteEnd:
        moveTo(tile, op, std::max(now_[tile], remote_end_));
        return true;
      default:
        return false;
    }
  }

  /// How long the tile takes for the vertices of a Compute.
  Cycles durationOf(std::uint32_t tile, const TileOp& op) {
    const VertexRun* const vertices = programs_.tiles[tile].vertices.data() + op.first;
    return compute_clock_.duration(vertices, vertices + op.count);
  }
  /// Takes a tile past a Compute of that duration.
  void compute(std::uint32_t tile, const TileOp& op, Cycles duration) {
    moveTo(tile, op, now_[tile] + duration.value());
  }

  /// Lets all tiles, which are at a Sync, meet at the controller. `op_of(tile)` is the op of a
  /// tile.
  ///
  /// release = max over tiles (arrival + distance) + base. A tile goes on at release + distance.
  template <typename OpOf>
  void sync(const OpOf& op_of) {
    const std::uint64_t last_request = meet();
    recorder_.synced(op_of(0), last_request, release_);
    goOnAfter(Cycles(release_), op_of);
  }
  /// Lets all tiles meet where no program has a Sync.
  void sync() {
    meet();
    hold(Cycles(release_));
  }
  /// Holds all tiles, which have just met, until a release in that cycle.
  void hold(Cycles release) {
    release_ = release.value();
    for (std::uint32_t tile = 0; tile < now_.size(); ++tile) now_[tile] = goesOn(tile, release);
  }

  /// Takes all tiles past a GlobalExchange: the system released its chips in that cycle.
  template <typename OpOf>
  void passGlobalExchange(Cycles release, const OpOf& op_of) {
    goOnAfter(release, op_of);
  }
  /// Takes all tiles past the RemoteBegin of a transfer from cycle `begin` to cycle `end`. The
  /// tiles of several chips wait for the begin.
  template <typename OpOf>
  void passRemoteBegin(Cycles begin, Cycles end, const OpOf& op_of) {
    remote_end_ = end.value();
    if (programs_.in_pod) return goOnAfter(begin, op_of);
    for (std::uint32_t tile = 0; tile < now_.size(); ++tile) {
      recorder_.passed(tile, op_of(tile), now_[tile]);
    }
  }

  /// Moves a tile, or the last release, later without counting it for an op.
  void skip(std::uint32_t tile, std::uint64_t cycles) { now_[tile] += cycles; }
  void skipRelease(std::uint64_t cycles) { release_ += cycles; }

  [[nodiscard]] std::uint64_t now(std::uint32_t tile) const { return now_[tile]; }
  [[nodiscard]] const std::vector<std::uint64_t>& now() const { return now_; }
  /// When the controller released the last Sync.
  [[nodiscard]] Cycles release() const { return Cycles(release_); }
  /// How many times the tiles met at the controller.
  [[nodiscard]] std::uint64_t syncs() const { return syncs_; }
  /// Cycles that each tile spent in each step, as in ChipResult.
  [[nodiscard]] std::vector<Cycles>& busy() { return busy_; }
  [[nodiscard]] const std::vector<Cycles>& busy() const { return busy_; }
  [[nodiscard]] Recorder& recorder() { return recorder_; }

 private:
  void exchange(std::uint32_t tile, const TileOp& op) {
    const std::uint64_t end = port_clock_.end(tile, op.first, Cycles(release_));
    recorder_.exchanges(op, release_);
    waitAfterRelease(tile, op, end);
  }

  void hostTransfer(std::uint32_t tile, const TileOp& op) {
    const Cycles cycles = programs_.host_transfers[op.first].cycles;
    recorder_.hostTransfer(tile, op, release_, cycles);
    waitAfterRelease(tile, op, cycles.value());
  }

  void waitAfterRelease(std::uint32_t tile, const TileOp& op, std::uint64_t cycles) {
    moveTo(tile, op, std::max(now_[tile], release_ + cycles));
  }

  /// Sets the release after all tiles have come. Returns when the last request was there.
  std::uint64_t meet() {
    const ChipTiming& timing = programs_.timing;
    std::uint64_t last_request = 0;
    for (std::size_t tile = 0; tile < now_.size(); ++tile) {
      last_request = std::max(last_request, now_[tile] + timing.sync_distance[tile].value());
    }
    release_ = last_request + timing.sync_base.value();
    ++syncs_;
    port_clock_.freeAll();
    return last_request;
  }

  [[nodiscard]] std::uint64_t goesOn(std::uint32_t tile, Cycles release) const {
    return (release + programs_.timing.sync_distance[tile]).value();
  }

  /// Each tile was held at the barrier until the release reaches it.
  template <typename OpOf>
  void goOnAfter(Cycles release, const OpOf& op_of) {
    for (std::uint32_t tile = 0; tile < now_.size(); ++tile) {
      moveTo(tile, op_of(tile), goesOn(tile, release));
    }
  }

  /// Moves the tile's time to `cycle`, and counts the cycles for `op`.
  void moveTo(std::uint32_t tile, const TileOp& op, std::uint64_t cycle) {
    if (cycle > kLastCycle.value()) throwCountError();
    busy_[indexOf(op.step) * now_.size() + tile] += Cycles(cycle - now_[tile]);
    recorder_.moved(tile, op, now_[tile], cycle);
    now_[tile] = cycle;
  }

  const ChipPrograms& programs_;
  Recorder recorder_;
  ComputeClock compute_clock_;
  PortClock port_clock_;
  std::vector<std::uint64_t> now_;  ///< one entry per tile
  std::uint64_t release_ = 0;
  std::uint64_t remote_end_ = 0;  ///< when the last remote transfer that began ends
  std::uint64_t syncs_ = 0;
  std::vector<Cycles> busy_;
};

}  // namespace ipusim::models
