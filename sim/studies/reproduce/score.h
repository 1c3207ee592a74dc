// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/studies/validate/evaluate.h"

namespace ipusim::reproduce {

/// One entry per number of a paper: its verdict, or none where the item of the number is left out.
using Verdicts = std::vector<std::optional<validate::Verdict>>;

/// A prediction counts as close when it is off by at most kClosePercent, and as a miss when it is
/// off by more than kMissPercent.
constexpr double kClosePercent = 10;
constexpr double kMissPercent = 30;

/// True when there is no prediction, or when it is off by more than 30 %.
bool isMiss(const validate::Verdict& verdict);

/// How many numbers came out how well.
struct Score {
  std::size_t numbers = 0;
  std::size_t within_10_percent = 0;
  std::size_t within_30_percent = 0;
  std::size_t missed = 0;
};

Score scoreOf(const Verdicts& verdicts);
/// The score of only the numbers of one role.
Score scoreOf(const Verdicts& verdicts, validate::Role role);

}  // namespace ipusim::reproduce
