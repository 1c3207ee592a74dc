// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/run_recorder.h"

namespace ipusim::models {

RunRecorder::RunRecorder(const ChipPrograms& programs, Observer* observer)
    : programs_(programs),
      observer_(observer),
      told_(observer == nullptr ? 0 : programs.exchanges.size()),
      tiles_(programs.tiles.size()),
      spans_(programs.steps) {}

/// The first tile that comes to an exchange after a Sync tells the observer of it.
void RunRecorder::tellTransmissions(const TileOp& op, Cycles release) {
  if (told_[op.first] == syncs_) return;
  told_[op.first] = syncs_;
  const Exchange& exchange = programs_.exchanges[op.first];
  for (std::uint32_t t = exchange.first; t < exchange.first + exchange.count; ++t) {
    const Transmission& transmission = programs_.transmissions[t];
    const Cycles distance = programs_.timing.sync_distance[transmission.from.tile()];
    const Cycles begin = release + distance + transmission.start;
    observer_->transmission(t, {op.step, begin, begin + transmission.length, weight_});
  }
}

void RunRecorder::beginRepeat() {
  for (SpanRecorder& tile : tiles_) tile.beginRepeat();
}

void RunRecorder::beginNextIteration() {
  for (SpanRecorder& tile : tiles_) tile.beginNextIteration();
}

void RunRecorder::endRepeat() {
  for (SpanRecorder& tile : tiles_) tile.endRepeat(spans_);
}

}  // namespace ipusim::models
