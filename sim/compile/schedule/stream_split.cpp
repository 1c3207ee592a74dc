// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/stream_split.h"

#include <algorithm>

namespace ipusim::compiler {

namespace {

/// Adds a stream to the receivers [first, end) of `stream`, which belongs to `set`.
void addPart(const StreamSet& set, ExchangeStream stream, std::uint32_t first, std::uint32_t end,
             StreamSet& parts) {
  const PortId* senders = set.portsOf(stream);
  const PortId* receivers = set.receiversOf(stream);
  const Cycles* delays = set.delays.data() + stream.first_port + stream.send_ports;
  stream.first_port = static_cast<std::uint32_t>(parts.ports.size());
  parts.ports.insert(parts.ports.end(), senders, senders + stream.send_ports);
  parts.ports.insert(parts.ports.end(), receivers + first, receivers + end);
  stream.receive_ports = end - first;
  stream.delay = *std::max_element(delays + first, delays + end);
  parts.streams.push_back(stream);
}

}  // namespace

MulticastSplit::MulticastSplit(const Interconnect& interconnect, const StreamSet& set,
                               Cycles cycles)
    : interconnect_(interconnect),
      set_(set),
      limit_(cycles.value()),
      fixed_(portsOf(interconnect.tiles)),
      splittable_(portsOf(interconnect.tiles)) {
  for (const ExchangeStream& stream : set.streams) count(stream);
  parts_of_.reserve(set.streams.size());
  for (const ExchangeStream& stream : set.streams) {
    parts_of_.push_back(countParts(stream));
    streams_ += parts_of_.back();
  }
}

/// How many receivers stay together: one, or all of a bus group.
std::uint32_t MulticastSplit::unitOf(const ExchangeStream& stream) const {
  return stream.kind == StreamKind::Plain ? 1 : interconnect_.fabric.tiles_per_bus;
}

std::uint32_t MulticastSplit::unitsOf(const ExchangeStream& stream) const {
  return stream.receive_ports / unitOf(stream);
}

void MulticastSplit::count(const ExchangeStream& stream) {
  const std::uint32_t units = unitsOf(stream);
  const PortId* ports = set_.portsOf(stream);
  for (std::uint32_t p = 0; p < stream.send_ports; ++p) {
    fixed_[indexOf(ports[p])] += stream.send.value();
    splittable_[indexOf(ports[p])] += stream.send.value() * (units - 1);
  }
}

/// How many parts the stream is split into: one per unit where the send ports have the time for
/// that, else as large a share of the units as the time allows.
std::uint32_t MulticastSplit::countParts(const ExchangeStream& stream) const {
  const std::uint32_t units = unitsOf(stream);
  const PortId* ports = set_.portsOf(stream);
  std::uint64_t parts = units;
  for (std::uint32_t p = 0; p < stream.send_ports; ++p) {
    const std::uint64_t more = splittable_[indexOf(ports[p])];
    const std::uint64_t left = limit_ - std::min(limit_, fixed_[indexOf(ports[p])]);
    if (more > left) parts = std::min(parts, 1 + (units - 1) * left / more);
  }
  return static_cast<std::uint32_t>(parts);
}

Cycles MulticastSplit::sendBound() const {
  struct Use {
    Cycles first = Cycles(~std::uint64_t{0});
    Cycles load;
  };
  std::vector<Use> of(portsOf(interconnect_.tiles));
  Cycles bound;
  for (std::size_t s = 0; s < parts_of_.size(); ++s) {
    const ExchangeStream& stream = set_.streams[s];
    const PortId* ports = set_.portsOf(stream);
    // The delay of a send port is the shortest of the receivers, which no part can undercut.
    for (std::uint32_t p = 0; p < stream.send_ports; ++p) {
      Use& port = of[indexOf(ports[p])];
      port.first = std::min(port.first, set_.delays[stream.first_port + p]);
      port.load += parts_of_[s] * stream.send;
      bound = std::max(bound, port.first + port.load);
    }
  }
  return bound;
}

StreamSet MulticastSplit::parts() const {
  StreamSet result;
  result.streams.reserve(streams_);
  result.ports.reserve(set_.ports.size() + streams_ - set_.streams.size());
  for (std::size_t s = 0; s < parts_of_.size(); ++s) {
    const ExchangeStream& stream = set_.streams[s];
    const std::uint32_t parts = parts_of_[s];
    const std::uint32_t units = unitsOf(stream);
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::uint32_t first = unitOf(stream) * (units * part / parts);
      const std::uint32_t end = unitOf(stream) * (units * (part + 1) / parts);
      addPart(set_, stream, first, end, result);
    }
  }
  return result;
}

}  // namespace ipusim::compiler
