// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/compile/compile.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// Maps every point to the first point that compiles alike up to and including a stage.
///
/// The first and the last value of a dimension stand for the whole dimension: the constructor
/// compares what each stage takes at these two points. This is a guess, good enough for the order
/// of points; the cache compares every point.
class CompileClasses {
 public:
  explicit CompileClasses(const Sweep& sweep);
  [[nodiscard]] std::uint64_t operator()(std::uint64_t point, compiler::Stage stage) const;

 private:
  /// The digit of one dimension in the number of a point.
  struct Digit {
    std::uint64_t stride;
    std::uint64_t count;
    compiler::Stage taken_by;  ///< the first stage that takes a value of the dimension
  };
  std::vector<Digit> digits_;
};

/// Points of a sweep, in the order that makes the least work: points that share stages of their
/// compilation follow each other in one process.
class WorkQueue {
 public:
  WorkQueue(const Sweep& sweep, std::vector<std::uint64_t> points);

  /// The next point for a process whose previous point was `last`. The first choice is a point that
  /// is lowered like `last`, then a group that no process has begun with, then the group with the
  /// most points left. None when there are no more points.
  std::optional<std::uint64_t> next(std::optional<std::uint64_t> last);

 private:
  /// Points that are lowered alike, as a range of `points_`.
  struct Group {
    std::size_t next;
    std::size_t end;
  };
  using Groups = std::map<std::uint64_t, Group>;

  Groups::iterator groupFor(std::optional<std::uint64_t> last);
  Groups::iterator begin();

  [[nodiscard]] std::uint64_t lowered(std::uint64_t point) const {
    return classes_(point, compiler::Stage::Lowering);
  }

  CompileClasses classes_;
  std::vector<std::uint64_t> points_;
  std::size_t untouched_ = 0;  ///< index of the first point that is in no group yet
  Groups begun_;               ///< by the value of lowered(); none of them is empty
};

}  // namespace ipusim::sweep
