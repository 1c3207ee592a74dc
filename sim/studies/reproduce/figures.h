// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>

#include "sim/studies/reproduce/score.h"
#include "sim/studies/reproduce/sweeps.h"

namespace ipusim::reproduce {

/// The picture of a figure in the folder of the reproduction.
std::string pictureOf(const Item& item, const Figure& figure);

/// The command that draws a figure into `picture`, its words apart; the files that it reads are
/// named from the folder.
std::vector<std::string> drawingOf(const Paper& paper, const Item& item, const Figure& figure,
                                   const std::string& picture);

/// What came of the figures.
struct FiguresOutcome {
  bool done = false;                          ///< all were tried
  std::map<std::string, std::string> faults;  ///< by picture: why it was not drawn
};

/// Writes the predictions of each item with figures of its own numbers, and has the scripts draw
/// all figures of the paper's items anew. A script that fails costs its figure alone.
FiguresOutcome drawFigures(const Paper& paper, const Verdicts& verdicts, const Options& options,
                           const Watch& watch);

}  // namespace ipusim::reproduce
