// SPDX-License-Identifier: Apache-2.0
#include "ipusim/tile_program.h"

#include <algorithm>
#include <string>

#include "ipusim/error.h"
#include "models/ipu/program/exchange_verifier.h"

namespace ipusim {

namespace {

constexpr std::uint64_t kLongestWait = kLastCycle.value() / 2;

/// True when [first, first + count) lies in a list of `size`.
bool inRange(std::uint32_t first, std::uint32_t count, std::size_t size) {
  return std::uint64_t{first} + count <= size;
}

/// Walks the program of one tile, and beside it that of tile 0 for the ops that all tiles share.
class TileVerifier {
 public:
  TileVerifier(const ChipPrograms& programs, std::uint32_t tile, ExchangeVerifier& exchanges)
      : programs_(programs),
        program_(programs.tiles[tile]),
        ops_(program_.ops.items()),
        shared_(programs.tiles.front().ops.items()),
        tile_(tile),
        exchanges_(exchanges) {}

  void run();

 private:
  void require(bool holds, const char* what) const {
    if (!holds) fail(what);
  }
  [[noreturn]] void fail(const char* what) const;
  void verifyOp(const TileOp& op);
  void verifyBarrier(const TileOp& op);
  void verifyCompute(const TileOp& op) const;
  void verifyExchange(const TileOp& op);
  void verifyBound(const TileOp& op) const;
  void verifyWait(const TileOp& op) const;
  void verifyHostTransfer(const TileOp& op) const;
  void verifyRemoteBegin(const TileOp& op);
  void verifyRemoteEnd(const TileOp& op);
  void skipToBarrier();

  const ChipPrograms& programs_;
  const TileProgram& program_;
  const std::vector<TileOp>& ops_;
  const std::vector<TileOp>& shared_;  // those of tile 0
  std::uint32_t tile_;
  ExchangeVerifier& exchanges_;
  std::size_t op_ = 0;
  std::size_t shared_op_ = 0;   // index in tile 0's program
  std::uint32_t barriers_ = 0;  // barriers passed so far
  OpKind last_barrier_ = OpKind::RepeatEnd;
  std::uint64_t open_repeats_ = 0;
  bool synced_ = false;
  const TileOp* remote_ = nullptr;    // the RemoteBegin that has no RemoteEnd yet
  std::uint64_t remote_repeats_ = 0;  // how many Repeats it is in
};

void TileVerifier::fail(const char* what) const {
  throw InternalError("tile program " + std::to_string(tile_) + ", op " + std::to_string(op_) +
                      ": " + what);
}

void TileVerifier::run() {
  for (op_ = 0; op_ < ops_.size(); ++op_) verifyOp(ops_[op_]);
  require(open_repeats_ == 0, "a Repeat is not closed");
  require(remote_ == nullptr, "a RemoteBegin has no RemoteEnd");
  skipToBarrier();
  require(shared_op_ == shared_.size(), "tile 0 goes on where this tile ends");
  exchanges_.finish(tile_);
}

void TileVerifier::verifyOp(const TileOp& op) {
  switch (op.kind) {
    case OpKind::Compute:
      verifyCompute(op);
      break;
    case OpKind::Exchange:
      verifyExchange(op);
      break;
    case OpKind::ComputeMeasured:
    case OpKind::ExchangeMeasured:
      verifyWait(op);
      break;
    case OpKind::ExchangeBound:
      verifyBound(op);
      break;
    case OpKind::Sync:
      synced_ = true;
      break;
    case OpKind::HostTransfer:
      verifyHostTransfer(op);
      break;
    case OpKind::GlobalExchange:
      require(programs_.in_pod && op.first < programs_.global_exchanges,
              "no such exchange between chips");
      require(last_barrier_ == OpKind::Sync, "a GlobalExchange comes right after a Sync");
      break;
    case OpKind::RemoteBegin:
      verifyRemoteBegin(op);
      break;
    case OpKind::RemoteEnd:
      verifyRemoteEnd(op);
      break;
    case OpKind::RepeatBegin:
      require(op.iterations > 0, "a Repeat runs at least once");
      ++open_repeats_;
      break;
    case OpKind::RepeatEnd:
      require(open_repeats_ > 0, "no Repeat to close");
      require(remote_ == nullptr || remote_repeats_ < open_repeats_,
              "a RemoteBegin has no RemoteEnd in its Repeat");
      --open_repeats_;
      break;
    default:
      require(false, "no such kind of op");
  }
  if (isBarrier(op.kind)) verifyBarrier(op);
  const bool takes_time = op.kind != OpKind::RepeatBegin && op.kind != OpKind::RepeatEnd;
  require(!takes_time || indexOf(op.step) < programs_.steps, "no such step");
}

void TileVerifier::skipToBarrier() {
  while (shared_op_ < shared_.size() && !isBarrier(shared_[shared_op_].kind)) ++shared_op_;
}

void TileVerifier::verifyBarrier(const TileOp& op) {
  skipToBarrier();
  require(shared_op_ < shared_.size() && shared_[shared_op_].kind == op.kind,
          "tile 0 has another op here");
  require(op.kind != OpKind::RepeatBegin || shared_[shared_op_].iterations == op.iterations,
          "tile 0 repeats it another number of times");
  const bool is_transfer = op.kind == OpKind::HostTransfer || op.kind == OpKind::GlobalExchange ||
                           op.kind == OpKind::RemoteBegin || op.kind == OpKind::RemoteEnd;
  require(!is_transfer || shared_[shared_op_].first == op.first,
          "tile 0 has another transfer here");
  ++shared_op_;
  ++barriers_;
  last_barrier_ = op.kind;
}

void TileVerifier::verifyCompute(const TileOp& op) const {
  require(inRange(op.first, op.count, program_.vertices.size()), "vertices out of range");
  const ChipTiming& timing = programs_.timing;
  // The longest time is that of vertices one after the other. It is a floating-point number because
  // the product may not fit 64 bits.
  auto longest = static_cast<double>(timing.compute_set_entry.value());
  for (std::uint32_t i = op.first; i < op.first + op.count; ++i) {
    const VertexRun& run = program_.vertices[i];
    const double vertex = static_cast<double>(run.cycles.value()) * timing.workers +
                          static_cast<double>(timing.vertex_launch.value()) +
                          static_cast<double>(timing.supervisor_call.value());
    longest += vertex * run.count;
  }
  if (longest > static_cast<double>(kLongestWait)) throwCountError();
}

void TileVerifier::verifyExchange(const TileOp& op) {
  require(op.first < programs_.exchanges.size(), "no such exchange");
  require(synced_ || programs_.exchanges[op.first].count == 0, "an Exchange before the first Sync");
  exchanges_.take(tile_, op.first, barriers_);
}

void TileVerifier::verifyBound(const TileOp& op) const {
  require(synced_, "an ExchangeBound before the first Sync");
  verifyWait(op);
}

void TileVerifier::verifyWait(const TileOp& op) const {
  require(op.first < program_.waits.size(), "no such wait");
  if (program_.waits[op.first].value() > kLongestWait) throwCountError();
}

void TileVerifier::verifyHostTransfer(const TileOp& op) const {
  require(op.first < programs_.host_transfers.size(), "no such transfer");
  require(last_barrier_ == OpKind::Sync, "a HostTransfer comes right after a Sync");
  if (programs_.host_transfers[op.first].cycles.value() > kLongestWait) throwCountError();
}

void TileVerifier::verifyRemoteBegin(const TileOp& op) {
  require(op.first < programs_.remote_transfers.size(), "no such remote transfer");
  require(last_barrier_ == OpKind::Sync, "a RemoteBegin comes right after a Sync");
  require(remote_ == nullptr, "a RemoteBegin before the RemoteEnd of another");
  remote_ = &op;
  remote_repeats_ = open_repeats_;
}

void TileVerifier::verifyRemoteEnd(const TileOp& op) {
  require(remote_ != nullptr && remote_->first == op.first && remote_repeats_ == open_repeats_,
          "a RemoteEnd without its RemoteBegin");
  remote_ = nullptr;
}

/// Throws CountError for a row that takes longer than the engines can count.
void verifyRemoteTransfers(const ChipPrograms& programs) {
  const StreamingTiming& timing = programs.timing.streaming;
  check(timing.ipus > 0 && timing.ipu_rate > 0, "a streaming memory has a rate");
  check(timing.rate >= timing.ipus, "every IPU of a machine has a share of the rate");
  const std::uint64_t fixed = std::max(timing.sync, timing.fixed).value();
  for (const RemoteTransfer& transfer : programs.remote_transfers) {
    const std::uint64_t bytes = transfer.on_memory.value();
    const bool too_many = bytes > (kLongestWait >> StreamingTiming::kRateBits);
    if (too_many || std::max(fixed, transfer.ports.value()) > kLongestWait) throwCountError();
  }
}

void verifyTiming(const ChipPrograms& programs) {
  const ChipTiming& timing = programs.timing;
  check(!programs.tiles.empty(), "a chip has tiles");
  check(timing.clock_hz > 0, "a chip has a clock");
  check(timing.workers > 0, "a tile has worker contexts");
  check(timing.sync_distance.size() == programs.tiles.size(), "every tile has a sync distance");
  check(timing.sync_base.value() <= kLongestWait, "the sync is beyond the last cycle");
  for (const Cycles distance : timing.sync_distance) {
    check(distance.value() <= kLongestWait / 2, "a tile is too far from the sync controller");
  }
}

}  // namespace

bool isBarrier(OpKind kind) {
  switch (kind) {
    case OpKind::Sync:
    case OpKind::HostTransfer:
    case OpKind::GlobalExchange:
    case OpKind::RemoteBegin:
    case OpKind::RemoteEnd:
    case OpKind::RepeatBegin:
    case OpKind::RepeatEnd:
      return true;
    default:
      return false;
  }
}

void verify(const ChipPrograms& programs) {
  verifyTiming(programs);
  verifyRemoteTransfers(programs);
  ExchangeVerifier exchanges(programs);
  for (std::uint32_t tile = 0; tile < programs.tiles.size(); ++tile) {
    TileVerifier(programs, tile, exchanges).run();
  }
}

}  // namespace ipusim
