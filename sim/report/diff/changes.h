// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "sim/report/diff/diff.h"

// What changed from one result to another, the largest changes first.

namespace ipusim::report {

/// A figure that changed. One side is null where only the other result holds the figure.
struct ChangedFigure {
  FigurePair figure;
  std::string unit;  ///< such as "bytes"; empty for words
};

/// What changed in a part of a result.
struct ChangedPart {
  std::string name;          ///< such as "memory" or "variables"
  std::size_t compared = 0;  ///< figures, changed or not
  std::vector<ChangedFigure> changes;
};

/// Compares two results part by part: whether they fit, memory, time, plan, cycles of steps, bytes
/// of variables. Steps and variables are matched by name, and those of one name are added up. A
/// step has the cycles of the mean tile, so that steps add up to the time. The changes of one unit
/// stand together, the largest first, and words before figures.
std::vector<ChangedPart> changesOf(const JsonReader& a, const JsonReader& b);

/// The result as one object, with the columns of tiles.csv as the member `tiles`, and with the
/// bytes of each variable as the member `variables`.
Json withVariables(const run::RunResult& result);

/// How much of the changes a text shows.
enum class ShownChanges : std::uint8_t { Largest, All };

/// The changes for people. `a` and `b` name the results.
std::string changesText(const std::vector<ChangedPart>& parts, const std::string& a,
                        const std::string& b, ShownChanges shown);

Json changesJson(const std::vector<ChangedPart>& parts, const std::string& a, const std::string& b);

}  // namespace ipusim::report
