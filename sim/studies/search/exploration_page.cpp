// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/exploration_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "sim/studies/sweep/points_page.h"

namespace ipusim::search {

namespace {

Json objectivesData(const SearchOptions& options) {
  Json data = Json::array();
  for (const Objective& objective : options.objectives) {
    data.push_back({{"key", objective.key}, {"maximize", objective.maximize}});
  }
  return data;
}

Json sensitivitiesData(const std::vector<Sensitivity>& rows) {
  Json data = Json::array();
  for (const Sensitivity& row : rows) {
    data.push_back({{"axes", row.axes},
                    {"objective", row.objective},
                    {"neighbours", row.neighbours},
                    {"infeasible", row.infeasible},
                    {"mean_percent", row.mean_percent},
                    {"largest_percent", row.largest_percent},
                    {"from", row.from},
                    {"to", row.to}});
  }
  return data;
}

Json generationsData(const std::vector<Generation>& generations) {
  Json data = Json::array();
  for (const Generation& generation : generations) {
    data.push_back({{"seen", generation.seen},
                    {"front", generation.front},
                    {"hypervolume", generation.hypervolume}});
  }
  return data;
}

}  // namespace

Json explorationPageData(const std::string& name, const sweep::Sweep& sweep,
                         const SearchOptions& options, const sweep::SweepStore& store,
                         const Exploration& found) {
  const sweep::Wanted on_front = [&found](std::uint64_t point) {
    return std::binary_search(found.front.begin(), found.front.end(), point);
  };
  Json data = sweep::pointsPageData(name, sweep, store, on_front);
  data["search"] = {{"objectives", objectivesData(options)},
                    {"front", found.front},
                    {"generations", generationsData(found.generations)},
                    {"sensitivities", sensitivitiesData(found.sensitivities)}};
  return data;
}

}  // namespace ipusim::search
