// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/stream_split.h"

#include <algorithm>

namespace ipusim::compiler {

namespace {

class Splitter {
 public:
  Splitter(const Interconnect& interconnect, const StreamSet& set, Cycles cycles)
      : interconnect_(interconnect), set_(set), limit_(cycles.value()) {
    fixed_.resize(portsOf(interconnect.tiles));
    splittable_.resize(portsOf(interconnect.tiles));
  }

  StreamSet run() {
    for (const Stream& stream : set_.streams) count(stream);
    std::size_t parts = 0;
    for (const Stream& stream : set_.streams) parts += partsOf(stream);
    result_.streams.reserve(parts);
    result_.ports.reserve(set_.ports.size() + parts - set_.streams.size());
    result_.delays.reserve(result_.ports.capacity());
    for (const Stream& stream : set_.streams) split(stream);
    return std::move(result_);
  }

 private:
  /// How many receivers stay together: one, or all of a bus group.
  [[nodiscard]] std::uint32_t unitOf(const Stream& stream) const {
    return stream.kind == StreamKind::Plain ? 1 : interconnect_.fabric.tiles_per_bus;
  }
  [[nodiscard]] std::uint32_t unitsOf(const Stream& stream) const {
    return stream.receive_ports / unitOf(stream);
  }

  void count(const Stream& stream) {
    const std::uint32_t units = unitsOf(stream);
    const PortId* ports = set_.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.send_ports; ++p) {
      fixed_[indexOf(ports[p])] += stream.send.value();
      splittable_[indexOf(ports[p])] += stream.send.value() * (units - 1);
    }
  }

  /// How many parts the stream is split into: one per unit where the send ports have the time for
  /// that, else as large a share of the units as the time allows.
  [[nodiscard]] std::uint32_t partsOf(const Stream& stream) const {
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

  void split(const Stream& stream) {
    const std::uint32_t parts = partsOf(stream);
    const std::uint32_t units = unitsOf(stream);
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::uint32_t first = unitOf(stream) * (units * part / parts);
      const std::uint32_t end = unitOf(stream) * (units * (part + 1) / parts);
      add(stream, first, end);
    }
  }

  /// Adds a stream to the receivers [first, end) of `stream`.
  void add(Stream stream, std::uint32_t first, std::uint32_t end) {
    const PortId* senders = set_.portsOf(stream);
    const PortId* receivers = set_.receiversOf(stream);
    const Cycles* delays = set_.delays.data() + stream.first_port + stream.send_ports;
    const auto [soonest, latest] = std::minmax_element(delays + first, delays + end);
    stream.first_port = static_cast<std::uint32_t>(result_.ports.size());
    result_.ports.insert(result_.ports.end(), senders, senders + stream.send_ports);
    result_.ports.insert(result_.ports.end(), receivers + first, receivers + end);
    result_.delays.insert(result_.delays.end(), stream.send_ports, *soonest);
    result_.delays.insert(result_.delays.end(), delays + first, delays + end);
    stream.receive_ports = end - first;
    stream.delay = *latest;
    result_.streams.push_back(stream);
  }

  const Interconnect& interconnect_;
  const StreamSet& set_;
  std::uint64_t limit_;
  std::vector<std::uint64_t> fixed_;       // one entry per send port: cycles of its streams
  std::vector<std::uint64_t> splittable_;  // cycles that splitting all streams adds
  StreamSet result_;
};

}  // namespace

StreamSet splitMulticasts(const Interconnect& interconnect, const StreamSet& set, Cycles cycles) {
  return Splitter(interconnect, set, cycles).run();
}

}  // namespace ipusim::compiler
