// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/ipu/program/system_program.h"

namespace ipusim::models {

/// The rules by which the chips of a system meet: at an exchange between chips and at the begin of
/// a remote transfer, each of them waits for the last one.
///
///   release = max over chips (arrival) + sync + transfer
///
/// where the begin of a remote transfer has no `transfer`: that goes on beside the tiles.
class ChipBarriers {
 public:
  /// `ipus` has the program of each IPU. It and `exchanges` must outlive the barriers.
  ChipBarriers(const std::vector<GlobalExchange>& exchanges, std::uint32_t link_sets,
               std::vector<const ChipPrograms*> ipus);

  /// Whether chips meet at an op of that kind.
  [[nodiscard]] static bool areAt(OpKind kind) {
    return kind == OpKind::GlobalExchange || kind == OpKind::RemoteBegin;
  }

  /// Takes `chips`, which have all come to `op`, past it. It runs `times` times.
  template <typename Chips>
  void pass(const TileOp& op, std::uint64_t times, Chips& chips) {
    if (op.kind == OpKind::RemoteBegin) {
      const Cycles begin = externalSync(chips);
      const Cycles end = remoteEnd(op.first, begin);
      for (auto& chip : chips) chip.passRemoteBegin(op, begin, end);
      return;
    }
    const GlobalExchange& exchange = exchanges_[op.first];
    addLoads(exchange, times, links_);
    const Cycles release = lastArrival(chips) + exchange.sync + exchange.transfer;
    for (auto& chip : chips) chip.passGlobalExchange(op, release);
  }

  /// When chips go on that have nothing to do but meet.
  template <typename Chips>
  [[nodiscard]] Cycles externalSync(const Chips& chips) const {
    return lastArrival(chips) + ipus_.front()->timing.streaming.sync;
  }

  /// What each set of links carried.
  [[nodiscard]] std::vector<LinkUse>& links() { return links_; }
  [[nodiscard]] const std::vector<LinkUse>& links() const { return links_; }

 private:
  template <typename Chips>
  [[nodiscard]] static Cycles lastArrival(const Chips& chips) {
    Cycles last;
    for (const auto& chip : chips) last = std::max(last, chip.arrival());
    return last;
  }

  /// When a remote transfer ends that begins in cycle `begin`. `transfer` is an index into the
  /// remote_transfers of the programs.
  [[nodiscard]] Cycles remoteEnd(std::uint32_t transfer, Cycles begin) const;

  const std::vector<GlobalExchange>& exchanges_;
  std::vector<LinkUse> links_;
  std::vector<const ChipPrograms*> ipus_;
};

}  // namespace ipusim::models
