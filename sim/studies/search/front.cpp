// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/front.h"

#include <algorithm>
#include <cmath>
#include <pagmo/utils/hypervolume.hpp>
#include <utility>

namespace ipusim::search {

namespace {

constexpr double kBeyond = 1.1;

}  // namespace

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool is_better = false;
  for (std::size_t o = 0; o < a.size(); ++o) {
    if (a[o] > b[o]) return false;
    is_better = is_better || a[o] < b[o];
  }
  return is_better;
}

bool Front::add(const Evaluator& evaluator, std::uint64_t number) {
  Outcome outcome = evaluator.outcomeOf(number);
  if (!outcome.feasible()) return false;
  const std::vector<double>& objectives = outcome.objectives;
  const auto better = std::find_if(points_.begin(), points_.end(), [&](const Point& point) {
    return dominates(point.objectives, objectives);
  });
  if (better != points_.end()) {
    std::iter_swap(better, points_.begin());  // a point that dominates many is compared first
    return false;
  }
  points_.erase(
      std::remove_if(points_.begin(), points_.end(),
                     [&](const Point& point) { return dominates(objectives, point.objectives); }),
      points_.end());
  points_.push_back({number, std::move(outcome.objectives)});
  return true;
}

std::vector<std::uint64_t> Front::numbers() const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(points_.size());
  for (const Point& point : points_) numbers.push_back(point.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Front frontOf(const Evaluator& evaluator, const std::vector<std::uint64_t>& numbers) {
  Front front;
  for (const std::uint64_t number : numbers) front.add(evaluator, number);
  return front;
}

Hypervolume::Hypervolume(const Front& front) {
  for (const Front::Point& point : front.points()) {
    const std::vector<double>& objectives = point.objectives;
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

double Hypervolume::of(const Front& front) const {
  std::vector<pagmo::vector_double> inside;
  for (const Front::Point& found : front.points()) {
    pagmo::vector_double point = found.objectives;
    for (std::size_t o = 0; o < point.size(); ++o) point[o] = (point[o] - best_[o]) / range_[o];
    const bool is_inside =
        std::all_of(point.begin(), point.end(), [](double value) { return value < kBeyond; });
    if (is_inside) inside.push_back(std::move(point));
  }
  if (inside.empty()) return 0;
  if (best_.size() == 1) {  // a length, which pagmo does not compute
    const auto best = std::min_element(inside.begin(), inside.end());
    return (kBeyond - best->front()) / kBeyond;
  }
  const pagmo::vector_double corner(best_.size(), kBeyond);
  return pagmo::hypervolume(inside).compute(corner) /
         std::pow(kBeyond, static_cast<double>(best_.size()));
}

}  // namespace ipusim::search
