// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::search {

/// True when `a` is better than `b` in one objective and at least as good in all others. Objectives
/// are to be minimised.
bool dominates(const std::vector<double>& a, const std::vector<double>& b);

/// The Pareto front of the feasible points that were added: no other point is better than one of
/// them in one objective and at least as good in all. Adding a point takes time in proportion to
/// the front.
class Front {
 public:
  struct Point {
    std::uint64_t number;
    std::vector<double> objectives;
  };

  /// Adds a point. Returns true when the front changes.
  bool add(const Evaluator& evaluator, std::uint64_t number);

  /// The points, in no particular order.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// The numbers of the points, ascending.
  [[nodiscard]] std::vector<std::uint64_t> numbers() const;

 private:
  std::vector<Point> points_;
};

/// The front of `numbers`.
Front frontOf(const Evaluator& evaluator, const std::vector<std::uint64_t>& numbers);

/// The share of a box of objectives that a front dominates. The box goes from the best value of
/// each objective on the given front to a tenth beyond the worst one, so that no far point makes it
/// look full.
class Hypervolume {
 public:
  explicit Hypervolume(const Front& front);

  /// The share for any front; 0 for a front without points.
  [[nodiscard]] double of(const Front& front) const;

 private:
  std::vector<double> best_;
  std::vector<double> range_;
};

}  // namespace ipusim::search
