// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/shared_reads.h"

#include <boost/container_hash/hash.hpp>
#include <optional>

#include "workloads/graph/copy_moves.h"

namespace ipusim::compiler {

namespace {

std::size_t hashOf(const Move& move) {
  std::size_t hash = indexOf(move.from);
  boost::hash_combine(hash, move.walk.begin.from.value());
  for (const auto& level : move.walk.levels) {
    boost::hash_combine(hash, level.count);
    boost::hash_combine(hash, level.stride.from.value());
  }
  return hash;
}

/// Whether two moves read the same elements, in one order and at one distance where they land.
bool readTheSame(const Move& a, const Move& b) {
  return a.from == b.from && a.walk.begin.from == b.walk.begin.from &&
         a.walk.levels == b.walk.levels;
}

}  // namespace

SharedReads::SharedReads(const Placement& placement, const CopyStep& copy)
    : placement_(placement), repeats_(movesIn(copy.moves)) {
  for (const MoveRun& run : copy.moves) {
    visitMoves(run, [this](const Move& move) { repeats_.add(hashOf(move)); });
  }
}

bool SharedReads::mayShare(const Move& move) const {
  return repeats_.mayRepeat(hashOf(move));
}

std::uint32_t SharedReads::numberOf(const Move& move, std::uint32_t next) {
  return index_.findOrAdd(hashOf(move), next,
                          [&](std::uint32_t r) { return readTheSame(reads_[r].move, move); });
}

void SharedReads::addPart(Read& read, const TilePart<ShareElements>& part, Bytes landed) {
  const VariableId from = read.move.from;
  ReadPart added{part.tile, placement_.share(from, part.tile),
                 inBytes(part.walk, placement_.elementBytes(from))};
  added.walk.begin.to = excess(added.walk.begin.to, landed);
  read.parts.push_back(std::move(added));
}

void SharedReads::land(Read& read, const Destination& destination, Transfer& transfer) const {
  const Bytes element = placement_.elementBytes(read.move.from);
  read.destinations.push_back(destination);
  for (ReadPart& part : read.parts) {
    const bool stays = tileOf(destination) == part.tile;
    part.some_stay = part.some_stay || stays;
    if (!stays && part.message != kNotSent) continue;
    BlockMove move{part.from, destination.block, element, part.walk};
    move.walk.begin.to += destination.offset;
    if (stays) {
      transfer.add(move);
    } else {
      part.message = transfer.send({move.from, move.to, Message::kNoList,
                                    transfer.formOf(move.walk, element), move.walk.begin});
    }
  }
}

Destinations SharedReads::destinationsOf(const Read& read, const ReadPart& part) const {
  Destinations destinations;
  for (const Destination& destination : read.destinations) {
    if (tileOf(destination) != part.tile) destinations.push_back(destination);
  }
  return destinations;
}

void SharedReads::addShared(const Read& read, Transfer& transfer,
                            std::vector<SharedMessage>& shared) const {
  std::optional<std::uint32_t> all;  // the list of all destinations
  for (const ReadPart& part : read.parts) {
    if (part.message == kNotSent) continue;
    if (all && !part.some_stay) {
      shared.push_back({part.message, *all, part.walk.begin.to});
      continue;
    }
    const Destinations destinations = destinationsOf(read, part);
    if (destinations.size() == 1) continue;
    const std::uint32_t list = transfer.addList(destinations);
    shared.push_back({part.message, list, part.walk.begin.to});
    if (!part.some_stay) all = list;
  }
}

bool SharedReads::finish(Transfer& transfer) {
  std::vector<SharedMessage> shared;
  for (const Read& read : reads_) addShared(read, transfer, shared);
  reads_.clear();
  return shared.empty() || transfer.join(std::move(shared));
}

}  // namespace ipusim::compiler
