// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/liveness.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ipusim/error.h"
#include "sim/compile/layout/accesses.h"

namespace ipusim::compiler {

namespace {

/// Joins the loop, and all ranges that overlap it, to one range.
void keepThrough(const LiveRange& loop, LiveRanges& ranges) {
  LiveRanges kept;
  LiveRange joined = loop;
  for (const LiveRange& range : ranges) {
    if (range.last < loop.first || range.first > loop.last) continue;
    joined.first = std::min(joined.first, range.first);
    joined.last = std::max(joined.last, range.last);
  }
  bool placed = false;
  for (const LiveRange& range : ranges) {
    if (range.last < joined.first) {
      kept.push_back(range);
      continue;
    }
    if (!placed) kept.push_back(joined);
    placed = true;
    if (range.first > joined.last) kept.push_back(range);
  }
  ranges = std::move(kept);
}

/// What steps that follow one another do with a variable.
struct Use {
  LiveRange positions;
  bool reads;
  Bytes written;
};
/// In the order of their positions.
using Uses = std::vector<Use>;

/// The uses from `next` on before the position `end`. All that the steps of one step of a program
/// do is one use: together they write no element twice. `begins` has the first position of each
/// step.
Uses usesBefore(std::uint32_t end, const std::vector<std::uint32_t>& begins,
                Accesses::const_iterator& next, Accesses::const_iterator last) {
  Uses uses;
  std::uint32_t begin = 0;
  for (; next != last && next->position < end; ++next) {
    if (uses.empty() || begins[next->position] != begin) {
      uses.push_back({{next->position, next->position}, false, Bytes(0)});
    }
    begin = begins[next->position];
    Use& use = uses.back();
    use.positions.last = next->position;
    use.reads |= next->reads;
    use.written += next->written;
  }
  return uses;
}

/// Makes one range per value: a range ends where the next use that writes the whole variable begins
/// another. A loop must keep the variable throughout when the first use in the loop is no full
/// write. `fills` tells of a use whether it is a full write for sure.
template <typename Fills>
LiveRanges rangesOf(const Uses& uses, const std::vector<FlowRange>& flow, const Fills& fills) {
  LiveRanges ranges;
  for (const Use& use : uses) {
    if (ranges.empty() || fills(use)) ranges.push_back(use.positions);
    ranges.back().last = use.positions.last;
  }
  for (const FlowRange& loop : flow) {
    if (!loop.repeats) continue;
    const auto first = std::find_if(uses.begin(), uses.end(), [&loop](const Use& use) {
      return use.positions.first >= loop.first;
    });
    if (first == uses.end() || first->positions.first > loop.last || fills(*first)) continue;
    keepThrough({loop.first, loop.last}, ranges);
  }
  return ranges;
}

void setRanges(std::size_t variable, const LiveRanges& ranges, Lowered& lowered) {
  for (const BlockId id : lowered.share_of[variable]) {
    if (id != kNoBlock) lowered.blocks[indexOf(id)].live = ranges;
  }
}

void keepAlways(std::size_t variable, Lowered& lowered) {
  for (const BlockId id : lowered.share_of[variable]) {
    if (id != kNoBlock) lowered.blocks[indexOf(id)].always_live = true;
  }
}

/// The parts of a program that may not run at all, as a tree.
class OptionalParts {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit OptionalParts(const FlowPositions& positions)
      : ranges_(positions.ranges), innermost_(positions.steps.size(), kNone) {
    // Inner ranges come before outer ones, so the innermost of a position is the first to say so.
    for (std::uint32_t r = 0; r < ranges_.size(); ++r) {
      for (std::uint32_t p = ranges_[r].first; ranges_[r].is_optional && p <= ranges_[r].last;
           ++p) {
        if (innermost_[p] == kNone) innermost_[p] = r;
      }
    }
  }

  /// The innermost part around a position; kNone for what runs for sure.
  [[nodiscard]] std::uint32_t around(std::uint32_t position) const { return innermost_[position]; }

  /// The innermost part around all positions of a range.
  [[nodiscard]] std::uint32_t around(const LiveRange& all) const {
    for (std::uint32_t r = innermost_[all.first]; r < ranges_.size(); ++r) {
      const FlowRange& part = ranges_[r];
      if (part.is_optional && part.first <= all.first && all.last <= part.last) return r;
    }
    return kNone;
  }

 private:
  const std::vector<FlowRange>& ranges_;
  std::vector<std::uint32_t> innermost_;
};

/// Several programs one behind the other.
struct JoinedPrograms {
  FlowPositions positions;
  std::vector<std::uint32_t> ends;  ///< one entry per program: the position behind its last one
};

JoinedPrograms joined(const std::vector<Flows>& programs) {
  JoinedPrograms all;
  for (const Flows& program : programs) {
    const auto offset = static_cast<std::uint32_t>(all.positions.steps.size());
    const FlowPositions own = positionsOf(program);
    all.positions.steps.insert(all.positions.steps.end(), own.steps.begin(), own.steps.end());
    for (const std::uint32_t begin : own.begins) all.positions.begins.push_back(begin + offset);
    for (const FlowRange& range : own.ranges) {
      all.positions.ranges.push_back(
          {range.first + offset, range.last + offset, range.repeats, range.is_optional});
    }
    all.ends.push_back(static_cast<std::uint32_t>(all.positions.steps.size()));
  }
  return all;
}

/// Finds what may share memory in programs that run in any order.
class ProgramLiveness {
 public:
  ProgramLiveness(const JoinedPrograms& programs, Lowered& lowered)
      : programs_(programs), optional_(programs.positions), lowered_(lowered) {}

  void run() {
    const std::vector<Accesses> accesses = findAccesses(lowered_, HostCopies::Counted);
    for (std::size_t v = 0; v < accesses.size(); ++v) {
      if (accesses[v].empty() || isAlwaysLive(v)) continue;
      if (const auto ranges = rangesIn(v, accesses[v])) {
        setRanges(v, *ranges, lowered_);
      } else {
        keepAlways(v, lowered_);
      }
    }
  }

 private:
  [[nodiscard]] bool isAlwaysLive(std::size_t variable) const {
    for (const BlockId id : lowered_.share_of[variable]) {
      if (id != kNoBlock) return lowered_.blocks[indexOf(id)].always_live;
    }
    return true;
  }

  /// The ranges of a variable in all programs. None where a program may read what it has not
  /// written: that value is from the load on, or from another run.
  [[nodiscard]] std::optional<LiveRanges> rangesIn(std::size_t variable,
                                                   const Accesses& accesses) const {
    const Bytes bytes = bytesOf(variable, lowered_);
    LiveRanges ranges;
    auto next = accesses.begin();
    for (const std::uint32_t end : programs_.ends) {
      const Uses uses = usesBefore(end, programs_.positions.begins, next, accesses.end());
      if (uses.empty()) continue;
      const std::uint32_t part =
          optional_.around(LiveRange{uses.front().positions.first, uses.back().positions.last});
      const auto fills = [&](const Use& use) {
        return !use.reads && use.written >= bytes && optional_.around(use.positions.first) == part;
      };
      if (!fills(uses.front())) return std::nullopt;
      for (const LiveRange& range : rangesOf(uses, programs_.positions.ranges, fills)) {
        ranges.push_back(range);
      }
    }
    return ranges;
  }

  const JoinedPrograms& programs_;
  OptionalParts optional_;
  Lowered& lowered_;
};

}  // namespace

void setLiveRanges(FlowPositions positions, Lowered& lowered) {
  lowered.positions = std::move(positions.steps);
  std::vector<bool> is_optional(lowered.positions.size(), false);
  for (const FlowRange& range : positions.ranges) {
    for (std::uint32_t p = range.first; range.is_optional && p <= range.last; ++p) {
      is_optional[p] = true;
    }
  }
  const std::vector<Accesses> accesses = findAccesses(lowered, HostCopies::LeftOut);
  for (std::size_t v = 0; v < accesses.size(); ++v) {
    if (accesses[v].empty()) continue;
    const Bytes bytes = bytesOf(v, lowered);
    const auto fills = [&](const Use& use) {
      return !use.reads && use.written >= bytes && !is_optional[use.positions.first];
    };
    auto next = accesses[v].begin();
    const Uses uses = usesBefore(static_cast<std::uint32_t>(lowered.positions.size()),
                                 positions.begins, next, accesses[v].end());
    setRanges(v, rangesOf(uses, positions.ranges, fills), lowered);
  }
}

void setLiveRanges(const StepOrders& orders, Lowered& lowered) {
  for (const VariableId variable : orders.always_live) {
    keepAlways(indexOf(variable), lowered);
  }
  if (orders.programs.empty()) return;
  for (Block& block : lowered.blocks) block.live = {{0, 0}};
  const JoinedPrograms all = joined(orders.programs);
  lowered.positions = all.positions.steps;
  ProgramLiveness(all, lowered).run();
}

}  // namespace ipusim::compiler
