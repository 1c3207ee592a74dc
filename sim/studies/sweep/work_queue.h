// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/compile/compile.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::explore {

/// Maps points to the first of those that are compiled alike up to and with a stage. The first and
/// the last value of a dimension stand for all of it: what each stage takes at the one point and at
/// the other is compared. A guess, for the order of points alone: the cache compares every point.
class CompiledAlike {
 public:
  explicit CompiledAlike(const Sweep& sweep);
  [[nodiscard]] std::uint64_t operator()(std::uint64_t point, compiler::Stage stage) const;

 private:
  /// An axis, or a zip of them.
  struct Digit {
    std::uint64_t stride;
    std::uint64_t count;
    compiler::Stage taken_by;  ///< the first stage that takes a value of it
  };
  std::vector<Digit> digits_;
};

/// Points of a sweep in the order in which they are the least work: those that share stages of
/// their compilation one after the other, and in one process.
class WorkQueue {
 public:
  WorkQueue(const Sweep& sweep, std::vector<std::uint64_t> points);

  /// The next point for a process that had `last` before: one that is lowered as that is, else one
  /// of those that no process has begun with, else of those of which most are left. None: there are
  /// no more.
  std::optional<std::uint64_t> next(std::optional<std::uint64_t> last);

 private:
  /// Points that are lowered alike, as places in `points_`.
  struct Group {
    std::size_t next;
    std::size_t end;
  };
  using Groups = std::map<std::uint64_t, Group>;

  Groups::iterator groupFor(std::optional<std::uint64_t> last);
  Groups::iterator begin();

  [[nodiscard]] std::uint64_t lowered(std::uint64_t point) const {
    return alike_(point, compiler::Stage::Lowering);
  }

  CompiledAlike alike_;
  std::vector<std::uint64_t> points_;
  std::size_t untouched_ = 0;  ///< first place that is in no group yet
  Groups begun_;               ///< by what lowered() gives, none of them empty
};

}  // namespace ipusim::explore
