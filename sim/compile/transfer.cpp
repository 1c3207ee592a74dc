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

std::size_t hashOf(const MessageForm& form) {
  std::size_t seed = form.unit.value();
  for (const auto& level : form.levels) {
    boost::hash_combine(seed, level.count);
    boost::hash_combine(seed, level.stride.from.value());
    boost::hash_combine(seed, level.stride.to.value());
  }
  return seed;
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
  Message message{move.from, move.to};
  message.form = formOf(move.walk, move.element);
  message.begin = move.walk.begin;
  send(message);
}

std::uint32_t Transfer::formOf(const Walk<BlockOffsets>& walk, Bytes element) {
  Stream stream = streamOf(walk, element);
  MessageForm form{stream.unit, std::move(stream.walk.levels)};
  const auto next = static_cast<std::uint32_t>(messages_.forms().size());
  const std::uint32_t found = form_index_.findOrAdd(
      hashOf(form), next, [&](std::uint32_t f) { return messages_.forms()[f] == form; });
  if (found == next) messages_.addForm(std::move(form));
  return found;
}

std::uint64_t Transfer::send(const Message& message) {
  has_unicasts_ = true;
  messages_.add(message);
  return messages_.size() - 1;
}

bool Transfer::join(std::vector<SharedMessage> shared) {
  is_joined_ = joinEqual(messages_, std::move(shared));
  return is_joined_;
}

void Transfer::addMulticast(const std::vector<ViewPart>& parts, const Landings& landings) {
  has_multicasts_ = true;
  const bool to_one = landings.size() == 1;
  Message message{};
  if (to_one) {
    message.to = landings.front().block;
  } else {
    message.list = messages_.addList(landings);
  }
  for (const ViewPart& part : parts) {
    const Bytes element = placement_.elementBytes(part.variable);
    const Walk<BlockOffsets> walk = inBytes(part.walk, element);
    message.from = placement_.share(part.variable, part.tile);
    message.form = formOf(walk, element);
    message.begin = walk.begin;
    if (to_one) message.begin.to += landings.front().offset;
    messages_.add(message);
  }
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
    steps.push_back({name + "/OnTileCopy", StepKind::OnTileCopy, copyFamilies(), {}});
  }
  if (!messages_.empty()) {
    check(!has_unicasts_ || !has_multicasts_, "messages that are all to one receiver, or none");
    if (has_unicasts_ && !is_joined_) joinEqual(messages_, {});
    messages_.shrink();
    steps.push_back({name + "/Sync", StepKind::Sync, {}, {}});
    steps.push_back({name + "/Exchange", StepKind::Exchange, {}, std::move(messages_)});
  }
  messages_ = {};
  form_index_ = HashIndex();
  has_unicasts_ = has_multicasts_ = is_joined_ = false;
  local_.clear();
  return steps;
}

}  // namespace ipusim::compiler
