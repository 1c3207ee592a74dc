// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/reproduce/figures.h"
#include "sim/studies/reproduce/numbers.h"
#include "sim/studies/reproduce/sweeps.h"

namespace ipusim::reproduce {

/// All that came of a paper.
struct Reproduction {
  bool done = false;                 ///< it was not ended before its last figure
  std::vector<SweepOutcome> sweeps;  ///< by their places in the paper; no points of those left out
  Verdicts verdicts;
  FiguresOutcome figures;
  bool has_plots = true;
};

/// The page and the table that reproduce() writes.
constexpr const char* kPageFile = "index.html";
constexpr const char* kTableFile = "results.csv";

/// Computes the sweeps and the numbers of the paper's items, draws their figures, and writes the
/// page and the table. What is computed is kept in the folder, whatever ends the program: the same
/// call goes on from there. Without an end of its own nothing is written but that.
Reproduction reproduce(const Paper& paper, const Options& options, const Watch& watch);

}  // namespace ipusim::reproduce
