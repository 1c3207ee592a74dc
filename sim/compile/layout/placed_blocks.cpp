// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/placed_blocks.h"

#include <algorithm>

#include "ipusim/units.h"

namespace ipusim::compiler {

namespace {

/// A block that lives at more positions than this is not listed by position. Most blocks live at a
/// few positions.
constexpr std::uint64_t kShortLife = 16;

/// Places that wait to be sorted in together: sorting them in one by one would move all others each
/// time.
constexpr std::size_t kMostRecent = 64;

bool isShortLived(const Block& block) {
  std::uint64_t life = 0;
  for (const LiveRange& range : block.live) life += range.last - range.first + std::uint64_t{1};
  return life <= kShortLife;
}

LiveRange wholeLifeOf(const Block& block) {
  return {block.live.front().first, block.live.back().last};
}

template <typename Place>
bool goesBefore(const Place& a, const Place& b) {
  return a.span.begin < b.span.begin;
}

}  // namespace

bool liveTogether(const Block& a, const Block& b) {
  if (a.always_live || b.always_live) return true;
  auto of_b = b.live.begin();
  for (const LiveRange& of_a : a.live) {
    while (of_b != b.live.end() && of_b->last < of_a.first) ++of_b;
    if (of_b == b.live.end()) return false;
    if (of_b->first <= of_a.last) return true;
  }
  return false;
}

struct PlacedBlocks::Search {
  Bytes address;
  Bytes bytes;
  Bytes alignment;

  /// Goes on past `span` where the room would meet it.
  void avoid(const Span& span) {
    if (span.end > address) address = roundUp(span.end, alignment);
  }
  [[nodiscard]] bool reaches(const Span& span) const { return span.begin < address + bytes; }

  /// Avoids each place from `at` on that the room reaches, and leaves `at` at the first beyond.
  template <typename At, typename SpanOf>
  void avoidReached(At& at, At end, const SpanOf& span_of) {
    for (; at != end && reaches(span_of(*at)); ++at) avoid(span_of(*at));
  }
};

void PlacedBlocks::Places::add(const Place& place) {
  recent_.push_back(place);
  if (recent_.size() < kMostRecent) return;
  std::sort(recent_.begin(), recent_.end(), goesBefore<Place>);
  // The merge begins at the end, where the list has room for the recent ones.
  std::size_t sorted = sorted_.size();
  sorted_.resize(sorted + recent_.size());
  for (std::size_t recent = recent_.size(); recent > 0;) {
    const bool takes_sorted = sorted > 0 && goesBefore(recent_[recent - 1], sorted_[sorted - 1]);
    sorted_[sorted + recent - 1] = takes_sorted ? sorted_[sorted - 1] : recent_[recent - 1];
    --(takes_sorted ? sorted : recent);
  }
  recent_.clear();
}

void PlacedBlocks::Places::clear() {
  sorted_.clear();
  recent_.clear();
}

PlacedBlocks::PlacedBlocks(const std::vector<Block>& blocks, Bytes alignment, Bytes fixed_end)
    : blocks_(blocks), alignment_(alignment) {
  clear(fixed_end);
}

void PlacedBlocks::clear(Bytes fixed_end) {
  taken_.assign(1, {Bytes(0), fixed_end});
  last_ = {};
  all_.clear();
  long_lived_.clear();
  short_lived_.clear();
  last_at_.clear();
}

void PlacedBlocks::add(BlockId id) {
  const Block& block = blocks_[indexOf(id)];
  const Span span{block.address, block.address + block.bytes};
  last_.is_placed = last_.block == &block;
  if (block.always_live) {
    take(span);
    return;
  }
  const Place place{span, wholeLifeOf(block), id};
  all_.add(place);
  if (!isShortLived(block)) {
    long_lived_.add(place);
    return;
  }
  for (const LiveRange& range : block.live) {
    if (range.last >= last_at_.size()) last_at_.resize(range.last + std::size_t{1}, kNone);
    for (std::uint32_t position = range.first; position <= range.last; ++position) {
      short_lived_.push_back({id, range.first, last_at_[position]});
      last_at_[position] = static_cast<std::uint32_t>(short_lived_.size() - 1);
    }
  }
}

/// Adds a span to those that are taken. Spans with no address between them that a block could have
/// become one.
void PlacedBlocks::take(Span span) {
  auto next = std::upper_bound(taken_.begin(), taken_.end(), span,
                               [](const Span& a, const Span& b) { return a.begin < b.begin; });
  const auto touches = [this](const Span& a, const Span& b) {
    return roundUp(a.end, alignment_) >= b.begin;
  };
  if (next != taken_.begin() && touches(*std::prev(next), span)) {
    --next;
    next->end = std::max(next->end, span.end);
  } else {
    next = taken_.insert(next, span);
  }
  const auto behind = std::next(next);
  if (behind == taken_.end() || !touches(*next, *behind)) return;
  next->end = std::max(next->end, behind->end);
  taken_.erase(behind);
}

bool PlacedBlocks::livesWith(const Place& place, const Block& block) const {
  const LiveRange life = wholeLifeOf(block);
  if (place.life.last < life.first || life.last < place.life.first) return false;
  return liveTogether(blocks_[indexOf(place.id)], block);
}

/// Adds to `near_` the places of those `recent` blocks that live together with `block`, and for a
/// short-lived block those of the short-lived blocks at its positions. A range that holds several
/// of them is met at the first one.
void PlacedBlocks::findNear(const Block& block, const std::vector<Place>& recent) {
  for (const Place& place : recent) {
    if (livesWith(place, block)) near_.push_back(place);
  }
  if (!isShortLived(block)) return;
  for (const LiveRange& range : block.live) {
    const auto end = std::min<std::size_t>(range.last + std::size_t{1}, last_at_.size());
    for (std::size_t position = range.first; position < end; ++position) {
      for (std::uint32_t e = last_at_[position]; e != kNone; e = short_lived_[e].before) {
        if (position > range.first && short_lived_[e].first < position) continue;
        const Block& other = blocks_[indexOf(short_lived_[e].id)];
        near_.push_back({{other.address, other.address + other.bytes}, {}, short_lived_[e].id});
      }
    }
  }
}

bool PlacedBlocks::continuesLast(const Block& block, const AddressRule& rule,
                                 const std::vector<Span>& apart) const {
  if (!last_.is_placed || !apart.empty() || block.always_live || last_.block->always_live) {
    return false;
  }
  const auto equal = [](const LiveRange& a, const LiveRange& b) {
    return a.first == b.first && a.last == b.last;
  };
  const auto& live = last_.block->live;
  return last_.block->bytes == block.bytes && last_.rule.lowest == rule.lowest &&
         last_.rule.alignment == rule.alignment &&
         std::equal(live.begin(), live.end(), block.live.begin(), block.live.end(), equal);
}

/// Room for a block like the last one. None is before that one, which would have it, and what lives
/// with the block begins behind it: all else need not be looked at.
Bytes PlacedBlocks::roomAfterLast(const Block& block, const AddressRule& rule) {
  const Bytes first = last_.block->address + last_.block->bytes;
  near_.clear();
  for (const Place& place : all_.recent()) {
    if (place.span.begin >= first && livesWith(place, block)) near_.push_back(place);
  }
  return roomFrom({roundUp(first, rule.alignment), block.bytes, rule.alignment}, all_.sorted(),
                  first, block);
}

/// Goes on with a search. Of the sorted places, those from `first` on count.
Bytes PlacedBlocks::roomFrom(Search search, const std::vector<Place>& places, Bytes first,
                             const Block& block) {
  std::sort(near_.begin(), near_.end(), goesBefore<Place>);
  auto taken = taken_.begin();
  auto sorted = std::lower_bound(
      places.begin(), places.end(), first,
      [](const Place& place, Bytes address) { return place.span.begin < address; });
  auto near = near_.begin();
  // Each list is left where it is past the room, and gone on with where another list moved that.
  Bytes before;
  do {
    before = search.address;
    search.avoidReached(taken, taken_.end(), [](const Span& span) { return span; });
    search.avoidReached(near, near_.end(), [](const Place& place) { return place.span; });
    for (; sorted != places.end() && search.reaches(sorted->span); ++sorted) {
      if (sorted->span.end > search.address && livesWith(*sorted, block)) {
        search.avoid(sorted->span);
      }
    }
  } while (search.address > before);
  return search.address;
}

Bytes PlacedBlocks::roomFor(const Block& block, const AddressRule& rule,
                            const std::vector<Span>& apart) {
  const bool continues = continuesLast(block, rule, apart);
  Bytes room;
  if (continues) {
    room = roomAfterLast(block, rule);
  } else {
    near_.clear();
    for (const Span& span : apart) near_.push_back({span, {}, kNoBlock});
    const Places& places = isShortLived(block) ? long_lived_ : all_;
    if (!block.always_live) findNear(block, places.recent());
    room = roomFrom({roundUp(rule.lowest, rule.alignment), block.bytes, rule.alignment},
                    places.sorted(), Bytes(0), block);
  }
  last_ = {};
  if (apart.empty()) last_ = {&block, rule, false};
  return room;
}

}  // namespace ipusim::compiler
