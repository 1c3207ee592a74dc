// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/search_options.h"

#include <algorithm>

namespace ipusim::search {

namespace {

constexpr std::uint64_t kMostEvaluations = 1'000'000;
constexpr std::uint64_t kUsualEvaluations = 400;
constexpr std::uint64_t kFewestInPopulation = 8;
constexpr std::uint64_t kMostInPopulation = 10'000;
constexpr std::uint64_t kUsualPopulation = 40;
constexpr std::uint64_t kPopulationStep = 4;  // NSGA-II mates by fours
constexpr std::uint64_t kMostSeed = 0xffffffff;
constexpr std::uint64_t kUsualSeed = 1;

std::vector<Objective> objectivesOf(const ConfigReader& table) {
  std::vector<Objective> objectives;
  for (const std::string& key : table.texts("minimize", {})) objectives.push_back({key, false});
  for (const std::string& key : table.texts("maximize", {})) objectives.push_back({key, true});
  if (objectives.empty()) {
    const char* key = table.has("minimize") || !table.has("maximize") ? "minimize" : "maximize";
    throw table.error(key, "an objective or more together with those of the other list");
  }
  return objectives;
}

std::optional<Algorithm> algorithmOf(const ConfigReader& table) {
  const std::string name =
      table.choice("algorithm", {"nsga2", "moead", "random", "bisect"}, "nsga2");
  if (!table.has("algorithm")) return std::nullopt;
  if (name == "random") return Algorithm::Random;
  if (name == "bisect") return Algorithm::Bisect;
  return name == "moead" ? Algorithm::Moead : Algorithm::Nsga2;
}

}  // namespace

SearchOptions readSearchOptions(const ConfigReader& config) {
  const ConfigReader table = config.table("explore");
  SearchOptions options;
  options.place = config.place("explore");
  options.objectives = objectivesOf(table);
  for (const std::string& text : table.texts("constraints", {"fits"})) {
    options.constraints.emplace_back(text, table.place("constraints"));
  }
  options.algorithm = algorithmOf(table);
  options.population =
      table.whole("population", kFewestInPopulation, kMostInPopulation, kUsualPopulation);
  if (options.population % kPopulationStep != 0) throw table.error("population", "a multiple of 4");
  options.evaluations =
      table.whole("evaluations", options.population, kMostEvaluations, kUsualEvaluations);
  options.seed = static_cast<std::uint32_t>(table.whole("seed", 0, kMostSeed, kUsualSeed));
  for (const std::string& key : table.keys()) {
    const std::vector<std::string> known = {"minimize",   "maximize",    "constraints", "algorithm",
                                            "population", "evaluations", "seed"};
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw table.error(key,
                        "no key but minimize, maximize, constraints, algorithm, population, "
                        "evaluations and seed");
    }
  }
  return options;
}

}  // namespace ipusim::search
