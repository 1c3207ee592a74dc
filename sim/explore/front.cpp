// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/front.h"

#include <algorithm>
#include <cmath>
#include <pagmo/utils/hypervolume.hpp>
#include <pagmo/utils/multi_objective.hpp>

namespace ipusim::explore {

namespace {

constexpr double kBeyond = 1.1;

std::vector<std::uint64_t> feasibleOf(const Evaluator& evaluator,
                                      const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> feasible;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(feasible),
               [&](std::uint64_t number) { return evaluator.outcomeOf(number).feasible(); });
  return feasible;
}

}  // namespace

std::vector<std::uint64_t> frontOf(const Evaluator& evaluator,
                                   const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> feasible = feasibleOf(evaluator, numbers);
  if (feasible.size() < 2) return feasible;
  std::vector<pagmo::vector_double> objectives;
  objectives.reserve(feasible.size());
  for (const std::uint64_t number : feasible) {
    objectives.push_back(evaluator.outcomeOf(number).objectives);
  }
  const auto fronts = std::get<0>(pagmo::fast_non_dominated_sorting(objectives));
  std::vector<std::uint64_t> front;
  front.reserve(fronts.front().size());
  for (const auto index : fronts.front()) front.push_back(feasible[index]);
  std::sort(front.begin(), front.end());
  return front;
}

Hypervolume::Hypervolume(const Evaluator& evaluator, const std::vector<std::uint64_t>& front) {
  for (const std::uint64_t number : front) {
    const std::vector<double> objectives = evaluator.outcomeOf(number).objectives;
    best_.resize(objectives.size(), objectives.empty() ? 0 : HUGE_VAL);
    range_.resize(objectives.size(), -HUGE_VAL);
    for (std::size_t o = 0; o < objectives.size(); ++o) {
      best_[o] = std::min(best_[o], objectives[o]);
      range_[o] = std::max(range_[o], objectives[o]);
    }
  }
  for (std::size_t o = 0; o < best_.size(); ++o) {
    range_[o] = range_[o] > best_[o] ? range_[o] - best_[o] : 1;
  }
}

double Hypervolume::of(const Evaluator& evaluator,
                       const std::vector<std::uint64_t>& numbers) const {
  std::vector<pagmo::vector_double> inside;
  for (const std::uint64_t number : frontOf(evaluator, numbers)) {
    pagmo::vector_double point = evaluator.outcomeOf(number).objectives;
    for (std::size_t o = 0; o < point.size(); ++o) point[o] = (point[o] - best_[o]) / range_[o];
    const bool is_inside =
        std::all_of(point.begin(), point.end(), [](double value) { return value < kBeyond; });
    if (is_inside) inside.push_back(std::move(point));
  }
  if (inside.empty()) return 0;
  const pagmo::vector_double corner(best_.size(), kBeyond);
  return pagmo::hypervolume(inside).compute(corner) /
         std::pow(kBeyond, static_cast<double>(best_.size()));
}

}  // namespace ipusim::explore
