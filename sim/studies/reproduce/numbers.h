// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/studies/reproduce/score.h"
#include "sim/studies/reproduce/sweeps.h"

namespace ipusim::reproduce {

/// What came of the numbers.
struct NumbersOutcome {
  bool done = false;  ///< none of the items' numbers is missing
  Verdicts verdicts;
};

/// Holds the numbers of the paper's items against their runs. Numbers of one set of runs are one
/// point of work. What is computed is kept, and computed once. A run that is in `runs` is not
/// simulated again.
NumbersOutcome computeNumbers(const Paper& paper, const Options& options, const Watch& watch,
                              const validate::RunStore& runs);

}  // namespace ipusim::reproduce
