// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/transfer.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <map>
#include <utility>

#include "ipusim/error.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::compiler {

using workloads::CopyRuns;

namespace {

/// What a sender walks: repetitions first, then the widest stride. Levels that continue one another
/// at both ends are joined. The consecutive part is split off as the unit.
struct MoveStream {
  Walk<BlockOffsets, 1> walk;
  Bytes unit;
};

MoveStream streamOf(const Walk<BlockOffsets>& move, Bytes element) {
  auto levels = move.levels;
  const auto goes_before = [](const auto& a, const auto& b) {
    const bool repeats = a.stride.from == Bytes(0) || b.stride.from == Bytes(0);
    return repeats ? a.stride.from < b.stride.from : a.stride.from > b.stride.from;
  };
  // This sort is stable, and quick for a few levels.
  for (auto next = levels.begin(); next != levels.end(); ++next) {
    std::rotate(std::upper_bound(levels.begin(), next, *next, goes_before), next, next + 1);
  }
  MoveStream stream{{move.begin}, element};
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
    const MoveStream stream = streamOf(move.walk, moves.element);
    runs.push_back({stream.walk.elements(), stream.unit.value() / moves.element.value()});
    from.patterns.push_back({move.from, fromEnd<3>(stream.walk)});
    to.patterns.push_back({move.to, toEnd<3>(stream.walk)});
  }
  const auto& type = types.get({moves.element, runs}, [&] {
    return workloads::copyVertex({typeOfSize(moves.element), runs});
  });
  return {type, moves.tile, 1, false, {from, to}};
}

/// One copy vertex per tile and size of elements. Sorts `local`.
std::vector<BoundFamily> copyFamilies(const Placement& placement, std::vector<BlockMove>& local) {
  const auto key_of = [&](const BlockMove& move) {
    return std::make_pair(placement.blocks()[indexOf(move.from)].tile, move.element);
  };
  const auto goes_before = [&](const BlockMove& a, const BlockMove& b) {
    return key_of(a) < key_of(b);
  };
  if (!std::is_sorted(local.begin(), local.end(), goes_before)) {
    std::stable_sort(local.begin(), local.end(), goes_before);
  }
  CopyTypes types;
  std::vector<BoundFamily> families;
  const BlockMove* const end = local.data() + local.size();
  for (const BlockMove* first = local.data(); first != end;) {
    const BlockMove* last = std::find_if(
        first, end, [&](const BlockMove& move) { return key_of(move) != key_of(*first); });
    families.push_back(copyFamily({key_of(*first).first, first->element, first, last}, types));
    first = last;
  }
  return families;
}

MessageForm messageFormOf(const Walk<BlockOffsets>& walk, Bytes element) {
  MoveStream stream = streamOf(walk, element);
  return {stream.unit, std::move(stream.walk.levels)};
}

/// Whether the units of a message follow one another at one end, of which `at` gives a
/// stride.
template <typename At>
bool isConsecutive(const MessageForm& form, const At& at) {
  Bytes next = form.unit;
  for (auto level = form.levels.rbegin(); level != form.levels.rend(); ++level) {
    if (at(level->stride) != next) return false;
    next = next * level->count;
  }
  return true;
}

/// The largest element of 4, 2 or 1 bytes that the message consists of at both ends.
Bytes elementOf(const Message& message, const MessageForm& form) {
  std::uint64_t bits = form.unit.value() | message.begin.from.value() | message.begin.to.value();
  for (const auto& level : form.levels) {
    bits |= level.stride.from.value() | level.stride.to.value();
  }
  if (bits % 4 == 0) return Bytes(4);
  return Bytes(bits % 2 == 0 ? 2 : 1);
}

/// A walk over the elements of a message at one end, and over a buffer in which they are packed.
/// `at` gives the offset or the stride at that end.
template <typename At>
Walk<BlockOffsets> packingOf(const Message& message, const MessageForm& form, Bytes element,
                             const At& at) {
  Walk<BlockOffsets> walk{{at(message.begin), Bytes(0)}};
  Bytes packed = form.bytes();
  for (const auto& level : form.levels) {
    packed = Bytes(packed.value() / level.count);
    walk.levels.push_back({level.count, {at(level.stride), packed}});
  }
  walk.levels.push_back({form.unit.value() / element.value(), {element, element}});
  return walk;
}

/// The form of messages from where a message lands to places where it could have landed.
MessageForm onwardOf(const Message& message, const MessageForm& form) {
  const Bytes element = elementOf(message, form);
  Walk<BlockOffsets> walk{};
  for (const auto& level : form.levels) {
    walk.levels.push_back({level.count, {level.stride.to, level.stride.to}});
  }
  walk.levels.push_back({form.unit.value() / element.value(), {element, element}});
  return messageFormOf(walk, element);
}

const auto kFromEnd = [](const BlockOffsets& ends) { return ends.from; };
const auto kToEnd = [](const BlockOffsets& ends) { return ends.to; };

/// Adds the sync and the exchange of the list's messages, if there are any.
void takeExchange(const std::string& name, MessageList& list, std::vector<Step>& steps) {
  if (!list.messages.empty()) {
    list.messages.shrink();
    steps.push_back({name + "/Sync", StepKind::Sync, {}, {}});
    steps.push_back({name + "/Exchange", StepKind::Exchange, {}, std::move(list.messages)});
  }
  list = MessageList();
}

}  // namespace

std::uint32_t MessageList::formOf(MessageForm form) {
  const auto next = static_cast<std::uint32_t>(messages.forms().size());
  const std::uint32_t found = form_index_.findOrAdd(
      hashOf(form), next, [&](std::uint32_t f) { return messages.forms()[f] == form; });
  if (found == next) messages.addForm(std::move(form));
  return found;
}

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
  return on_ipu_.formOf(messageFormOf(walk, element));
}

std::uint64_t Transfer::send(const Message& message) {
  if (placement_.areOnDifferentIpus(message.from, message.to)) {
    Message crossing = message;
    crossing.form = crossing_.formOf(on_ipu_.messages.formOf(message));
    crossing_.messages.add(crossing);
    return crossing_.messages.size() - 1;
  }
  has_unicasts_ = true;
  on_ipu_.messages.add(message);
  return on_ipu_.messages.size() - 1;
}

bool Transfer::join(std::vector<SharedMessage> shared) {
  is_joined_ = joinEqual(on_ipu_.messages, std::move(shared));
  return is_joined_;
}

/// Bytes that are not consecutive at an end go through a buffer there.
void Transfer::sendToOtherIpu(const Message& message, const MessageForm& form) {
  const Bytes element = elementOf(message, form);
  Message sent = message;
  if (!isConsecutive(form, kFromEnd)) {
    const TileId tile = placement_.blocks()[indexOf(message.from)].tile;
    const BlockId buffer = placement_.addBuffer(tile, form.bytes());
    local_.push_back({message.from, buffer, element, packingOf(message, form, element, kFromEnd)});
    sent.from = buffer;
    sent.begin.from = Bytes(0);
  }
  if (!isConsecutive(form, kToEnd)) {
    const TileId tile = placement_.blocks()[indexOf(message.to)].tile;
    const BlockId buffer = placement_.addBuffer(tile, form.bytes());
    const Walk<BlockOffsets> packing = packingOf(message, form, element, kToEnd);
    unpacked_.push_back({buffer, message.to, element, swapped(packing)});
    sent.to = buffer;
    sent.begin.to = Bytes(0);
  }
  sent.form = global_.formOf({form.bytes(), {}});
  global_.messages.add(sent);
}

void Transfer::addMulticast(const std::vector<ViewPart>& parts, const Destinations& destinations) {
  const TileSpace& space = placement_.space();
  if (space.ipus == 1) return addMulticastOnIpu(parts, destinations);
  for (const ViewPart& part : parts) {
    Destinations here;
    Destinations elsewhere;
    for (const Destination& destination : destinations) {
      const TileId tile = placement_.blocks()[indexOf(destination.block)].tile;
      (space.ipuOf(tile) == space.ipuOf(part.tile) ? here : elsewhere).push_back(destination);
    }
    if (!here.empty()) addMulticastOnIpu({part}, here);
    if (elsewhere.empty()) continue;
    const Bytes element = placement_.elementBytes(part.variable);
    const Walk<BlockOffsets> walk = inBytes(part.walk, element);
    Message message{placement_.share(part.variable, part.tile)};
    message.begin = walk.begin;
    relay(message, messageFormOf(walk, element), elsewhere);
  }
}

void Transfer::sendToOtherIpus() {
  joinEqual(crossing_.messages, {});
  crossing_.messages.forEach([&](const Message& message) {
    const MessageForm& form = crossing_.messages.formOf(message);
    if (message.list == Message::kNoList) return sendToOtherIpu(message, form);
    Destinations destinations;
    crossing_.messages.forEachDestination(
        message, [&](const Destination& destination) { destinations.push_back(destination); });
    Message relayed = message;
    relayed.begin.to = Bytes(0);  // the destinations have it
    relay(relayed, form, destinations);
  });
  crossing_ = MessageList();
}

/// Relays a message to each IPU. A tile that wants the data at several places gets them as often.
void Transfer::relay(const Message& message, const MessageForm& form,
                     const Destinations& destinations) {
  const auto tile_of = [this](const Destination& destination) {
    return placement_.blocks()[indexOf(destination.block)].tile;
  };
  const TileSpace& space = placement_.space();
  times_.resize(space.tiles(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Destinations> together;  // by IPU and time
  for (const Destination& destination : destinations) {
    const TileId tile = tile_of(destination);
    together[{space.ipuOf(tile), times_[tile.tile()]++}].push_back(destination);
  }
  for (const Destination& destination : destinations) times_[tile_of(destination).tile()] = 0;
  for (const auto& [key, there] : together) relayOnce(message, form, there);
}

/// Sends a message to one of the tiles of another IPU that want it, and from there to the others.
/// The tiles take turns, so that no context is used more than others.
void Transfer::relayOnce(Message message, const MessageForm& form,
                         const Destinations& destinations) {
  const std::size_t chosen = relays_++ % destinations.size();
  const Destination& first = destinations[chosen];
  const Bytes begin = message.begin.to;
  message.list = Message::kNoList;
  message.to = first.block;
  message.begin.to += first.offset;
  sendToOtherIpu(message, form);
  if (destinations.size() == 1) return;
  Destinations others;
  for (std::size_t l = 0; l < destinations.size(); ++l) {
    if (l != chosen) others.push_back(destinations[l]);
  }
  Message copies{first.block};
  copies.list = after_.messages.addList(others);
  copies.form = after_.formOf(onwardOf(message, form));
  copies.begin = {message.begin.to, begin};
  after_.messages.add(copies);
}

void Transfer::addMulticastOnIpu(const std::vector<ViewPart>& parts,
                                 const Destinations& destinations) {
  has_multicasts_ = true;
  const bool to_one = destinations.size() == 1;
  Message message{};
  if (to_one) {
    message.to = destinations.front().block;
  } else {
    message.list = on_ipu_.messages.addList(destinations);
  }
  for (const ViewPart& part : parts) {
    const Bytes element = placement_.elementBytes(part.variable);
    const Walk<BlockOffsets> walk = inBytes(part.walk, element);
    message.from = placement_.share(part.variable, part.tile);
    message.form = formOf(walk, element);
    message.begin = walk.begin;
    if (to_one) message.begin.to += destinations.front().offset;
    on_ipu_.messages.add(message);
  }
}

std::vector<Step> Transfer::take(const std::string& name) {
  check(!has_unicasts_ || !has_multicasts_, "messages that are all to one receiver, or none");
  sendToOtherIpus();
  std::vector<Step> steps;
  if (!local_.empty()) {
    steps.push_back(
        {name + "/OnTileCopy", StepKind::OnTileCopy, copyFamilies(placement_, local_), {}});
  }
  if (has_unicasts_ && !is_joined_) joinEqual(on_ipu_.messages, {});
  takeExchange(name, on_ipu_, steps);
  if (!global_.messages.empty()) {
    global_.messages.shrink();
    steps.push_back({name + "/GlobalSync", StepKind::Sync, {}, {}});
    steps.push_back(
        {name + "/GlobalExchange", StepKind::GlobalExchange, {}, std::move(global_.messages)});
  }
  global_ = MessageList();
  if (!unpacked_.empty()) {
    steps.push_back(
        {name + "/Unpack", StepKind::OnTileCopy, copyFamilies(placement_, unpacked_), {}});
  }
  takeExchange(name + "/Relay", after_, steps);
  has_unicasts_ = has_multicasts_ = is_joined_ = false;
  local_.clear();
  unpacked_.clear();
  return steps;
}

}  // namespace ipusim::compiler
