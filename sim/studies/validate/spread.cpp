// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/spread.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "sim/run/spread.h"

namespace ipusim::validate {

namespace {

struct Sum {
  std::uint64_t rows = 0;
  double squares = 0;
  std::string measured;  ///< the rows that have sizes, each with its own

  void add(double error) {
    ++rows;
    squares += error * error;
  }
};

/// |ln(predicted / published)| of the share of the time that the kind speaks of, when that share
/// alone is off.
double errorOf(const Verdict& verdict) {
  const double whole = std::abs(std::log(*verdict.predicted / verdict.published));
  return std::log1p(std::expm1(whole) / verdict.share);
}

bool counts(const Verdict& verdict) {
  return verdict.role == Role::Validate && verdict.predicted && !verdict.prediction.empty() &&
         *verdict.predicted / verdict.published > 0;
}

/// The entry of a row: how far it is off, and its sizes.
std::string measuredText(const Verdict& verdict) {
  std::string text =
      fmt::format("\"{}\" = {{ error_percent = {:.2f}", verdict.id, 100 * errorOf(verdict));
  for (const auto& [key, size] : verdict.sizes) text += fmt::format(", {} = {}", key, size);
  return text + " }\n";
}

/// The kinds of the rows on one IPU.
std::set<std::string> kindsOnOneIpu(const std::vector<Verdict>& verdicts) {
  std::set<std::string> kinds;
  for (const Verdict& verdict : verdicts) {
    if (counts(verdict) && verdict.prediction != run::kAnyLinks) kinds.insert(verdict.prediction);
  }
  return kinds;
}

}  // namespace

std::string spreadText(const std::vector<Verdict>& verdicts) {
  const std::set<std::string> on_one = kindsOnOneIpu(verdicts);
  std::map<std::string, Sum> sums;
  for (const Verdict& verdict : verdicts) {
    if (!counts(verdict)) continue;
    // The band of such a run has the spread of its computing besides that of links.
    if (verdict.prediction == run::kAnyLinks && on_one.count(verdict.computing) > 0) continue;
    const double error = errorOf(verdict);
    Sum& own = sums[verdict.prediction];
    own.add(error);
    if (verdict.prediction == run::kAnyLinks) continue;
    if (!verdict.sizes.empty()) own.measured += measuredText(verdict);
    sums[verdict.prediction.rfind("gpu ", 0) == 0 ? "any program" : "any run"].add(error);
  }
  std::string text =
      "# Written by `ipusim validate --spread FILE`: ln(predicted / published) over rows that "
      "nothing is "
      "fitted to,\n# root mean square, by kind of prediction. `measured` has the rows on an IPU "
      "with their sizes.\n";
  for (const auto& [kind, sum] : sums) {
    const double spread = std::sqrt(sum.squares / static_cast<double>(sum.rows));
    text += fmt::format("\n[\"{}\"]\nrows = {}\nspread_percent = {:.2f}\n", kind, sum.rows,
                        100 * spread);
    if (!sum.measured.empty()) text += fmt::format("[\"{}\".measured]\n", kind) + sum.measured;
  }
  return text;
}

}  // namespace ipusim::validate
