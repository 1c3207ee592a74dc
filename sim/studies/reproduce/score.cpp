// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/score.h"

#include <cmath>

namespace ipusim::reproduce {

namespace {

bool isWithin(const validate::Verdict& verdict, double percent) {
  const std::optional<double> error = verdict.errorPercent();
  return error && std::abs(*error) <= percent;
}

void count(const validate::Verdict& verdict, Score& score) {
  ++score.numbers;
  if (isWithin(verdict, kClosePercent)) ++score.within_10_percent;
  if (isWithin(verdict, kMissPercent)) ++score.within_30_percent;
  if (isMiss(verdict)) ++score.missed;
}

}  // namespace

bool isMiss(const validate::Verdict& verdict) {
  return !isWithin(verdict, kMissPercent);
}

Score scoreOf(const Verdicts& verdicts) {
  Score score;
  for (const std::optional<validate::Verdict>& verdict : verdicts) {
    if (verdict) count(*verdict, score);
  }
  return score;
}

Score scoreOf(const Verdicts& verdicts, validate::Role role) {
  Score score;
  for (const std::optional<validate::Verdict>& verdict : verdicts) {
    if (verdict && verdict->role == role) count(*verdict, score);
  }
  return score;
}

}  // namespace ipusim::reproduce
