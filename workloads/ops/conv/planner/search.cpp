// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/floors.h"
#include "workloads/ops/conv/planner/order.h"
#include "workloads/ops/conv/planner/splits.h"
#include "workloads/ops/conv/planner/training.h"
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"

namespace ipusim::workloads {
namespace {

using models::ReductionDepths;

/// The loops whose data may stay within the bound.
struct FittingLoops {
  bool without_in_chans;  ///< no loop, or one over out channels
  bool over_in_chans;

  [[nodiscard]] bool any() const { return without_in_chans || over_in_chans; }
  [[nodiscard]] bool has(const SplitPair& in) const {
    return in.serial == 1 ? without_in_chans : over_in_chans;
  }
};

/// Grains that are to be split over tiles, and the bytes of one of them.
struct LeftToSplit {
  std::uint64_t tiles;
  std::uint64_t groups;  ///< grains of conv groups that are not split yet
  std::uint64_t in_grains;
  std::uint64_t out_grains;
  Bytes inputs;    ///< per grain of in channels
  Bytes partials;  ///< per grain of out channels
  Bytes weights;   ///< all
};

/// A split of the field and of the batch.
struct PositionNode {
  ConvPartition partition;
  ConvFloors::Positions positions;
  PositionSlots slots;
  Cycles floor;
};

/// A split of everything but the out channels.
struct InputNode {
  ConvFloors::Reduced reduced;
  Bytes inputs;         ///< of a tile, with what a loop over in channels holds
  Bytes per_out_grain;  ///< weights and partials of a tile per grain of its out channels
};

/// Searches the candidates one by one, and remembers the best point so far.
class ConvSearch {
 public:
  ConvSearch(const Architecture& machine, const std::vector<ConvCandidate>& candidates, Bytes bound,
             PlanGoal goal)
      : machine_(machine),
        candidates_(candidates),
        bound_(bound),
        goal_(goal),
        depths_(machine.tiles + 1) {}

  void tryCandidate(std::size_t index);
  [[nodiscard]] const std::optional<FoundConvPlan>& best() const { return best_; }
  [[nodiscard]] bool isTooSlow(Cycles floor) const {
    return best_ && goal_ == PlanGoal::FewestCycles && floor > best_->cycles;
  }

 private:
  void listSplits();
  [[nodiscard]] std::vector<PositionNode> positionNodes() const;
  void addNodes(ConvPartition partition, std::size_t dim, std::vector<PositionNode>& nodes) const;
  void addNode(const ConvPartition& partition, std::vector<PositionNode>& nodes) const;
  [[nodiscard]] FittingLoops fittingLoops(const LeftToSplit& left) const;
  [[nodiscard]] bool fitsWithoutLoop(const LeftToSplit& left) const;
  void tryKernel(const PositionNode& node, ConvPartition partition, std::size_t dim);
  void tryInChans(const PositionNode& node, const ConvPartition& partition);
  void tryOutChans(const PositionNode& node, const InputNode& in, const ConvPartition& partition);
  void tryPoint(const PositionNode& node, const ConvPoint& point);
  [[nodiscard]] bool isBetter(const PlanCost& cost, const ConvPoint& point) const;
  const ReductionDepths& depthsOf(std::uint32_t depth);

  const Architecture& machine_;
  const std::vector<ConvCandidate>& candidates_;
  Bytes bound_;
  PlanGoal goal_;
  std::vector<ReductionDepths> depths_;  // by depth; made when first needed
  std::optional<FoundConvPlan> best_;

  // What belongs to the candidate that is tried.
  std::size_t index_ = 0;
  const ConvCandidate* candidate_ = nullptr;
  const ConvFloors* floors_ = nullptr;
  std::array<std::vector<std::uint32_t>, kMaxFieldDims> field_splits_;
  std::array<std::vector<std::uint32_t>, kMaxFieldDims> kernel_splits_;
  std::vector<std::uint32_t> batch_splits_;
  std::vector<std::uint32_t> group_splits_;
  std::vector<SplitPair> in_splits_;
  std::vector<SplitPair> out_splits_;
};

std::uint32_t atMost(std::uint64_t value, std::uint32_t limit) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, limit));
}

/// Drops the splits after which a tile has more than one grain.
void keepSingle(std::vector<SplitPair>& splits) {
  splits.erase(std::remove_if(splits.begin(), splits.end(),
                              [](const SplitPair& split) { return split.grains != 1; }),
               splits.end());
}

void ConvSearch::listSplits() {
  const ConvCandidate& c = *candidate_;
  const std::uint32_t tiles = machine_.tiles;
  for (std::size_t i = 0; i < kMaxFieldDims; ++i) {
    field_splits_.at(i) = usefulSplits(c.dims.at(i).outputGrains(), tiles);
    kernel_splits_.at(i) = usefulSplits(i + 1 < c.dim_count ? c.dims.at(i).kernel : 1, tiles);
  }
  batch_splits_ = usefulSplits(c.batch, tiles);
  group_splits_ = usefulSplits(c.groupGrains(), tiles);
  const std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  // The passes of a joint plan do not loop over in channels, and have all out channels on a tile.
  in_splits_ = splitPairs(c.inGrains(), {tiles, c.joint ? 1 : atMost(c.most_in_steps, most)});
  out_splits_ = splitPairs(c.outGrains(), {c.joint ? 1 : tiles, atMost(c.most_out_steps, most)});
  if (c.takesOneInGroup()) keepSingle(in_splits_);
  if (c.takesOneOutGroup()) keepSingle(out_splits_);
}

void ConvSearch::tryCandidate(std::size_t index) {
  index_ = index;
  candidate_ = &candidates_.at(index);
  const ConvFloors floors(machine_, *candidate_);
  if (floors.rearrangingBytes() > bound_) return;
  if (candidate_->joint) {
    for (const ConvPass pass : {ConvPass::FcTrainingBwd, ConvPass::FcTrainingWu}) {
      const ConvCandidate gradient = jointCandidateOf(*candidate_, pass);
      if (ConvFloors(machine_, gradient).rearrangingBytes() > bound_) return;
    }
  }
  floors_ = &floors;
  listSplits();
  for (const PositionNode& node : positionNodes()) {
    if (isTooSlow(node.floor)) break;
    tryKernel(node, node.partition, 0);
  }
}

/// The splits of field and batch that may be best, the most promising first.
std::vector<PositionNode> ConvSearch::positionNodes() const {
  std::vector<PositionNode> nodes;
  addNodes(ConvPartition{}, 0, nodes);
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const PositionNode& a, const PositionNode& b) { return a.floor < b.floor; });
  return nodes;
}

void ConvSearch::addNodes(ConvPartition partition, std::size_t dim,
                          std::vector<PositionNode>& nodes) const {
  const std::uint32_t left = machine_.tiles / (partition.fieldParts() * partition.batch);
  const bool is_batch = dim == kMaxFieldDims;
  for (const std::uint32_t split : is_batch ? batch_splits_ : field_splits_.at(dim)) {
    if (split > left) break;
    if (is_batch) {
      partition.batch = split;
      addNode(partition, nodes);
    } else {
      partition.field.at(dim) = split;
      addNodes(partition, dim + 1, nodes);
    }
  }
}

/// The share of a tile that has one grain of everything but field and batch.
ConvShare leastShare(const ConvCandidate& candidate, const ConvPartition& partition) {
  const ConvVertex& vertex = candidate.vertex;
  ConvShare share = shareOf(candidate, partition);
  std::uint64_t extents = 1;
  for (std::uint32_t i = 0; i < kMaxFieldDims; ++i) {
    if (i + 1 < candidate.dim_count) share.kernel.at(i) = 1;
    extents *= inputExtent(candidate.dims.at(i), share.field.at(i), share.kernel.at(i));
  }
  share.conv_groups = 1;
  share.in_groups = 1;
  share.out_groups = 1;
  share.inputs = extents * share.batch * vertex.in_chans_per_group * vertex.conv_groups_per_group;
  share.partials = share.fieldPositions() * share.batch * vertex.partial_chans_per_group *
                   vertex.conv_groups_per_group;
  return share;
}

/// Whether a tile may hold inputs and partials when nothing is looped over. In c parts of the conv
/// groups, x of the in channels and y of the out channels, on c x y <= t tiles, a tile holds
///
///   (A / x + B / y + W / (x y)) / c >= 2 sqrt(A B / (c t)) + W / t
///
/// where A, B and W are all inputs, partials and weights.
bool ConvSearch::fitsWithoutLoop(const LeftToSplit& left) const {
  const auto real = [](std::uint64_t count) { return static_cast<double>(count); };
  const double inputs = real(left.inputs.value()) * real(left.in_grains);
  const double partials = real(left.partials.value()) * real(left.out_grains);
  const double weights = real(left.weights.value()) / real(left.tiles);
  const double parts = real(left.tiles) * real(std::min(left.groups, left.tiles));
  return 2 * std::sqrt(inputs * partials / parts) + weights <= real(bound_.value());
}

/// Which loops may keep within the bound what is left to split, on `left.tiles` tiles. A loop over
/// in channels holds the whole result of a tile, and sums it; any other loop holds the whole input.
FittingLoops ConvSearch::fittingLoops(const LeftToSplit& left) const {
  if (candidate_->most_in_steps == 1 && candidate_->most_out_steps == 1) {
    return {fitsWithoutLoop(left), false};
  }
  const Bytes whole_inputs = left.inputs * ceilDiv(left.in_grains, left.tiles);
  const Bytes whole_partials = left.partials * ceilDiv(left.out_grains, left.tiles);
  return {whole_inputs + left.partials <= bound_, left.inputs + whole_partials <= bound_};
}

void ConvSearch::addNode(const ConvPartition& partition, std::vector<PositionNode>& nodes) const {
  const ConvCandidate& c = *candidate_;
  const ConvShare least = leastShare(c, partition);
  const std::uint64_t parts = std::uint64_t{partition.fieldParts()} * partition.batch;
  const FittingLoops loops = fittingLoops(
      {machine_.tiles / parts, c.groupGrains(), c.groupGrains() * c.inGrains(),
       c.groupGrains() * c.outGrains(), sizeOf(c.input) * least.inputs,
       sizeOf(c.vertex.partials) * least.partials, sizeOf(c.input) * floors_->weights()});
  if (!takes(c, least) || !loops.any()) return;
  const PositionSlots slots = positionSlots(machine_, c, least);
  const ConvFloors::Positions positions{parts, least.fieldPositions() * least.batch,
                                        unitCycles(machine_, c, least, slots)};
  const Cycles floor = floors_->ofPositions(positions);
  if (!isTooSlow(floor)) nodes.push_back({partition, positions, slots, floor});
}

void ConvSearch::tryKernel(const PositionNode& node, ConvPartition partition, std::size_t dim) {
  if (dim == kMaxFieldDims) {
    for (const std::uint32_t groups : group_splits_) {
      partition.conv_groups = groups;
      if (partition.tiles() > machine_.tiles) break;
      tryInChans(node, partition);
    }
    return;
  }
  for (const std::uint32_t split : kernel_splits_.at(dim)) {
    partition.kernel.at(dim) = split;
    if (partition.tiles() > machine_.tiles) break;
    tryKernel(node, partition, dim + 1);
  }
}

void ConvSearch::tryInChans(const PositionNode& node, const ConvPartition& partition) {
  const std::uint32_t used = partition.tiles();
  const ConvShare whole = shareOf(*candidate_, partition);
  const FittingLoops loops =
      fittingLoops({machine_.tiles / used, 1, whole.in_groups, whole.out_groups,
                    sizeOf(candidate_->input) * (whole.inputs / whole.in_groups),
                    sizeOf(candidate_->vertex.partials) * (whole.partials / whole.out_groups),
                    sizeOf(candidate_->input) * whole.weights});
  if (!loops.any()) return;
  for (const SplitPair& in : in_splits_) {
    if (std::uint64_t{used} * in.parallel > machine_.tiles) continue;
    if (!loops.has(in)) continue;
    ConvPartition next = partition;
    next.in_chans = in.parallel;
    next.in_chans_serial = in.serial;
    const ConvShare share = shareOf(*candidate_, next);
    const std::uint64_t grains = share.conv_groups * share.in_groups;
    const InputNode in_node{
        {next.tiles(), grains * kernelUnits(machine_, *candidate_, share.kernel),
         share.weights / share.out_groups, share.conv_groups, in.serial},
        sizeOf(candidate_->input) * share.inputs +
            (in.serial > 1 ? floors_->slicedBytes() : Bytes(0)),
        sizeOf(candidate_->input) * (share.weights / share.out_groups) +
            sizeOf(candidate_->vertex.partials) * (share.partials / share.out_groups)};
    if (in_node.inputs + in_node.per_out_grain > bound_) continue;
    if (isTooSlow(floors_->ofReduced(node.positions, in_node.reduced))) continue;
    tryOutChans(node, in_node, next);
  }
}

void ConvSearch::tryOutChans(const PositionNode& node, const InputNode& in,
                             const ConvPartition& partition) {
  const std::uint32_t used = partition.tiles();
  ConvPoint point{partition};
  // Splits come with the most grains first, so those that fit come last.
  auto split = std::partition_point(
      out_splits_.begin(), out_splits_.end(),
      [&](const SplitPair& out) { return in.inputs + in.per_out_grain * out.grains > bound_; });
  for (; split != out_splits_.end(); ++split) {
    const SplitPair& out = *split;
    if (std::uint64_t{used} * out.parallel > machine_.tiles) continue;
    if (out.serial > 1 && partition.in_chans_serial > 1) continue;
    if (out.serial > 1 &&
        in.inputs + in.per_out_grain * out.grains + floors_->slicedBytes() > bound_) {
      continue;
    }
    const std::uint64_t steps = std::uint64_t{out.serial} * partition.in_chans_serial;
    if (isTooSlow(floors_->ofStep(node.positions, in.reduced, out.grains, steps))) continue;
    point.partition.out_chans = out.parallel;
    point.partition.out_chans_serial = out.serial;
    point.broadcast = ConvBroadcast::EachStep;
    tryPoint(node, point);
    if (out.serial == 1) continue;
    point.broadcast = ConvBroadcast::BeforeLoop;
    tryPoint(node, point);
  }
}

void ConvSearch::tryPoint(const PositionNode& node, const ConvPoint& point) {
  const ConvPartition& partition = point.partition;
  const ConvShare share = shareOf(*candidate_, partition);
  if (!takes(*candidate_, share)) return;
  const ConvTerms terms = convTerms(
      {machine_, *candidate_, point, share, node.slots, depthsOf(partition.reductionDepth())});
  // The published planner leaves out points whose vertices would beat the engine's rate.
  const auto all_cycles = checkedProduct<std::uint64_t>(
      partition.tiles(), terms.partial_calc.value() * partition.steps());
  if (candidate_->multiply_adds / candidate_->multiply_rate > all_cycles) return;
  PlanCost cost{terms.total(partition.steps()), terms.temp()};
  if (candidate_->joint) addGradientPasses(machine_, *candidate_, point, cost);
  if (cost.temp > bound_ || !isBetter(cost, point)) return;
  best_ = FoundConvPlan{index_, point, cost.cycles, cost.temp};
  if (goal_ == PlanGoal::LeastMemory) bound_ = cost.temp;
}

bool ConvSearch::isBetter(const PlanCost& cost, const ConvPoint& point) const {
  if (!best_) return true;
  if (goal_ == PlanGoal::LeastMemory && cost.temp != best_->temp) return cost.temp < best_->temp;
  if (cost.cycles != best_->cycles) return cost.cycles < best_->cycles;
  if (cost.temp != best_->temp) return cost.temp < best_->temp;
  if (index_ != best_->candidate) return index_ < best_->candidate;
  return isTriedBefore(*candidate_, point.partition, best_->point.partition);
}

const ReductionDepths& ConvSearch::depthsOf(std::uint32_t depth) {
  ReductionDepths& depths = depths_.at(depth);
  if (depths.count == 0) depths = models::reductionDepths(depth);
  return depths;
}

}  // namespace

std::optional<FoundConvPlan> searchConvPlan(const Architecture& machine,
                                            const std::vector<ConvCandidate>& candidates,
                                            Bytes bound, PlanGoal goal) {
  struct BoundedCandidate {
    Cycles floor;
    std::size_t index;
  };
  std::vector<BoundedCandidate> order;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    order.push_back({ConvFloors(machine, candidates[i]).ofCandidate(), i});
  }
  std::stable_sort(
      order.begin(), order.end(),
      [](const BoundedCandidate& a, const BoundedCandidate& b) { return a.floor < b.floor; });
  ConvSearch search(machine, candidates, bound, goal);
  for (const BoundedCandidate& candidate : order) {
    if (search.isTooSlow(candidate.floor)) break;
    search.tryCandidate(candidate.index);
  }
  return search.best();
}

}  // namespace ipusim::workloads
