// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/reduce.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "models/ipu/cost/products/conv_reduce.h"
#include "workloads/vertices/reductions/reductions.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

// The largest group of accumulators that a reduction vertex fills. Whole groups take its fast path.
constexpr std::uint64_t kShareElements = 8;

/// Elements [begin, end) of share `index` of `shares`, in whole groups of kShareElements.
struct PartialsShare {
  std::uint64_t begin;
  std::uint64_t end;
};
PartialsShare shareOf(std::uint64_t elements, std::uint64_t shares, std::uint64_t index) {
  const std::uint64_t grains = ceilDiv(elements, kShareElements);
  const auto at = [&](std::uint64_t i) {
    return std::min(elements, grains * i / shares * kShareElements);
  };
  return {at(index), at(index + 1)};
}

/// Sets [first, first + count) of a block, which are summed together.
class StageGroup {
 public:
  StageGroup(const PartialBlock& block, std::uint64_t first, std::uint64_t count) : block_(block) {
    for (std::uint64_t s = first; s < first + count; ++s) members_.push_back(s);
    std::size_t most = 0;
    for (const std::uint64_t s : members_) most = std::max(most, block.sets[s].tiles.size());
    // Tiles that hold one part of different sets follow each other, so that each sums a share of
    // what it holds.
    for (std::size_t t = 0; t < most; ++t) {
      for (const std::uint64_t s : members_) {
        if (t >= block.sets[s].tiles.size()) continue;
        tiles_.push_back(block.sets[s].tiles[t]);
        owner_.push_back(s);
      }
    }
  }

  [[nodiscard]] const std::vector<TileId>& tiles() const { return tiles_; }
  [[nodiscard]] std::size_t depth() const { return members_.size(); }
  [[nodiscard]] Tensor own(std::size_t tile, const PartialsShare& share) const {
    return block_.sets[owner_[tile]].elements.slice(share.begin, share.end, 0);
  }
  [[nodiscard]] View others(std::size_t tile, const PartialsShare& share) const {
    View view;
    for (const std::uint64_t s : members_) {
      if (s == owner_[tile]) continue;
      for (Section& section : block_.sets[s].elements.slice(share.begin, share.end, 0).view()) {
        appendRegular(view, std::move(section));
      }
    }
    return view;
  }

 private:
  const PartialBlock& block_;
  std::vector<std::uint64_t> members_;
  std::vector<TileId> tiles_;
  std::vector<std::uint64_t> owner_;
};

/// Maps `result` over the group's tiles and adds the vertices that fill it.
void addGroup(Graph& graph, const Architecture& machine, ComputeSetId compute_set,
              const StageGroup& group, const Tensor& result) {
  const std::vector<TileId>& tiles = group.tiles();
  TypeCache<std::uint64_t> types;  // by the number of outputs
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const PartialsShare share = shareOf(result.elements(), tiles.size(), t);
    if (share.begin == share.end) continue;
    const Tensor out = result.slice(share.begin, share.end, 0);
    const Tensor own = group.own(t, share);
    graph.setTileMapping(out, tiles[t]);
    const models::ReduceAddShape shape{own.type(), out.type(), out.elements(), group.depth()};
    graph.addVertices(
        compute_set,
        {types.get(shape.outputs,
                   [&] { return reduceAddVertex(models::reduceAddFor(machine, shape)); }),
         tiles[t],
         1,
         {{out.view()}, {own.view()}, {group.others(t, share)}}});
  }
}

/// Sums the sets of `block` in `groups` groups of nearly equal size. Returns the sets that are
/// left.
std::vector<PartialSet> addStage(Graph& graph, const Architecture& machine,
                                 ComputeSetId compute_set, const PartialBlock& block,
                                 const std::vector<Tensor>& results) {
  std::vector<PartialSet> left;
  const std::uint64_t sets = block.sets.size();
  for (std::uint64_t g = 0; g < results.size(); ++g) {
    const std::uint64_t first = sets * g / results.size();
    const StageGroup group(block, first, sets * (g + 1) / results.size() - first);
    addGroup(graph, machine, compute_set, group, results[g]);
    left.push_back({results[g], group.tiles()});
  }
  return left;
}

/// Adds a variable for what a stage leaves of every block. The stage is not the last one.
Tensor addStageResults(Graph& graph, const std::vector<PartialBlock>& blocks, std::uint64_t groups,
                       const std::string& name) {
  std::uint64_t elements = 0;
  for (const PartialBlock& block : blocks) elements += groups * block.result.elements();
  Tensor results =
      graph.addVariable(blocks.front().sets.front().elements.type(), {elements}, name + "/out");
  graph.setShape(results, {groups, elements / groups});
  return results;
}

/// Adds one stage: sums the sets of every block, in as many groups as `results` gives tensors.
void addStageOfBlocks(Graph& graph, const Architecture& machine, ComputeSetId compute_set,
                      std::vector<PartialBlock>& blocks,
                      const std::function<std::vector<Tensor>(const PartialBlock&)>& results) {
  for (PartialBlock& block : blocks) {
    block.sets = addStage(graph, machine, compute_set, block, results(block));
  }
}

}  // namespace

void addReduction(Graph& graph, const Architecture& machine, std::vector<PartialBlock> blocks,
                  const std::string& name, Program& program) {
  const models::ReductionDepths depths = models::reductionDepths(blocks.front().sets.size());
  for (std::uint32_t stage = 0; stage < depths.count; ++stage) {
    const std::string stage_name = name + "/Reduce" + (stage == 0 ? "" : std::to_string(stage));
    const ComputeSetId compute_set = graph.addComputeSet(stage_name);
    program.add(execute(compute_set));
    if (stage + 1 == depths.count) {
      addStageOfBlocks(graph, machine, compute_set, blocks,
                       [](const PartialBlock& block) { return std::vector<Tensor>{block.result}; });
      return;
    }
    const std::uint64_t groups = depths.depth[stage + 1];
    const Tensor between = addStageResults(graph, blocks, groups, stage_name);
    std::uint64_t next = 0;
    addStageOfBlocks(graph, machine, compute_set, blocks, [&](const PartialBlock& block) {
      std::vector<Tensor> results;
      for (std::uint64_t g = 0; g < groups; ++g, next += block.result.elements()) {
        results.push_back(between.slice(next, next + block.result.elements(), 0));
      }
      return results;
    });
  }
}

}  // namespace ipusim::workloads
