// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/reproduce/figures.h"
#include "sim/studies/reproduce/numbers.h"
#include "sim/studies/reproduce/sweeps.h"

namespace ipusim::reproduce {

/// The outcome of reproducing a paper.
struct Reproduction {
  bool done = false;                 ///< the work was not ended before the last figure
  std::vector<SweepOutcome> sweeps;  ///< by their places in the paper; empty for sweeps left out
  Verdicts verdicts;
  FiguresOutcome figures;
  bool has_plots = true;
};

/// The page and the table that reproduce() writes.
constexpr const char* kPageFile = "index.html";
constexpr const char* kTableFile = "results.csv";

/// Computes the sweeps and the numbers of the paper's items, draws their figures, and writes the
/// page and the table. The folder keeps every outcome, even when the program is ended: an equal
/// call goes on from there. The page and the table are written only when all work is done.
Reproduction reproduce(const Paper& paper, const Options& options, const Watch& watch);

}  // namespace ipusim::reproduce
