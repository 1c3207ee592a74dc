// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/studies/validate/evaluate.h"

namespace ipusim::reproduce {

/// The verdicts on the numbers of a paper, by their places; none for those of items left out.
using Verdicts = std::vector<std::optional<validate::Verdict>>;

/// How far off a prediction may be and still count.
constexpr double kClosePercent = 10;
constexpr double kMissPercent = 30;

/// Whether it has no prediction, or one that is off by more than 30 %.
bool isMiss(const validate::Verdict& verdict);

/// How numbers came out.
struct Score {
  std::size_t numbers = 0;
  std::size_t within_10_percent = 0;
  std::size_t within_30_percent = 0;
  std::size_t missed = 0;
};

Score scoreOf(const Verdicts& verdicts);
/// The same for those of one role.
Score scoreOf(const Verdicts& verdicts, validate::Role role);

}  // namespace ipusim::reproduce
