// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/csv.h"
#include "sim/studies/search/genome.h"

namespace ipusim::search {

namespace {

constexpr std::uint64_t kStepsOfAnAxis = 20;
constexpr std::uint64_t kMostCategories = 8;

/// A dimension, and how much the number of a point grows along it.
struct Direction {
  const sweep::Dimension* dimension;
  std::uint64_t stride;

  [[nodiscard]] std::uint64_t indexAt(std::uint64_t number) const {
    return number / stride % dimension->count();
  }
  [[nodiscard]] std::uint64_t moved(std::uint64_t number, std::uint64_t index) const {
    return number - indexAt(number) * stride + index * stride;
  }
  [[nodiscard]] std::string valueAt(std::uint64_t number) const {
    std::string text;
    for (const sweep::Axis& axis : dimension->axes) {
      text += (text.empty() ? "" : " ") + axis.values[indexAt(number)].shown;
    }
    return text;
  }
  [[nodiscard]] std::string name() const {
    std::string text;
    for (const sweep::Axis& axis : dimension->axes) text += (text.empty() ? "" : " ") + axis.key;
    return text;
  }
};

std::vector<Direction> directionsOf(const sweep::Sweep& sweep) {
  std::vector<Direction> directions;
  std::uint64_t stride = sweep.numbers();
  for (const sweep::Dimension& dimension : sweep.dimensions) {
    stride /= dimension.count();
    if (dimension.count() > 1) directions.push_back({&dimension, stride});
  }
  return directions;
}

std::vector<std::uint64_t> neighboursOf(const Direction& direction, std::uint64_t number) {
  const std::uint64_t count = direction.dimension->count();
  const std::uint64_t index = direction.indexAt(number);
  std::vector<std::uint64_t> neighbours;
  if (kindOf(*direction.dimension) == sweep::AxisKind::Categorical) {
    for (std::uint64_t other = 0; other < std::min(count, kMostCategories); ++other) {
      if (other != index) neighbours.push_back(direction.moved(number, other));
    }
    return neighbours;
  }
  const std::uint64_t step = std::max<std::uint64_t>(1, count / kStepsOfAnAxis);
  if (index >= step) neighbours.push_back(direction.moved(number, index - step));
  if (index + step < count) neighbours.push_back(direction.moved(number, index + step));
  return neighbours;
}

double percentOf(double from, double to) {
  if (from == to) return 0;
  constexpr double kWhole = 100;
  return from == 0 ? std::copysign(kWhole, to) : kWhole * (to - from) / std::abs(from);
}

/// The rows of one direction.
class Moves {
 public:
  Moves(const SearchOptions& options, const Direction& direction) : direction_(direction) {
    for (const Objective& objective : options.objectives) {
      Sensitivity row;
      row.axes = direction.name();
      row.objective = objective.key;
      rows_.push_back(std::move(row));
      signs_.push_back(objective.maximize ? -1 : 1);
    }
  }

  void add(const Evaluator& evaluator, std::uint64_t point, std::uint64_t neighbour) {
    const Outcome from = evaluator.outcomeOf(point);
    const Outcome to = evaluator.outcomeOf(neighbour);
    for (std::size_t o = 0; o < rows_.size(); ++o) {
      Sensitivity& row = rows_[o];
      if (!to.feasible()) {
        ++row.infeasible;
        continue;
      }
      const double percent =
          percentOf(signs_[o] * from.objectives[o], signs_[o] * to.objectives[o]);
      row.mean_percent += std::abs(percent);  // a sum, which is divided at the end
      ++row.neighbours;
      if (row.neighbours > 1 && std::abs(percent) <= std::abs(row.largest_percent)) continue;
      row.largest_percent = percent;
      row.from = direction_.valueAt(point);
      row.to = direction_.valueAt(neighbour);
    }
  }

  [[nodiscard]] std::vector<Sensitivity> rows() const {
    std::vector<Sensitivity> rows = rows_;
    for (Sensitivity& row : rows) {
      if (row.neighbours > 0) row.mean_percent /= static_cast<double>(row.neighbours);
    }
    return rows;
  }

 private:
  const Direction& direction_;
  std::vector<Sensitivity> rows_;
  std::vector<double> signs_;
};

}  // namespace

std::vector<std::uint64_t> bestPoints(const Evaluator& evaluator,
                                      const std::vector<std::uint64_t>& front) {
  if (front.empty()) return {};
  const std::size_t objectives = evaluator.outcomeOf(front.front()).objectives.size();
  std::vector<double> best(objectives, HUGE_VAL);
  std::vector<double> worst(objectives, -HUGE_VAL);
  std::vector<std::uint64_t> points(objectives, front.front());
  for (const std::uint64_t number : front) {
    const Outcome outcome = evaluator.outcomeOf(number);
    for (std::size_t o = 0; o < objectives; ++o) {
      if (outcome.objectives[o] < best[o]) points[o] = number;
      best[o] = std::min(best[o], outcome.objectives[o]);
      worst[o] = std::max(worst[o], outcome.objectives[o]);
    }
  }
  const auto distance = [&](std::uint64_t number) {
    const Outcome outcome = evaluator.outcomeOf(number);
    double sum = 0;
    for (std::size_t o = 0; o < objectives; ++o) {
      const double range = std::max(worst[o] - best[o], 1e-300);
      sum += std::pow((outcome.objectives[o] - best[o]) / range, 2);
    }
    return sum;
  };
  points.push_back(*std::min_element(front.begin(), front.end(),
                                     [&](auto a, auto b) { return distance(a) < distance(b); }));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::vector<Sensitivity> sensitivities(const sweep::Sweep& sweep, const SearchOptions& options,
                                       const std::vector<std::uint64_t>& points,
                                       Evaluator& evaluator) {
  const std::vector<Direction> directions = directionsOf(sweep);
  std::vector<std::uint64_t> wanted = points;
  for (const Direction& direction : directions) {
    for (const std::uint64_t point : points) {
      const std::vector<std::uint64_t> neighbours = neighboursOf(direction, point);
      wanted.insert(wanted.end(), neighbours.begin(), neighbours.end());
    }
  }
  evaluator.extendBudget(wanted.size());
  evaluator.look(wanted);
  std::vector<Sensitivity> rows;
  for (const Direction& direction : directions) {
    Moves moves(options, direction);
    for (const std::uint64_t point : points) {
      for (const std::uint64_t neighbour : neighboursOf(direction, point)) {
        moves.add(evaluator, point, neighbour);
      }
    }
    const std::vector<Sensitivity> of_direction = moves.rows();
    rows.insert(rows.end(), of_direction.begin(), of_direction.end());
  }
  return rows;
}

std::string sensitivityCsv(const std::vector<Sensitivity>& rows) {
  std::string text = "axes,objective,neighbours,infeasible,mean_percent,largest_percent,from,to\n";
  for (const Sensitivity& row : rows) {
    text +=
        report::csvLine({row.axes, row.objective, std::to_string(row.neighbours),
                         std::to_string(row.infeasible), fmt::format("{:.4g}", row.mean_percent),
                         fmt::format("{:.4g}", row.largest_percent), row.from, row.to});
  }
  return text;
}

}  // namespace ipusim::search
