// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/standings.h"

#include <fmt/format.h>

#include <algorithm>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text/json.h"
#include "models/ipu/energy/price.h"
#include "sim/report/csv.h"

namespace ipusim::search {

namespace {

constexpr const char* kDraws = "_draws";

/// The objectives of a point in all draws, all to be minimised.
struct DrawnPoint {
  std::uint64_t number = 0;
  std::vector<double> medians;
  std::vector<std::vector<double>> draws;  ///< one list per objective; empty for an exact one

  [[nodiscard]] std::vector<double> at(std::size_t draw) const {
    std::vector<double> objectives = medians;
    for (std::size_t o = 0; o < objectives.size(); ++o) {
      if (!draws[o].empty()) objectives[o] = draws[o][draw];
    }
    return objectives;
  }
};

/// The numbers of a text with blanks between, with their sign changed where they are maximised.
std::vector<double> numbersIn(const std::string& text, bool maximize) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  std::vector<double> numbers;
  for (double number = 0; stream >> number;) numbers.push_back(maximize ? -number : number);
  return numbers;
}

DrawnPoint drawnPoint(const SearchOptions& options, const sweep::SweepStore& store,
                      const Front::Point& point) {
  DrawnPoint drawn{point.number, point.objectives, {}};
  const std::optional<sweep::PointResult> stored = store.find(point.number);
  const SortedJson result = stored ? SortedJson::parse(stored->result) : SortedJson::object();
  for (const Objective& objective : options.objectives) {
    const auto draws = result.find(objective.key + kDraws);
    drawn.draws.push_back(draws == result.end()
                              ? std::vector<double>()
                              : numbersIn(draws->get<std::string>(), objective.maximize));
  }
  return drawn;
}

/// How often no point of the front dominates each point, as a share of the draws.
std::vector<double> undominatedShares(const std::vector<DrawnPoint>& points,
                                      const std::vector<bool>& is_on_front, std::size_t draws) {
  std::vector<double> shares(points.size());
  for (std::size_t d = 0; d < draws; ++d) {
    std::vector<std::vector<double>> objectives;
    objectives.reserve(points.size());
    for (const DrawnPoint& point : points) objectives.push_back(point.at(d));
    for (std::size_t p = 0; p < points.size(); ++p) {
      bool is_dominated = false;
      for (std::size_t f = 0; f < points.size() && !is_dominated; ++f) {
        is_dominated = is_on_front[f] && dominates(objectives[f], objectives[p]);
      }
      if (!is_dominated) shares[p] += 1 / static_cast<double>(draws);
    }
  }
  return shares;
}

/// The first objective with draws; none without any.
std::optional<std::size_t> roughObjective(const std::vector<DrawnPoint>& points) {
  if (points.empty()) return std::nullopt;
  const auto& draws = points.front().draws;
  const auto found =
      std::find_if(draws.begin(), draws.end(), [](const auto& one) { return !one.empty(); });
  if (found == draws.end()) return std::nullopt;
  return static_cast<std::size_t>(found - draws.begin());
}

std::vector<DrawnPoint> drawnPoints(const SearchOptions& options, const sweep::SweepStore& store,
                                    const std::vector<Front::Point>& feasible) {
  std::vector<DrawnPoint> points;
  points.reserve(feasible.size());
  for (const Front::Point& point : feasible) points.push_back(drawnPoint(options, store, point));
  std::sort(points.begin(), points.end(), [](const DrawnPoint& a, const DrawnPoint& b) {
    return a.medians != b.medians ? a.medians < b.medians : a.number < b.number;
  });
  return points;
}

}  // namespace

std::vector<Standing> standings(const SearchOptions& options, const sweep::SweepStore& store,
                                const std::vector<Front::Point>& feasible,
                                const std::vector<std::uint64_t>& front) {
  const std::vector<DrawnPoint> points = drawnPoints(options, store, feasible);
  const std::optional<std::size_t> rough = roughObjective(points);
  if (!rough) return {};
  std::vector<bool> is_on_front;
  is_on_front.reserve(points.size());
  for (const DrawnPoint& point : points) {
    is_on_front.push_back(std::binary_search(front.begin(), front.end(), point.number));
  }
  const std::size_t draws = points.front().draws[*rough].size();
  const std::vector<double> shares = undominatedShares(points, is_on_front, draws);
  std::vector<Standing> shown;
  const std::vector<double>* last = nullptr;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (!is_on_front[p] && shares[p] <= kTieShare) continue;
    const std::vector<double>& drawn = points[p].draws[*rough];
    if (last != nullptr) shown.back().beats_next_share = energy::shareBelow(*last, drawn);
    shown.push_back({points[p].number, is_on_front[p], shares[p], {}, points[p].medians});
    last = &drawn;
  }
  return shown;
}

std::string standingsCsv(const sweep::Sweep& sweep, const SearchOptions& options,
                         const std::vector<Standing>& standings) {
  std::vector<std::string> header;
  for (const sweep::Axis* axis : sweep.axes()) header.push_back(axis->key);
  for (const Objective& objective : options.objectives) header.push_back(objective.key);
  for (const char* name : {"standing", "undominated_share", "beats_next_share"}) {
    header.emplace_back(name);
  }
  std::string text = report::csvLine(header);
  for (const Standing& standing : standings) {
    std::vector<std::string> cells;
    for (const sweep::AxisValue* value : sweep.valuesAt(standing.number))
      cells.push_back(value->shown);
    for (std::size_t o = 0; o < standing.objectives.size(); ++o) {
      const double sign = options.objectives[o].maximize ? -1 : 1;
      cells.push_back(fmt::format("{}", sign * standing.objectives[o]));
    }
    cells.emplace_back(standing.is_on_front ? "front" : "tie");
    cells.push_back(fmt::format("{:.3f}", standing.undominated_share));
    cells.push_back(standing.beats_next_share ? fmt::format("{:.3f}", *standing.beats_next_share)
                                              : "");
    text += report::csvLine(cells);
  }
  return text;
}

}  // namespace ipusim::search
