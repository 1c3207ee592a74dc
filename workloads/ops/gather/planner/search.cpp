// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/search.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "workloads/ops/conv/planner/splits.h"
#include "workloads/ops/gather/planner/estimate.h"
#include "workloads/ops/gather/planner/memory.h"

namespace ipusim::workloads {
namespace {

/// The serial splits that may go with a number of look-up parts.
struct LookUpSplit {
  std::uint32_t parts;
  std::vector<std::uint64_t> serial;  ///< ascending
};

/// A split of the table: all but the indices are split.
struct TableNode {
  EmbeddingSplits splits;
  std::uint32_t most_look_ups;  ///< parts for which there are tiles left
  Cycles floor;
};

/// Cycles of look-ups and updates together.
struct BothTerms {
  SliceTerms slice;
  UpdateTerms update;

  [[nodiscard]] Cycles total(std::uint64_t steps) const {
    return slice.total(steps) + update.step() * steps;
  }
  /// The terms that do not fall when a tile has more indices. Those of casts and of the reduction
  /// are left out: some of them fall.
  [[nodiscard]] Cycles rising() const {
    return slice.total(1) + update.table_rearrange + update.zero_partials + update.slice_exchange +
           update.update;
  }
};

/// Tries the splits of the table by their floors, and for each of them those of the indices.
class EmbeddingSearch {
 public:
  EmbeddingSearch(const PlannedTable& table, IndexOrder vertex_order, Bytes bound)
      : table_(table), vertex_order_(vertex_order), bound_(bound) {
    listIndexSplits();
  }

  void run();
  [[nodiscard]] const std::optional<FoundEmbedding>& best() const { return best_; }

 private:
  void listIndexSplits();
  [[nodiscard]] std::vector<TableNode> tableNodes() const;
  void addNodes(EmbeddingSplits splits, std::vector<TableNode>& nodes) const;
  [[nodiscard]] Cycles floorOf(const TableNode& node) const;
  void tryNode(const TableNode& node);
  Cycles tryLookUps(EmbeddingSplits splits, const std::vector<std::uint64_t>& serial);
  void trySteps(const EmbeddingSplits& splits);
  void tryPoint(const EmbeddingSplits& splits);

  [[nodiscard]] BothTerms floorsOf(const EmbeddingSplits& splits,
                                   const EmbeddingShare& share) const;
  [[nodiscard]] bool fits(const EmbeddingSplits& splits) const;
  [[nodiscard]] bool isTooSlow(Cycles floor) const { return best_ && floor > best_->cycles; }

  const PlannedTable& table_;
  IndexOrder vertex_order_;
  Bytes bound_;
  std::vector<LookUpSplit> look_ups_;  // by ascending parts
  std::optional<FoundEmbedding> best_;
};

template <typename Split>
void keepFixed(std::vector<Split>& splits, const std::optional<Split>& fixed) {
  if (!fixed) return;
  splits.erase(
      std::remove_if(splits.begin(), splits.end(), [&](Split split) { return split != *fixed; }),
      splits.end());
}

std::vector<std::uint32_t> splitsWithin(std::uint64_t size, std::uint64_t limit,
                                        const std::optional<std::uint32_t>& fixed) {
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> splits =
      usefulSplits(size, static_cast<std::uint32_t>(std::min(limit, most)));
  keepFixed(splits, fixed);
  return splits;
}

void EmbeddingSearch::listIndexSplits() {
  const EmbeddingProblem& problem = table_.problem;
  const auto most = static_cast<std::uint32_t>(mostIndexParts(problem));
  const std::uint32_t most_look_ups = std::min(most, table_.machine.tiles);
  std::vector<std::vector<std::uint64_t>> serial(most_look_ups + 1);
  for (const SplitPair& pair : splitPairs(problem.indices, {most_look_ups, most})) {
    if (problem.fixed.serial.value_or(pair.serial) == pair.serial) {
      serial.at(pair.parallel).push_back(pair.serial);
    }
  }
  for (std::uint32_t parts = 1; parts <= most_look_ups; ++parts) {
    if (problem.fixed.look_ups.value_or(parts) == parts && !serial.at(parts).empty()) {
      look_ups_.push_back({parts, std::move(serial.at(parts))});
    }
  }
}

void EmbeddingSearch::addNodes(EmbeddingSplits splits, std::vector<TableNode>& nodes) const {
  const EmbeddingProblem& problem = table_.problem;
  const std::uint32_t tiles = table_.machine.tiles / splits.tiles();
  for (const std::uint32_t rows :
       splitsWithin(problem.rows, std::min<std::uint64_t>(mostRowParts(problem), tiles),
                    problem.fixed.rows)) {
    splits.rows = rows;
    TableNode node{splits, tiles / rows, Cycles(0)};
    node.floor = floorOf(node);
    nodes.push_back(node);
  }
}

std::vector<TableNode> EmbeddingSearch::tableNodes() const {
  const EmbeddingProblem& problem = table_.problem;
  const std::uint32_t tiles = table_.machine.tiles;
  std::vector<TableNode> nodes;
  for (const std::uint32_t groups : splitsWithin(problem.groups, tiles, problem.fixed.groups)) {
    for (const std::uint32_t columns :
         splitsWithin(table_.row_grains, tiles / groups, problem.fixed.columns)) {
      EmbeddingSplits splits;
      splits.groups = groups;
      splits.columns = columns;
      addNodes(splits, nodes);
    }
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const TableNode& a, const TableNode& b) { return a.floor < b.floor; });
  return nodes;
}

/// The terms, with expected hits that are in proportion to the indices up to rounding.
BothTerms EmbeddingSearch::floorsOf(const EmbeddingSplits& splits,
                                    const EmbeddingShare& share) const {
  const EmbeddingEvaluation evaluation{table_, splits, share, vertex_order_, HitRounding::Once};
  return {sliceTerms(evaluation), updateTerms(evaluation)};
}

/// The rising terms with as few indices on a tile as the node can have, and without the terms that
/// come with look-up parts.
Cycles EmbeddingSearch::floorOf(const TableNode& node) const {
  EmbeddingSplits splits = node.splits;
  splits.look_ups = node.most_look_ups;
  const EmbeddingShare share = shareOf(table_, splits);
  return floorsOf(node.splits, share).rising();
}

bool EmbeddingSearch::fits(const EmbeddingSplits& splits) const {
  const EmbeddingShare share = shareOf(table_, splits);
  return std::max(sliceTempBytes(table_, splits, share), updateTempBytes(table_, splits, share)) <=
         bound_;
}

/// Tries few look-up parts last, because they leave many indices to a tile. What the tables of
/// look-up parts cost whatever their number is in the floors, so a single part is tried apart.
void EmbeddingSearch::tryNode(const TableNode& node) {
  bool more = true;
  for (auto split = look_ups_.rbegin(); split != look_ups_.rend(); ++split) {
    if (split->parts > node.most_look_ups || (!more && split->parts > 1)) continue;
    EmbeddingSplits splits = node.splits;
    splits.look_ups = split->parts;
    more = !isTooSlow(tryLookUps(splits, split->serial));
  }
}

/// Tries one number of look-up parts. Returns a floor of what it and all smaller ones but a single
/// part cost. What indices cost grows at most in proportion to their number. So steps, each with
/// its share of them, save nothing, and each further step adds what a step costs without indices.
Cycles EmbeddingSearch::tryLookUps(EmbeddingSplits splits,
                                   const std::vector<std::uint64_t>& serial) {
  const EmbeddingShare share = shareOf(table_, splits);
  const BothTerms at_once = floorsOf(splits, share);
  if (isTooSlow(at_once.total(1))) return at_once.rising();
  const BothTerms empty = floorsOf(splits, withoutIndices(share));
  const Cycles step = excess(empty.rising(), empty.slice.table_exchange);
  auto steps = std::partition_point(serial.begin(), serial.end(), [&](std::uint64_t s) {
    splits.serial = s;
    return !fits(splits);
  });
  for (; steps != serial.end() && !isTooSlow(at_once.total(1) + step * (*steps - 1)); ++steps) {
    splits.serial = *steps;
    trySteps(splits);
  }
  return at_once.rising();
}

void EmbeddingSearch::trySteps(const EmbeddingSplits& splits) {
  const EmbeddingProblem& problem = table_.problem;
  for (const TableBroadcast broadcast : {TableBroadcast::EachStep, TableBroadcast::BeforeSteps}) {
    if (problem.fixed.broadcast.value_or(broadcast) != broadcast) continue;
    if (broadcast == TableBroadcast::BeforeSteps && !isSliced(problem.use)) continue;
    EmbeddingSplits point = splits;
    point.broadcast = broadcast;
    if (fits(point)) tryPoint(point);
  }
}

void EmbeddingSearch::tryPoint(const EmbeddingSplits& splits) {
  const EmbeddingShare share = shareOf(table_, splits);
  const EmbeddingEvaluation evaluation{table_, splits, share, vertex_order_};
  const BothTerms terms{sliceTerms(evaluation), updateTerms(evaluation)};
  const Cycles cycles = terms.total(splits.serial);
  if (isTooSlow(cycles) || !movesResults(table_, splits, terms.slice)) return;
  if (best_ && cycles == best_->cycles && !isPreferred(splits, best_->splits)) return;
  best_ = FoundEmbedding{splits, cycles};
}

void EmbeddingSearch::run() {
  for (const TableNode& node : tableNodes()) {
    if (isTooSlow(node.floor)) break;
    tryNode(node);
  }
}

}  // namespace

std::optional<FoundEmbedding> searchEmbedding(const PlannedTable& table, IndexOrder vertex_order,
                                              Bytes bound) {
  EmbeddingSearch search(table, vertex_order, bound);
  search.run();
  return search.best();
}

std::uint64_t mostRowParts(const EmbeddingProblem& problem) {
  return ceilDiv<std::uint64_t>(problem.rows, 2);
}

std::uint64_t mostIndexParts(const EmbeddingProblem& problem) {
  const bool replaces = isUpdated(problem.use) && problem.update == RowUpdate::Replace;
  return replaces ? 1 : problem.indices;
}

bool isPreferred(const EmbeddingSplits& a, const EmbeddingSplits& b) {
  const auto order = [](const EmbeddingSplits& splits) {
    return std::make_tuple(splits.serial, splits.broadcast, splits.rows, splits.columns,
                           splits.groups);
  };
  if (order(a) != order(b)) return order(a) < order(b);
  return a.look_ups > b.look_ups;
}

}  // namespace ipusim::workloads
