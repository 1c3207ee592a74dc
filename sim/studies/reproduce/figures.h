// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>

#include "sim/studies/reproduce/score.h"
#include "sim/studies/reproduce/sweeps.h"

namespace ipusim::reproduce {

/// The path of a figure's picture within the folder of the reproduction.
std::string pictureOf(const Item& item, const Figure& figure);

/// The words of the command that draws a figure into `picture`. The command runs in the folder of
/// the reproduction, so its file names start there.
std::vector<std::string> drawingOf(const Paper& paper, const Item& item, const Figure& figure,
                                   const std::string& picture);

/// The outcome of drawing the figures.
struct FiguresOutcome {
  bool done = false;                          ///< all figures were tried
  std::map<std::string, std::string> faults;  ///< by picture: why it was not drawn
};

/// Writes the predictions of each item that has figures of its own numbers. Then lets the scripts
/// draw all figures of the paper's items anew. A script that fails costs only its own figure.
FiguresOutcome drawFigures(const Paper& paper, const Verdicts& verdicts, const Options& options,
                           const Watch& watch);

}  // namespace ipusim::reproduce
