// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/search/evaluator.h"

namespace ipusim::explore {

/// The feasible of the points it was shown that no other one is better than in one objective and as
/// good in all. Each point takes time in proportion to the front.
class Front {
 public:
  struct Point {
    std::uint64_t number;
    std::vector<double> objectives;
  };

  /// Shows it a point. Whether the front is another one then.
  bool add(const Evaluator& evaluator, std::uint64_t number);

  /// In no order.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// Ascending.
  [[nodiscard]] std::vector<std::uint64_t> numbers() const;

 private:
  std::vector<Point> points_;
};

/// The front of `numbers`.
Front frontOf(const Evaluator& evaluator, const std::vector<std::uint64_t>& numbers);

/// The share of a box of objectives that is dominated. The box goes from the best value of each
/// objective on a front to a tenth beyond the worst one: no point far off makes it look full.
class Hypervolume {
 public:
  explicit Hypervolume(const Front& front);

  /// Of any front; 0 where it has no points.
  [[nodiscard]] double of(const Front& front) const;

 private:
  std::vector<double> best_;
  std::vector<double> range_;
};

}  // namespace ipusim::explore
