// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/compile/compile.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::explore {

/// Maps points to the first of those that are compiled alike up to and with a stage.
class CompiledAlike {
 public:
  CompiledAlike(const Sweep& sweep, compiler::Stage stage);
  std::uint64_t operator()(std::uint64_t point) const;

 private:
  /// An axis, or a zip of them, that no stage so far reads.
  struct Free {
    std::uint64_t stride;
    std::uint64_t count;
  };
  std::vector<Free> free_;
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

  CompiledAlike lowered_;
  std::vector<std::uint64_t> points_;
  std::size_t untouched_ = 0;  ///< first place that is in no group yet
  Groups begun_;               ///< by what lowered_ gives, none of them empty
};

}  // namespace ipusim::explore
