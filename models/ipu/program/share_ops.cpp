// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <unordered_set>

#include "ipusim/tile_program.h"

namespace ipusim {

namespace {

using Ops = SharedList<TileOp>;

struct HashOfOps {
  std::size_t operator()(const Ops& ops) const {
    std::size_t seed = ops.size();
    for (const TileOp& op : ops) {
      boost::hash_combine(seed, op.kind);
      boost::hash_combine(seed, indexOf(op.step));
      boost::hash_combine(seed, op.first);
      boost::hash_combine(seed, op.count);
      boost::hash_combine(seed, op.iterations);
    }
    return seed;
  }
};

struct EqualOps {
  bool operator()(const Ops& a, const Ops& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
};

}  // namespace

bool operator==(const TileOp& a, const TileOp& b) {
  return a.kind == b.kind && a.step == b.step && a.first == b.first && a.count == b.count &&
         a.iterations == b.iterations;
}

bool operator==(const RemoteTransfer& a, const RemoteTransfer& b) {
  return a.payload == b.payload && a.on_memory == b.on_memory && a.ports == b.ports &&
         a.address == b.address && a.to_chip == b.to_chip;
}

bool operator==(const StreamingTiming& a, const StreamingTiming& b) {
  return a.ipus == b.ipus && a.rate == b.rate && a.ipu_rate == b.ipu_rate && a.sync == b.sync &&
         a.fixed == b.fixed;
}

void shareEqualOps(std::vector<TileProgram>& tiles) {
  std::unordered_set<Ops, HashOfOps, EqualOps> lists;
  for (TileProgram& tile : tiles) tile.ops = *lists.insert(tile.ops).first;
}

}  // namespace ipusim
