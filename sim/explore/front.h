// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/explore/evaluator.h"

namespace ipusim::explore {

/// The feasible of `numbers` that no other one is better than in one objective and as good in all.
std::vector<std::uint64_t> frontOf(const Evaluator& evaluator,
                                   const std::vector<std::uint64_t>& numbers);

/// The share of a box of objectives that is dominated. The box goes from the best value of each
/// objective on a front to a tenth beyond the worst one: no point far off makes it look full.
class Hypervolume {
 public:
  Hypervolume(const Evaluator& evaluator, const std::vector<std::uint64_t>& front);

  /// Of any points; 0 where none is feasible.
  [[nodiscard]] double of(const Evaluator& evaluator,
                          const std::vector<std::uint64_t>& numbers) const;

 private:
  std::vector<double> best_;
  std::vector<double> range_;
};

}  // namespace ipusim::explore
