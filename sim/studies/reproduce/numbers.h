// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/studies/reproduce/score.h"
#include "sim/studies/reproduce/sweeps.h"

namespace ipusim::reproduce {

/// The outcome of comparing the numbers.
struct NumbersOutcome {
  bool done = false;  ///< none of the items' numbers is missing
  Verdicts verdicts;
};

/// Compares the numbers of the paper's items with their runs. Numbers that share one set of runs
/// form one point of work. Every outcome is kept, and computed only once. A run that is in `runs`
/// is not simulated again.
NumbersOutcome computeNumbers(const Paper& paper, const Options& options, const Watch& watch,
                              const validate::RunStore& runs);

}  // namespace ipusim::reproduce
