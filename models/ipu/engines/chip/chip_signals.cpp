// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/chip_signals.h"

namespace ipusim::models {

namespace {

TilePhase phaseOf(OpKind kind) {
  switch (kind) {
    case OpKind::Compute:
    case OpKind::ComputeMeasured:
      return TilePhase::Compute;
    case OpKind::Exchange:
    case OpKind::ExchangeMeasured:
      return TilePhase::Exchange;
    case OpKind::HostTransfer:
      return TilePhase::HostTransfer;
    case OpKind::RemoteEnd:
      return TilePhase::RemoteTransfer;
    default:
      return TilePhase::Waiting;
  }
}

}  // namespace

ChipSignals::ChipSignals(const sc_core::sc_module_name& name, const ChipPrograms& programs,
                         sc_core::sc_vector<Tile>& tiles, Observer* next)
    : sc_module(name),
      programs_(programs),
      clock_(programs.timing.clock_hz),
      tiles_(tiles),
      next_(next) {
  SC_METHOD(run);
  sensitive << earlier_;
  dont_initialize();
}

/// An observer hears of a wait for a Sync when the wait is over. The signals need no change for it:
/// until something else begins, they show a waiting tile anyway.
void ChipSignals::busy(TileId tile, OpKind kind, const Interval& when) {
  if (kind != OpKind::Sync) add(tile, Signal::Phase, phaseOf(kind), when);
  if (next_ != nullptr) next_->busy(tile, kind, when);
}

void ChipSignals::transmission(std::uint32_t transmission, const Interval& when) {
  const Transmission& sent = programs_.transmissions[transmission];
  add(sent.from, Signal::Sending, TilePhase::Exchange, when);
  for (const TileId tile : programs_.lendersOf(sent)) {
    add(tile, Signal::Sending, TilePhase::Exchange, onClockOf(tile, sent.from, when));
  }
  for (const TileId tile : programs_.receiversOf(sent)) {
    Interval heard = onClockOf(tile, sent.from, when);
    heard.end += sent.control;
    add(tile, Signal::Receiving, TilePhase::Exchange, heard);
  }
  if (next_ != nullptr) next_->transmission(transmission, when);
}

Interval ChipSignals::onClockOf(TileId tile, TileId from, const Interval& when) const {
  const Cycles there = programs_.timing.sync_distance[from.tile()];
  const Cycles here = programs_.timing.sync_distance[tile.tile()];
  return {when.step, excess(when.begin, there) + here, excess(when.end, there) + here,
          when.iterations};
}

void ChipSignals::sync(const Interval& when) {
  if (next_ != nullptr) next_->sync(when);
}

void ChipSignals::hostTransfer(std::uint32_t transfer, const Interval& when) {
  if (next_ != nullptr) next_->hostTransfer(transfer, when);
}

void ChipSignals::add(TileId tile, Signal signal, TilePhase value, const Interval& when) {
  const bool comes_first = changes_.empty() || when.begin < changes_.top().cycle;
  changes_.push({when.begin, added_++, tile, signal, value});
  changes_.push({when.end, added_++, tile, signal, TilePhase::Waiting});
  if (comes_first) earlier_.notify(clock_.untilCycle(when.begin));
}

void ChipSignals::run() {
  while (!changes_.empty()) {
    const sc_core::sc_time left = clock_.untilCycle(changes_.top().cycle);
    if (left > sc_core::SC_ZERO_TIME) {
      earlier_.notify(left);
      return;
    }
    write(changes_.top());
    changes_.pop();
  }
}

void ChipSignals::write(const Change& change) {
  TileSignals& signals = *tiles_[change.tile.tile()].signals();
  const bool held = change.value != TilePhase::Waiting;
  switch (change.signal) {
    case Signal::Phase:
      return signals.phase.write(static_cast<unsigned>(change.value));
    case Signal::Sending:
      return signals.sending.write(held);
    case Signal::Receiving:
      return signals.receiving.write(held);
  }
}

}  // namespace ipusim::models
