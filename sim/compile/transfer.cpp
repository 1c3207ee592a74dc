// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/transfer.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <map>

#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::compiler {

using workloads::CopyRuns;
using workloads::Move;
using workloads::MoveDim;

namespace {

/// The move's levels as the sender walks them, repetitions first and then the widest stride, joined
/// where both ends continue; in bytes, with the consecutive part split off as the unit.
struct Stream {
  TransferDims dims;
  Bytes unit;
};

Stream streamOf(const Move& move, Bytes element) {
  std::vector<MoveDim> levels;
  for (const MoveDim& dim : move.dims) {
    if (dim.count != 1) levels.push_back(dim);
  }
  std::stable_sort(levels.begin(), levels.end(), [](const MoveDim& a, const MoveDim& b) {
    const bool repeats = a.from_stride == 0 || b.from_stride == 0;
    return repeats ? a.from_stride < b.from_stride : a.from_stride > b.from_stride;
  });
  Stream stream{{}, element};
  for (const MoveDim& dim : levels) {
    const Bytes from = dim.from_stride * element;
    const Bytes to = dim.to_stride * element;
    const bool continues = !stream.dims.empty() &&
                           stream.dims.back().from_stride == dim.count * from &&
                           stream.dims.back().to_stride == dim.count * to;
    if (continues) {
      stream.dims.back() = {stream.dims.back().count * dim.count, from, to};
    } else {
      stream.dims.push_back({dim.count, from, to});
    }
  }
  if (!stream.dims.empty() && stream.dims.back().from_stride == element &&
      stream.dims.back().to_stride == element) {
    stream.unit = stream.unit * stream.dims.back().count;
    stream.dims.pop_back();
  }
  return stream;
}

std::size_t hashOf(const Message& message) {
  std::size_t seed = indexOf(message.from);
  boost::hash_combine(seed, message.from_offset.value());
  boost::hash_combine(seed, message.unit.value());
  boost::hash_combine(seed, message.to_offset.value());
  for (const TransferDim& dim : message.dims) {
    boost::hash_combine(seed, dim.count);
    boost::hash_combine(seed, dim.from_stride.value());
    boost::hash_combine(seed, dim.to_stride.value());
  }
  return seed;
}

bool sendTheSame(const Message& a, const Message& b) {
  const auto equal = [](const TransferDim& x, const TransferDim& y) {
    return x.count == y.count && x.from_stride == y.from_stride && x.to_stride == y.to_stride;
  };
  return a.from == b.from && a.from_offset == b.from_offset && a.unit == b.unit &&
         a.to_offset == b.to_offset &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(), equal);
}

models::ElementType typeOfSize(Bytes element) {
  if (element == Bytes(1)) return models::ElementType::Bool;
  return element == Bytes(2) ? models::ElementType::Half : models::ElementType::Float;
}

EdgePattern patternOf(BlockId block, Bytes offset, const TransferDims& dims, Side side) {
  EdgePattern pattern{block, offset, {}};
  for (const TransferDim& dim : dims) {
    pattern.dims.push_back({dim.count, side == Side::From ? dim.from_stride : dim.to_stride});
  }
  return pattern;
}

/// By the bytes of an element and the runs.
using CopyTypes = workloads::TypeCache<std::pair<Bytes, std::vector<CopyRuns>>>;

/// One copy vertex for all these moves on one tile, which have elements of one size.
BoundFamily copyFamily(TileId tile, Bytes element,
                       const std::vector<const BlockMove*>& moves, CopyTypes& types) {
  std::vector<CopyRuns> runs;
  BoundField from;
  BoundField to;
  for (const BlockMove* block_move : moves) {
    const Move& move = block_move->move;
    const Stream stream = streamOf(move, element);
    std::uint64_t count = 1;
    for (const TransferDim& dim : stream.dims) count *= dim.count;
    runs.push_back({count, stream.unit.value() / element.value()});
    from.patterns.push_back(
        patternOf(block_move->from, move.from_offset * element, stream.dims, Side::From));
    to.patterns.push_back(
        patternOf(block_move->to, move.to_offset * element, stream.dims, Side::To));
  }
  const auto& type = types.get({element, runs}, [&] {
    return workloads::copyVertex({typeOfSize(element), runs});
  });
  return {type, tile, 1, {std::move(from), std::move(to)}};
}

}  // namespace

Message Transfer::messageFor(const BlockMove& move) {
  Stream stream = streamOf(move.move, move.element);
  return {move.from,   move.move.from_offset * move.element,
          stream.unit, std::move(stream.dims),
          Bytes(0),    0};
}

void Transfer::add(const BlockMove& move) {
  const std::vector<Block>& blocks = placement_.blocks();
  if (blocks[indexOf(move.from)].tile == blocks[indexOf(move.to)].tile) {
    local_.push_back(move);
    return;
  }
  Message message = messageFor(move);
  const Landing landing{move.to, move.move.to_offset * move.element};
  const auto next = static_cast<std::uint32_t>(exchange_.messages.size());
  const std::uint32_t found = by_source_.findOrAdd(
      hashOf(message), next,
      [&](std::uint32_t number) { return sendTheSame(message, exchange_.messages[number]); });
  if (found < next) {
    exchange_.receiver_lists[exchange_.messages[found].receivers].push_back(landing);
    return;
  }
  message.receivers = static_cast<std::uint32_t>(exchange_.receiver_lists.size());
  exchange_.receiver_lists.push_back({landing});
  exchange_.messages.push_back(std::move(message));
}

void Transfer::addMulticast(const std::vector<CutMove>& parts, Landings landings) {
  const auto list = static_cast<std::uint32_t>(exchange_.receiver_lists.size());
  for (const CutMove& part : parts) {
    const Bytes element = placement_.elementBytes(part.move.from);
    const BlockId from = placement_.share(part.move.from, part.tile);
    Message message = messageFor({from, from, element, part.move});
    message.to_offset = part.move.to_offset * element;
    message.receivers = list;
    exchange_.messages.push_back(std::move(message));
  }
  exchange_.receiver_lists.push_back(std::move(landings));
}

std::vector<BoundFamily> Transfer::copyFamilies() const {
  std::map<std::pair<TileId, Bytes>, std::vector<const BlockMove*>> groups;
  for (const BlockMove& move : local_) {
    groups[{placement_.blocks()[indexOf(move.from)].tile, move.element}].push_back(&move);
  }
  CopyTypes types;
  std::vector<BoundFamily> families;
  families.reserve(groups.size());
  for (const auto& [key, moves] : groups) {
    families.push_back(copyFamily(key.first, key.second, moves, types));
  }
  return families;
}

std::vector<Step> Transfer::take(const std::string& name) {
  std::vector<Step> steps;
  if (!local_.empty()) {
    steps.push_back({name + "/OnTileCopy", StepKind::OnTileCopy, copyFamilies(), {}, {}});
  }
  if (!exchange_.messages.empty()) {
    steps.push_back({name + "/Sync", StepKind::Sync, {}, {}, {}});
    exchange_.name = name + "/Exchange";
    exchange_.kind = StepKind::Exchange;
    steps.push_back(std::move(exchange_));
  }
  exchange_ = {};
  by_source_ = HashIndex();
  local_.clear();
  return steps;
}

}  // namespace ipusim::compiler
