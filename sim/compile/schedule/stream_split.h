// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/compile/schedule/exchange_streams.h"

namespace ipusim::compiler {

/// Splits multicasts into streams to some of their receivers, as many as the send ports have time
/// for within a number of cycles. A receiver then waits for fewer other receivers. Streams that
/// cannot be split stay.
class MulticastSplit {
 public:
  /// `interconnect` and `set` must outlive this.
  MulticastSplit(const Interconnect& interconnect, const StreamSet& set, Cycles cycles);

  /// How many streams there are after the split.
  [[nodiscard]] std::size_t streams() const { return streams_; }

  /// The time by which the busiest send port can at best be done: it waits for the shortest delay
  /// of its streams, then sends without a gap. No schedule of the parts is shorter.
  [[nodiscard]] Cycles sendBound() const;

  /// The streams after the split. Their set has no delays of single ports.
  [[nodiscard]] StreamSet parts() const;

 private:
  [[nodiscard]] std::uint32_t unitOf(const ExchangeStream& stream) const;
  [[nodiscard]] std::uint32_t unitsOf(const ExchangeStream& stream) const;
  void count(const ExchangeStream& stream);
  [[nodiscard]] std::uint32_t countParts(const ExchangeStream& stream) const;

  const Interconnect& interconnect_;
  const StreamSet& set_;
  std::uint64_t limit_;
  std::vector<std::uint64_t> fixed_;       // one entry per port: cycles of the streams it sends
  std::vector<std::uint64_t> splittable_;  // cycles that splitting all streams adds
  std::vector<std::uint32_t> parts_of_;    // one entry per stream of the set: its parts
  std::size_t streams_ = 0;
};

}  // namespace ipusim::compiler
