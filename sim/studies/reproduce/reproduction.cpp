// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/reproduction.h"

#include <algorithm>
#include <set>

#include "sim/report/output_folder.h"
#include "sim/studies/reproduce/page.h"

namespace ipusim::reproduce {

namespace {

std::set<std::size_t> sweepsOf(const Paper& paper) {
  std::set<std::size_t> sweeps;
  for (const Item& item : paper.items) {
    for (const Figure& figure : item.figures) {
      sweeps.insert(figure.sweeps.begin(), figure.sweeps.end());
    }
  }
  return sweeps;
}

/// Returns false where a sweep was ended before its last point.
bool computeSweeps(const Paper& paper, const Options& options, const Watch& watch,
                   validate::RunStore& runs, Reproduction& reproduction) {
  reproduction.sweeps.resize(paper.sweeps.size());
  for (const std::size_t sweep : sweepsOf(paper)) {
    SweepOutcome& outcome = reproduction.sweeps[sweep];
    outcome = computeSweep(paper.sweeps[sweep], options, watch, runs);
    if (!outcome.done) return false;
  }
  return true;
}

bool computeAll(const Paper& paper, const Options& options, const Watch& watch,
                Reproduction& reproduction) {
  validate::RunStore runs(Engine::ClosedForm);
  if (!computeSweeps(paper, options, watch, runs, reproduction)) return false;
  NumbersOutcome numbers = computeNumbers(paper, options, watch, runs);
  reproduction.verdicts = std::move(numbers.verdicts);
  if (!numbers.done) return false;
  if (!options.plots) return true;
  reproduction.figures = drawFigures(paper, reproduction.verdicts, options, watch);
  return reproduction.figures.done;
}

}  // namespace

Reproduction reproduce(const Paper& paper, const Options& options, const Watch& watch) {
  const report::OutputFolder folder(options.out);
  // An output that cannot be replaced is refused before the work begins.
  static_cast<void>(folder.placeOf(kPageFile));
  static_cast<void>(folder.placeOf(kTableFile));
  Reproduction reproduction;
  reproduction.has_plots = options.plots;
  reproduction.done = computeAll(paper, options, watch, reproduction);
  if (!reproduction.done) return reproduction;
  // Both are made before one is written: a page that cannot be made leaves the old pair.
  const std::string table = tableCsv(paper, reproduction);
  const std::string page = pageHtml(paper, reproduction, options.out);
  folder.write(kTableFile, table);
  folder.write(kPageFile, page);
  return reproduction;
}

}  // namespace ipusim::reproduce
