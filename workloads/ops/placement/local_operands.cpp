// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/local_operands.h"

#include <algorithm>
#include <boost/icl/interval_set.hpp>
#include <map>
#include <utility>

#include "workloads/graph/mapping_index.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

using Intervals = boost::icl::interval_set<std::uint64_t>;
using Interval = Intervals::interval_type;

/// The most elements that are sent for each needed one, to send consecutive elements. A message of
/// one word would cost an instruction on both sides.
constexpr std::uint64_t kSparsest = 4;

/// Adds the storage that the levels of `walk` from `level` inward touch, from `begin` on. Runs that
/// lie near each other become one. The levels must have falling strides, none of which is 0.
void addRuns(const Walk<VariableElements>& walk, std::size_t level, VariableElements begin,
             Intervals& runs) {
  const auto& levels = walk.levels;
  VariableElements span(1);
  std::size_t inner = levels.size();
  while (inner > level && levels[inner - 1].stride <= kSparsest * span) {
    --inner;
    span += (levels[inner].count - 1) * levels[inner].stride;
  }
  if (inner == level) {
    runs.add(Interval::right_open(begin.value(), (begin + span).value()));
    return;
  }
  for (std::uint64_t i = 0; i < levels[level].count; ++i) {
    addRuns(walk, level + 1, begin + i * levels[level].stride, runs);
  }
}

void addRuns(const Section& section, Intervals& runs) {
  Walk<VariableElements> touched{section.walk.begin};
  for (const auto& level : section.walk.levels) {
    if (level.stride != VariableElements(0)) touched.levels.push_back(level);
  }
  std::sort(touched.levels.begin(), touched.levels.end(),
            [](const auto& a, const auto& b) { return a.stride > b.stride; });
  addRuns(touched, 0, touched.begin, runs);
}

/// Where the runs of each variable begin in a tile's copy.
class LocalRuns {
 public:
  /// `view` has the sections that must arrive.
  explicit LocalRuns(const View& view) {
    for (const Section& section : view) addRuns(section, runs_[section.variable]);
    for (const auto& [variable, runs] : runs_) {
      for (const Interval& run : runs) {
        begins_[{variable, run.lower()}] = elements_;
        elements_ += run.upper() - run.lower();
      }
    }
  }

  [[nodiscard]] std::uint64_t elements() const { return elements_; }
  [[nodiscard]] const std::map<VariableId, Intervals>& runs() const { return runs_; }

  /// True when `section` lies in one run.
  [[nodiscard]] bool holds(const Section& section) const {
    return section.end() <= runOf(section).upper();
  }
  [[nodiscard]] std::uint64_t localOffset(const Section& section) const {
    const Interval run = runOf(section);
    return begins_.at({section.variable, run.lower()}) + section.begin() - run.lower();
  }

 private:
  [[nodiscard]] Interval runOf(const Section& section) const {
    return *runs_.at(section.variable).find(section.begin());
  }

  std::map<VariableId, Intervals> runs_;
  std::map<std::pair<VariableId, std::uint64_t>, std::uint64_t> begins_;
  std::uint64_t elements_ = 0;
};

/// Appends `section` as sections that each lie in one run.
void appendHeld(const LocalRuns& runs, const Section& section, View& held) {
  if (runs.holds(section)) {
    held.push_back(section);
    return;
  }
  const auto& levels = section.walk.levels;
  const Level<VariableElements>& outer = levels.front();
  Section inner{section.variable, {section.walk.begin}};
  inner.walk.levels.assign(levels.begin() + 1, levels.end());
  for (std::uint64_t i = 0; i < outer.count; ++i) {
    appendHeld(runs, inner, held);
    inner.walk.begin += outer.stride;
  }
}

/// The mappings of variables. Each is indexed once.
class Mappings {
 public:
  explicit Mappings(const Graph& graph) : graph_(graph) {}

  /// True when all that `section` touches lies on `tile`, in one piece.
  bool isOn(TileId tile, const Section& section) {
    const MappingIndex& index =
        indices_.try_emplace(section.variable, graph_.variable(section.variable)).first->second;
    const MappedInterval& interval = index.at(section.begin());
    return interval.tile == tile && section.end() <= interval.end;
  }

 private:
  const Graph& graph_;
  std::map<VariableId, MappingIndex> indices_;
};

/// What one tile needs, and the part of it that lies elsewhere.
struct TileNeed {
  View view;
  std::vector<bool> is_here;  ///< one entry per section of the view: whether it lies on the tile
  LocalRuns runs;

  TileNeed(View needed, TileId tile, Mappings& mappings)
      : view(std::move(needed)), runs(arriving(tile, mappings)) {}

  /// True when the runs, one after the other, are what is needed.
  [[nodiscard]] bool inOrder() const {
    return view.size() == 1 && view.front().isRun() && !is_here.front();
  }

 private:
  View arriving(TileId tile, Mappings& mappings) {
    View elsewhere;
    for (const Section& section : view) {
      is_here.push_back(mappings.isOn(tile, section));
      if (!is_here.back()) elsewhere.push_back(section);
    }
    return elsewhere;
  }
};

/// The first element of a tile's part of a variable.
struct Destination {
  VariableId variable;
  std::uint64_t begin;
};

/// The move of the elements of `from`, one after the other, to `to` and the places behind it.
Move moveOf(const Section& from, const Destination& to) {
  Move move{from.variable, to.variable, {{from.walk.begin, VariableElements(to.begin)}}};
  VariableElements inside(from.elements());
  for (const auto& level : from.walk.levels) {
    if (level.count == 1) continue;
    inside = VariableElements(inside.value() / level.count);
    move.walk.levels.push_back({level.count, {level.stride, inside}});
  }
  return move;
}

/// Adds the moves that fill the tile's part from `own` on with the runs, one after the other.
void addArrivals(const LocalRuns& runs, Destination own, std::vector<MoveRun>& moves) {
  for (const auto& [variable, intervals] : runs.runs()) {
    for (const Interval& run : intervals) {
      const std::uint64_t count = run.upper() - run.lower();
      appendMove(moves, moveOf(contiguous(variable, run.lower(), count), own));
      own.begin += count;
    }
  }
}

/// Adds the moves that fill the places from `to` on with what is needed, in its order: from the
/// runs, which begin at `own`, or from where it lies on the tile.
void addArrangement(const TileNeed& need, const Destination& own, Destination to,
                    std::vector<MoveRun>& moves) {
  const auto add = [&](const Section& section) {
    appendMove(moves, moveOf(section, to));
    to.begin += section.elements();
  };
  for (std::size_t s = 0; s < need.view.size(); ++s) {
    if (need.is_here[s]) {
      add(need.view[s]);
      continue;
    }
    View held;
    appendHeld(need.runs, need.view[s], held);
    for (const Section& section : held) {
      const VariableElements begin(own.begin + need.runs.localOffset(section));
      add({own.variable, {begin, section.walk.levels}});
    }
  }
}

}  // namespace

View LocalOperand::part(std::size_t need, std::uint64_t skip, std::uint64_t count) const {
  return elements.flatView(offsets[need] + skip, offsets[need] + skip + count);
}

LocalOperand LocalOperands::bring(const Tensor& view, const std::vector<Need>& needs) {
  LocalOperand operand;
  if (isConsecutive(view)) {
    operand.elements = view.reshape({view.elements()});
    for (const Need& need : needs) operand.offsets.push_back(need.begin);
    return operand;
  }
  Mappings mappings(graph_);
  std::vector<TileNeed> on_tiles;
  std::uint64_t arriving = 0;
  std::uint64_t ordered = 0;
  for (const Need& need : needs) {
    on_tiles.emplace_back(view.flatView(need.begin, need.end), need.tile, mappings);
    operand.offsets.push_back(ordered);
    ordered += need.end - need.begin;
    arriving += on_tiles.back().runs.elements();
  }
  const bool in_order = std::all_of(on_tiles.begin(), on_tiles.end(),
                                    [](const TileNeed& need) { return need.inOrder(); });
  const Tensor arrived = graph_.addVariable(view.type(), {arriving}, name_ + "/arrived");
  operand.elements =
      in_order ? arrived : graph_.addVariable(view.type(), {ordered}, name_ + "/arranged");
  const VariableId arrived_variable = arrived.pieces().front().variable;
  const VariableId ordered_variable = operand.elements.pieces().front().variable;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const Destination own{arrived_variable, next};
    next += on_tiles[i].runs.elements();
    if (next > own.begin) graph_.setTileMapping(arrived.slice(own.begin, next, 0), needs[i].tile);
    addArrivals(on_tiles[i].runs, own, arrivals_);
    if (in_order) continue;
    const std::uint64_t begin = operand.offsets[i];
    const std::uint64_t end = begin + needs[i].end - needs[i].begin;
    graph_.setTileMapping(operand.elements.slice(begin, end, 0), needs[i].tile);
    addArrangement(on_tiles[i], own, {ordered_variable, begin}, orders_);
  }
  return operand;
}

void LocalOperands::addSteps(Program& program) {
  if (!arrivals_.empty()) program.add(graph_.copy(std::move(arrivals_), name_ + "/Arrive"));
  if (!orders_.empty()) program.add(graph_.copy(std::move(orders_), name_ + "/Arrange"));
}

}  // namespace ipusim::workloads
