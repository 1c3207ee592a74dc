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

/// Where a variable holds nothing.
struct Undef {
  std::uint32_t position;
  std::uint32_t number;  ///< index in FlowPositions::undefs
};
/// One list per variable, in the order of the program.
using Undefs = std::vector<std::vector<Undef>>;

Undefs undefsOf(const FlowPositions& positions, std::size_t variables) {
  Undefs of_variable(variables);
  for (std::uint32_t u = 0; u < positions.undefs.size(); ++u) {
    const auto& [position, variable] = positions.undefs[u];
    of_variable.at(indexOf(variable)).push_back({position, u});
  }
  return of_variable;
}

/// What steps that follow one another do with a variable.
struct Use {
  LiveRange positions;
  bool reads;
  Bytes written;
  std::optional<Undef> undef;  ///< the last one behind the use before
};
/// In the order of their positions.
using Uses = std::vector<Use>;

/// Reads the uses of a variable in order. All that the steps of one step of a program do is one
/// use: together they write no element twice.
class UseReader {
 public:
  /// `begins` has the first position of each step. All three must outlive this.
  UseReader(const Accesses& accesses, const std::vector<Undef>& undefs,
            const std::vector<std::uint32_t>& begins)
      : accesses_(accesses), undefs_(undefs), begins_(begins) {}

  /// The next uses, up to the position `end`.
  Uses before(std::uint32_t end) {
    Uses uses;
    std::uint32_t begin = 0;
    for (; next_ < accesses_.size() && accesses_[next_].position < end; ++next_) {
      const Access& access = accesses_[next_];
      if (uses.empty() || begins_[access.position] != begin) {
        const LiveRange here{access.position, access.position};
        uses.push_back({here, false, Bytes(0), undefUntil(access.position)});
      }
      begin = begins_[access.position];
      Use& use = uses.back();
      use.positions.last = access.position;
      use.reads |= access.reads;
      use.written += access.written;
    }
    return uses;
  }

 private:
  /// The last one that was not passed before.
  std::optional<Undef> undefUntil(std::uint32_t position) {
    std::optional<Undef> last;
    for (; next_undef_ < undefs_.size() && undefs_[next_undef_].position <= position;
         ++next_undef_) {
      last = undefs_[next_undef_];
    }
    return last;
  }

  const Accesses& accesses_;
  const std::vector<Undef>& undefs_;
  const std::vector<std::uint32_t>& begins_;
  std::size_t next_ = 0;
  std::size_t next_undef_ = 0;
};

/// Tells where a variable of so many bytes takes another value. `IsSure` tells of a position
/// whether the program comes to it for sure.
template <typename IsSure>
struct NewValues {
  Bytes bytes;
  IsSure is_sure;

  [[nodiscard]] bool isFilledBy(const Use& use) const {
    return !use.reads && use.written >= bytes && is_sure(use.positions.first);
  }
  [[nodiscard]] bool beginWith(const Use& use) const {
    return isFilledBy(use) || (use.undef && is_sure(use.undef->position));
  }
  /// Whether the first use in a loop needs nothing of the iteration before.
  [[nodiscard]] bool beginIn(const FlowRange& loop, const Use& first) const {
    return isFilledBy(first) || (beginWith(first) && loop.hasUndef(first.undef->number));
  }
};
template <typename IsSure>
NewValues(Bytes, IsSure) -> NewValues<IsSure>;

/// Makes one range per value: a range ends where the next use that begins a new value begins
/// another. A loop must keep the variable throughout when the first use in the loop needs what it
/// held before.
template <typename Values>
LiveRanges rangesOf(const Uses& uses, const std::vector<FlowRange>& flow, const Values& values) {
  LiveRanges ranges;
  for (const Use& use : uses) {
    if (ranges.empty() || values.beginWith(use)) ranges.push_back(use.positions);
    ranges.back().last = use.positions.last;
  }
  for (const FlowRange& loop : flow) {
    if (!loop.repeats) continue;
    const auto first = std::find_if(uses.begin(), uses.end(), [&loop](const Use& use) {
      return use.positions.first >= loop.first;
    });
    if (first == uses.end() || first->positions.first > loop.last) continue;
    if (!values.beginIn(loop, *first)) keepThrough({loop.first, loop.last}, ranges);
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
    const auto undefs = static_cast<std::uint32_t>(all.positions.undefs.size());
    for (FlowRange range : own.ranges) {
      range.first += offset;
      range.last += offset;
      range.first_undef += undefs;
      range.end_undef += undefs;
      all.positions.ranges.push_back(range);
    }
    for (const PositionUndef& undef : own.undefs) {
      if (undef.position == own.steps.size()) break;  // the position is that of another program
      all.positions.undefs.push_back({undef.position + offset, undef.variable});
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
    const Undefs undefs = undefsOf(programs_.positions, accesses.size());
    for (std::size_t v = 0; v < accesses.size(); ++v) {
      if (accesses[v].empty() || isAlwaysLive(v)) continue;
      UseReader reader(accesses[v], undefs[v], programs_.positions.begins);
      if (const auto ranges = rangesIn(v, reader)) {
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
  [[nodiscard]] std::optional<LiveRanges> rangesIn(std::size_t variable, UseReader& reader) const {
    const Bytes bytes = bytesOf(variable, lowered_);
    LiveRanges ranges;
    for (const std::uint32_t end : programs_.ends) {
      const Uses uses = reader.before(end);
      if (uses.empty()) continue;
      const std::uint32_t part =
          optional_.around(LiveRange{uses.front().positions.first, uses.back().positions.last});
      const NewValues values{bytes, [this, part](std::uint32_t position) {
                               return optional_.around(position) == part;
                             }};
      if (!values.beginWith(uses.front())) return std::nullopt;
      for (const LiveRange& range : rangesOf(uses, programs_.positions.ranges, values)) {
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
  const Undefs undefs = undefsOf(positions, accesses.size());
  for (std::size_t v = 0; v < accesses.size(); ++v) {
    if (accesses[v].empty()) continue;
    UseReader reader(accesses[v], undefs[v], positions.begins);
    const Uses uses = reader.before(static_cast<std::uint32_t>(lowered.positions.size()));
    const NewValues values{bytesOf(v, lowered), [&is_optional](std::uint32_t position) {
                             return !is_optional[position];
                           }};
    setRanges(v, rangesOf(uses, positions.ranges, values), lowered);
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
