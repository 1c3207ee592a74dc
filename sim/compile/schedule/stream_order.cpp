// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/stream_order.h"

#include <algorithm>

#include "sim/compile/lower/radix_sort.h"
#include "sim/compile/schedule/bits.h"
#include "sim/compile/schedule/edge_colouring.h"
#include "sim/compile/schedule/slot_packer.h"

namespace ipusim::compiler {

namespace {

/// Bits of a lengthClass().
constexpr unsigned kLengthBits = 10;
constexpr std::uint32_t kMostSlots = 8192;

/// Grows with the length in steps of an eighth of a power of two.
std::uint32_t lengthClass(std::uint64_t cycles) {
  constexpr std::uint32_t kBits = 4;  // how many of the highest bits tell classes apart
  const std::uint32_t octave = std::max(bitWidth(cycles), kBits) - kBits;
  return octave * 8 + static_cast<std::uint32_t>(cycles >> octave);
}

/// Longer streams have smaller values.
std::uint64_t shortnessOf(const ExchangeStream& stream) {
  return (std::uint64_t{1} << kLengthBits) - 1 - lengthClass(stream.receive.value());
}

class Rounds {
 public:
  Rounds(const StreamSet& set, std::uint32_t tiles) : set_(set), tiles_(tiles) {}

  StreamOrder run(Sharing sharing) {
    const unsigned class_from =
        sharing == Sharing::LikeLengths ? kRotationBits : kRotationBits + kLengthBits;
    std::vector<Keyed> list(set_.streams.size());
    for (std::uint32_t s = 0; s < list.size(); ++s) list[s] = {keyOf(s), s};
    radixSort(list);
    order_.reserve(list.size());
    for (std::size_t first = 0; first < list.size();) {
      std::size_t end = first;
      while (end < list.size() && (list[end].key ^ list[first].key) >> class_from == 0) ++end;
      addClass(list.data() + first, list.data() + end);
      first = end;
    }
    return std::move(order_);
  }

 private:
  static constexpr unsigned kRotationBits = 17;

  /// Streams to many receivers come before streams to one. Long streams come next. Streams that are
  /// alike are sorted by the distance from sender to receiver round the chip: tiles that all send
  /// to all then never wait for each other.
  [[nodiscard]] std::uint64_t keyOf(std::uint32_t s) const {
    const ExchangeStream& stream = set_.streams[s];
    const std::uint64_t shorter = shortnessOf(stream);
    if (!hasOneReceiver(stream)) return shorter << kRotationBits;
    const std::uint64_t receiver = tileOf(*set_.receiversOf(stream)).tile();
    const std::uint64_t sender = stream.sender.tile();
    const std::uint64_t rotation =
        receiver < sender ? receiver + tiles_ - sender : receiver - sender;
    const std::uint64_t kind = 1U + static_cast<unsigned>(stream.kind);
    return ((kind << kLengthBits | shorter) << kRotationBits) | rotation;
  }

  void addClass(const Keyed* first, const Keyed* end) {
    const auto count = static_cast<std::size_t>(end - first);
    rounds_.clear();
    if (count > 1 && hasOneReceiver(set_.streams[first->number])) {
      std::vector<Edge> edges;
      edges.reserve(count);
      for (const Keyed* entry = first; entry != end; ++entry) {
        const ExchangeStream& stream = set_.streams[entry->number];
        edges.push_back({static_cast<std::uint32_t>(*set_.portsOf(stream)),
                         static_cast<std::uint32_t>(*set_.receiversOf(stream))});
      }
      rounds_ = colourEdges(edges);
    } else if (count > 1) {
      packRounds(first, end);
    }
    rounds_.resize(count);
    appendByRound(first);
  }

  void packRounds(const Keyed* first, const Keyed* end) {
    SlotPacker packer(portsOf(tiles_), mostOnAPort(first, end) * 2);
    for (const Keyed* entry = first; entry != end; ++entry) {
      const ExchangeStream& stream = set_.streams[entry->number];
      rounds_.push_back(packer.place(set_.portsOf(stream), stream.ports(), {1, 0}));
    }
  }

  std::uint32_t mostOnAPort(const Keyed* first, const Keyed* end) const {
    std::vector<std::uint32_t> on(portsOf(tiles_));
    std::uint32_t most = 0;
    for (const Keyed* entry = first; entry != end; ++entry) {
      const ExchangeStream& stream = set_.streams[entry->number];
      const PortId* ports = set_.portsOf(stream);
      for (std::uint32_t p = 0; p < stream.ports(); ++p) {
        most = std::max(most, ++on[indexOf(ports[p])]);
      }
    }
    return std::min(most, kMostSlots / 2);
  }

  void appendByRound(const Keyed* first) {
    std::vector<Keyed> by_round(rounds_.size());
    for (std::size_t i = 0; i < by_round.size(); ++i) by_round[i] = {rounds_[i], first[i].number};
    radixSort(by_round);
    for (const Keyed& entry : by_round) order_.push_back(entry.number);
  }

  const StreamSet& set_;
  std::uint32_t tiles_;
  StreamOrder order_;
  std::vector<std::uint32_t> rounds_;  // the rounds of the current class
};

class Gaps {
 public:
  Gaps(const StreamSet& set, std::uint32_t tiles, std::uint64_t slot)
      : set_(set), slot_(slot), load_(portsOf(tiles)) {
    for (const ExchangeStream& stream : set.streams) {
      const PortId* port = set.portsOf(stream);
      for (std::uint32_t p = 0; p < stream.ports(); ++p) {
        load_[indexOf(port[p])] += (p < stream.send_ports ? stream.send : stream.receive).value();
      }
    }
    most_ = std::max<std::uint64_t>(1, *std::max_element(load_.begin(), load_.end()));
    level_.reserve(load_.size());
    for (const std::uint64_t load : load_) {
      level_.push_back(static_cast<std::uint32_t>(kLevels - load * kLevels / most_));
    }
  }

  StreamOrder run() {
    std::vector<Keyed> list(set_.streams.size());
    for (std::uint32_t s = 0; s < list.size(); ++s) list[s] = {keyOf(set_.streams[s]), s};
    radixSort(list);
    const std::uint64_t slots = std::min<std::uint64_t>(2 * ceilDiv(most_, slot_), kMostSlots);
    SlotPacker packer(load_.size(), static_cast<std::uint32_t>(slots));
    for (Keyed& entry : list) {
      const ExchangeStream& stream = set_.streams[entry.number];
      entry.key = packer.place(set_.portsOf(stream), stream.ports(), requestOf(stream));
    }
    radixSort(list);
    StreamOrder order;
    order.reserve(list.size());
    for (const Keyed& entry : list) order.push_back(entry.number);
    return order;
  }

 private:
  static constexpr unsigned kLevelBits = 11;
  static constexpr std::uint32_t kLevels = (std::uint32_t{1} << kLevelBits) - 1;

  /// Long streams come first. Among streams of like length, streams with a busy port come first.
  [[nodiscard]] std::uint64_t keyOf(const ExchangeStream& stream) const {
    const PortId* port = set_.portsOf(stream);
    std::uint32_t level = kLevels;
    for (std::uint32_t p = 0; p < stream.ports(); ++p)
      level = std::min(level, level_[indexOf(port[p])]);
    return shortnessOf(stream) << kLevelBits | level;
  }

  /// Rounds to the nearest slot. The errors even out when the streams get their true starts.
  [[nodiscard]] SlotPacker::SlotRequest requestOf(const ExchangeStream& stream) const {
    const std::uint64_t length = (stream.receive.value() + slot_ / 2) / slot_;
    return {static_cast<std::uint32_t>(std::max<std::uint64_t>(1, length)),
            static_cast<std::uint32_t>(stream.delay.value() / slot_)};
  }

  const StreamSet& set_;
  std::uint64_t slot_;
  std::vector<std::uint64_t> load_;  // one entry per port: cycles of its streams
  std::uint64_t most_;
  std::vector<std::uint32_t> level_;  // one entry per port: kLevels less its share of the most
};

}  // namespace

bool hasOneReceiver(const ExchangeStream& stream) {
  return stream.receive_ports == 1 ||
         (stream.kind == StreamKind::Doubled && stream.receive_ports == stream.send_ports);
}

std::size_t countLengths(const StreamSet& set) {
  std::vector<bool> seen(std::size_t{1} << kLengthBits);
  for (const ExchangeStream& stream : set.streams) seen[lengthClass(stream.receive.value())] = true;
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
}

StreamOrder orderByRounds(const StreamSet& set, std::uint32_t tiles, Sharing sharing) {
  return Rounds(set, tiles).run(sharing);
}

StreamOrder orderByGaps(const StreamSet& set, std::uint32_t tiles, Cycles slot) {
  return Gaps(set, tiles, slot.value()).run();
}

}  // namespace ipusim::compiler
