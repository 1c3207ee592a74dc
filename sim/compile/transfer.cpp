// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/transfer.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <utility>

#include "ipusim/error.h"
#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::compiler {

using workloads::CopyRuns;

namespace {

/// What a sender walks: repetitions first, then the widest stride. Levels that continue one another
/// at both ends are joined. The consecutive part is split off as the unit.
struct Stream {
  Walk<BlockOffsets, 1> walk;
  Bytes unit;
};

Stream streamOf(const Walk<BlockOffsets>& move, Bytes element) {
  auto levels = move.levels;
  const auto goes_before = [](const auto& a, const auto& b) {
    const bool repeats = a.stride.from == Bytes(0) || b.stride.from == Bytes(0);
    return repeats ? a.stride.from < b.stride.from : a.stride.from > b.stride.from;
  };
  // This sort is stable, and quick for a few levels.
  for (auto next = levels.begin(); next != levels.end(); ++next) {
    std::rotate(std::upper_bound(levels.begin(), next, *next, goes_before), next, next + 1);
  }
  Stream stream{{move.begin}, element};
  for (const auto& level : levels) stream.walk.addInside(level);
  auto& joined = stream.walk.levels;
  if (!joined.empty() && joined.back().stride == BlockOffsets{element, element}) {
    stream.unit = element * joined.back().count;
    joined.pop_back();
  }
  return stream;
}

std::uint32_t hashOf(const Message& message) {
  std::size_t seed = indexOf(message.from);
  const auto combine = [&seed](const BlockOffsets& offsets) {
    boost::hash_combine(seed, offsets.from.value());
    boost::hash_combine(seed, offsets.to.value());
  };
  boost::hash_combine(seed, message.unit.value());
  combine(message.walk.begin);
  for (const auto& level : message.walk.levels) {
    boost::hash_combine(seed, level.count);
    combine(level.stride);
  }
  constexpr unsigned kUpperHalf = 32;
  return static_cast<std::uint32_t>(seed ^ seed >> kUpperHalf);
}

bool sendTheSame(const Message& a, const Message& b) {
  return a.from == b.from && a.unit == b.unit && a.walk == b.walk;
}

ElementType typeOfSize(Bytes element) {
  if (element == Bytes(1)) return ElementType::Bool;
  return element == Bytes(2) ? ElementType::Half : ElementType::Float;
}

/// Types of copy vertices by bytes per element and runs.
using CopyTypes = workloads::TypeCache<std::pair<Bytes, std::vector<CopyRuns>>>;

/// Moves on one tile whose elements have one size.
struct LocalMoves {
  TileId tile;
  Bytes element;
  const BlockMove* first;
  const BlockMove* last;

  [[nodiscard]] const BlockMove* begin() const { return first; }
  [[nodiscard]] const BlockMove* end() const { return last; }
};

/// Makes one copy vertex for all of `moves`.
BoundFamily copyFamily(const LocalMoves& moves, CopyTypes& types) {
  std::vector<CopyRuns> runs;
  BoundField from;
  BoundField to;
  for (const BlockMove& move : moves) {
    const Stream stream = streamOf(move.walk, moves.element);
    runs.push_back({stream.walk.elements(), stream.unit.value() / moves.element.value()});
    from.patterns.push_back({move.from, fromEnd<3>(stream.walk)});
    to.patterns.push_back({move.to, toEnd<3>(stream.walk)});
  }
  const auto& type = types.get({moves.element, runs}, [&] {
    return workloads::copyVertex({typeOfSize(moves.element), runs});
  });
  BoundFamily family{type, moves.tile, 1, false, {}};
  family.fields.push_back(std::move(from));
  family.fields.push_back(std::move(to));
  return family;
}

}  // namespace

void Transfer::add(const BlockMove& move) {
  const std::vector<Block>& blocks = placement_.blocks();
  if (blocks[indexOf(move.from)].tile == blocks[indexOf(move.to)].tile) {
    local_.push_back(move);
    return;
  }
  Stream stream = streamOf(move.walk, move.element);
  const Landing landing{move.to, std::exchange(stream.walk.begin.to, Bytes(0))};
  const auto list = static_cast<std::uint32_t>(exchange_.receiver_lists.size());
  Message message{move.from, list, stream.unit, std::move(stream.walk)};
  unicasts_.push_back({hashOf(message), static_cast<std::uint32_t>(exchange_.messages.size())});
  exchange_.receiver_lists.push_back({landing});
  exchange_.messages.push_back(std::move(message));
}

void Transfer::joinEqual() {
  radixSort(unicasts_);
  std::vector<std::uint32_t> joined;
  const Keyed* const end = unicasts_.data() + unicasts_.size();
  for (const Keyed* first = unicasts_.data(); first != end;) {
    const Keyed* last = first;
    while (last != end && last->key == first->key) ++last;
    if (last - first > 1) joinAmong(first, last, joined);
    first = last;
  }
  if (joined.empty()) return;
  std::vector<Message>& messages = exchange_.messages;
  std::vector<Landings>& lists = exchange_.receiver_lists;
  check(unicasts_.size() == messages.size(), "messages with a receiver list each");
  std::sort(joined.begin(), joined.end());
  auto skipped = joined.begin();
  std::uint32_t kept = joined.front();
  for (std::uint32_t m = kept; m < messages.size(); ++m) {
    if (skipped != joined.end() && *skipped == m) {
      ++skipped;
      continue;
    }
    messages[kept] = std::move(messages[m]);
    messages[kept].receivers = kept;
    lists[kept] = std::move(lists[m]);
    ++kept;
  }
  messages.erase(messages.begin() + kept, messages.end());
  lists.erase(lists.begin() + kept, lists.end());
}

void Transfer::joinAmong(const Keyed* first, const Keyed* end, std::vector<std::uint32_t>& joined) {
  boost::container::small_vector<std::uint32_t, 4> different;
  for (const Keyed* entry = first; entry != end; ++entry) {
    const Message& message = exchange_.messages[entry->number];
    const auto same = std::find_if(different.begin(), different.end(), [&](std::uint32_t other) {
      return sendTheSame(message, exchange_.messages[other]);
    });
    if (same == different.end()) {
      different.push_back(entry->number);
      continue;
    }
    Landings& all = exchange_.receiver_lists[exchange_.messages[*same].receivers];
    all.push_back(exchange_.receiver_lists[message.receivers].front());
    joined.push_back(entry->number);
  }
}

void Transfer::addMulticast(const std::vector<ViewPart>& parts, Landings landings) {
  const auto list = static_cast<std::uint32_t>(exchange_.receiver_lists.size());
  for (const ViewPart& part : parts) {
    const Bytes element = placement_.elementBytes(part.variable);
    Stream stream = streamOf(inBytes(part.walk, element), element);
    exchange_.messages.push_back(
        {placement_.share(part.variable, part.tile), list, stream.unit, std::move(stream.walk)});
  }
  exchange_.receiver_lists.push_back(std::move(landings));
}

std::vector<BoundFamily> Transfer::copyFamilies() {
  const auto key_of = [this](const BlockMove& move) {
    return std::make_pair(placement_.blocks()[indexOf(move.from)].tile, move.element);
  };
  const auto goes_before = [&](const BlockMove& a, const BlockMove& b) {
    return key_of(a) < key_of(b);
  };
  if (!std::is_sorted(local_.begin(), local_.end(), goes_before)) {
    std::stable_sort(local_.begin(), local_.end(), goes_before);
  }
  CopyTypes types;
  std::vector<BoundFamily> families;
  const BlockMove* const end = local_.data() + local_.size();
  for (const BlockMove* first = local_.data(); first != end;) {
    const BlockMove* last = std::find_if(
        first, end, [&](const BlockMove& move) { return key_of(move) != key_of(*first); });
    families.push_back(copyFamily({key_of(*first).first, first->element, first, last}, types));
    first = last;
  }
  return families;
}

std::vector<Step> Transfer::take(const std::string& name) {
  std::vector<Step> steps;
  if (!local_.empty()) {
    steps.push_back({name + "/OnTileCopy", StepKind::OnTileCopy, copyFamilies(), {}, {}});
  }
  if (!exchange_.messages.empty()) {
    joinEqual();
    steps.push_back({name + "/Sync", StepKind::Sync, {}, {}, {}});
    exchange_.name = name + "/Exchange";
    exchange_.kind = StepKind::Exchange;
    steps.push_back(std::move(exchange_));
  }
  exchange_ = {};
  unicasts_.clear();
  local_.clear();
  return steps;
}

}  // namespace ipusim::compiler
