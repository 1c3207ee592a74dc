// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/exchange_fabric.h"

#include <algorithm>

#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

ExchangeFabric::ExchangeFabric(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : sc_module(name),
      programs_(programs),
      ports_(programs.tiles.size()),
      sends_(programs.tiles.size()),
      receives_(programs.tiles.size()) {}

void ExchangeFabric::observe(Observer* observer) {
  observer_ = observer;
  told_.assign(programs_.exchanges.size(), 0);
}

Cycles ExchangeFabric::play(std::uint32_t tile, const TileOp& op, const PassedSync& sync,
                            std::uint64_t iterations) {
  if (sync_.number != sync.number || exchange_ != op.first) {
    playAll(op.first, sync);
    if (observer_ != nullptr) tell(op, iterations);
  }
  Ports& ports = ports_[tile];
  if (ports.sync != sync.number) {
    ports = {};
    ports.sync = sync.number;
  }
  const Traffic& sent = sends_[tile];
  const Traffic& received = receives_[tile];
  Cycles end;
  if (sent.end > Cycles(0)) {
    if (sent.begin < ports.send_end) {
      raiseCollision({TileId(tile), PortDirection::Send}, ports.last_sent, sent.first);
    }
    end = ports.send_end = sent.end;
    ports.last_sent = sent.last;
  }
  if (received.end > Cycles(0)) {
    if (received.begin < ports.receive_end) {
      raiseCollision({TileId(tile), PortDirection::Receive}, ports.last_received, received.first);
    }
    ports.receive_end = received.end;
    ports.last_received = received.last;
    end = std::max(end, received.end);
  }
  if (end == Cycles(0)) return sync.release;
  return sync.release + programs_.timing.sync_distance[tile] + end;
}

void ExchangeFabric::playAll(std::uint32_t exchange, const PassedSync& sync) {
  exchange_ = exchange;
  sync_ = sync;
  std::fill(sends_.begin(), sends_.end(), Traffic{});
  std::fill(receives_.begin(), receives_.end(), Traffic{});
  const Exchange& played = programs_.exchanges[exchange];
  for (std::uint32_t t = played.first; t < played.first + played.count; ++t) {
    const Transmission& transmission = programs_.transmissions[t];
    const Cycles listened = transmission.length + transmission.control;
    occupy({transmission.from, PortDirection::Send}, t, transmission.length);
    for (const TileId lender : programs_.lendersOf(transmission)) {
      occupy({lender, PortDirection::Send}, t, transmission.length);
    }
    for (const TileId receiver : programs_.receiversOf(transmission)) {
      occupy({receiver, PortDirection::Receive}, t, listened);
    }
  }
}

/// The observer hears of each exchange once per Sync, however often late tiles play it again.
void ExchangeFabric::tell(const TileOp& op, std::uint64_t iterations) {
  if (told_[op.first] == sync_.number) return;
  told_[op.first] = sync_.number;
  const Exchange& played = programs_.exchanges[op.first];
  for (std::uint32_t t = played.first; t < played.first + played.count; ++t) {
    const Transmission& transmission = programs_.transmissions[t];
    const Cycles distance = programs_.timing.sync_distance[transmission.from.tile()];
    const Cycles begin = sync_.release + distance + transmission.start;
    observer_->transmission(t, {op.step, begin, begin + transmission.length, iterations});
  }
}

void ExchangeFabric::occupy(Port port, std::uint32_t transmission, Cycles length) {
  auto& ports = port.direction == PortDirection::Send ? sends_ : receives_;
  Traffic& traffic = ports[port.tile.tile()];
  const Cycles begin = programs_.transmissions[transmission].start;
  if (begin < traffic.end) raiseCollision(port, traffic.last, transmission);
  if (traffic.end == Cycles(0)) {
    traffic.begin = begin;
    traffic.first = transmission;
  }
  traffic.end = begin + length;
  traffic.last = transmission;
}

void ExchangeFabric::raiseCollision(Port port, std::uint32_t first, std::uint32_t second) {
  reportError(kFabricReport, collisionOnPort(programs_, port, sync_.release, first, second));
}

}  // namespace ipusim::models
