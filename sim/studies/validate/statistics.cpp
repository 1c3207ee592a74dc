// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ipusim::validate {

namespace {

double shareWithin(const std::vector<double>& errors, double limit) {
  const auto within =
      std::count_if(errors.begin(), errors.end(), [limit](double error) { return error <= limit; });
  return static_cast<double>(within) / static_cast<double>(errors.size());
}

Errors errorsOf(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  const bool odd = errors.size() % 2 == 1;
  const double median = odd ? errors[half] : (errors[half - 1] + errors[half]) / 2;
  return {median, errors.back(), shareWithin(errors, 10), shareWithin(errors, 30)};
}

KindErrors errorsOfKind(const std::vector<Verdict>& verdicts, const std::string& kind, Role role) {
  KindErrors result{kind, role, 0, 0, std::nullopt};
  std::vector<double> errors;
  for (const Verdict& verdict : verdicts) {
    if (verdict.kind != kind || verdict.role != role) continue;
    ++result.rows;
    const std::optional<double> error = verdict.errorPercent();
    if (error) errors.push_back(std::abs(*error));
  }
  result.count = errors.size();
  if (!errors.empty()) result.errors = errorsOf(std::move(errors));
  return result;
}

}  // namespace

std::vector<KindErrors> errorsByKind(const std::vector<Verdict>& verdicts) {
  std::vector<KindErrors> kinds;
  for (const Verdict& verdict : verdicts) {
    const bool known = std::any_of(kinds.begin(), kinds.end(), [&](const KindErrors& kind) {
      return kind.kind == verdict.kind && kind.role == verdict.role;
    });
    if (!known) kinds.push_back(errorsOfKind(verdicts, verdict.kind, verdict.role));
  }
  return kinds;
}

}  // namespace ipusim::validate
