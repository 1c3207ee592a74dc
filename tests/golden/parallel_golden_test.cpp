// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/config_reader.h"
#include "sim/parallel/pipeline/report.h"

// Detects any number of training on several IPUs that changed. parallel.csv has one row per stage
// of each config of configs/parallel that has stages, and phases.csv one row per phase of each
// other config. After a change that is meant, IPUSIM_UPDATE_GOLDEN=1 ./ipusim test -L golden writes
// the file anew: read its diff.

namespace ipusim::parallel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path kStages = fs::path(IPUSIM_GOLDEN_DIR) / "parallel.csv";
const fs::path kPhases = fs::path(IPUSIM_GOLDEN_DIR) / "phases.csv";

/// The numbers of an object, in order.
struct Numbers {
  std::string columns;
  std::string cells;

  void add(const Json& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items()) {
      if (value.is_object()) {
        add(value, prefix + key + '.');
      } else if (value.is_number()) {
        columns += fmt::format(",{}{}", prefix, key);
        cells += fmt::format(",{}", value.dump());
      }
    }
  }
};

/// Adds a row for each stage or phase, with the numbers of the whole step.
void addRows(const Json& json, const std::string& config, const std::string& member_name,
             std::string& text) {
  std::size_t number = 0;
  for (const Json& member : json.at(member_name + "s")) {
    Numbers numbers;
    numbers.add(member, "");
    numbers.add(json.at("step"), "step.");
    numbers.add(json.at("collective"), "collective.");
    if (text.empty()) text = fmt::format("config,{}{}\n", member_name, numbers.columns);
    text += fmt::format("{},{}{}\n", config, number, numbers.cells);
    ++number;
  }
}

void expectKept(const std::string& found, const fs::path& table) {
  if (std::getenv("IPUSIM_UPDATE_GOLDEN") != nullptr) std::ofstream(table) << found;
  std::ostringstream kept;
  kept << std::ifstream(table).rdbuf();
  EXPECT_EQ(kept.str(), found);
}

}  // namespace

TEST(ParallelTable, HasTheNumbersOfEachConfig) {
  std::string stages;
  std::string phases;
  for (const fs::path& config : listConfigFiles("configs/parallel")) {
    const ParallelTraining training = readParallel(ConfigReader::fromFile(config));
    const Json json = parallelJson(training, predictParallel(training, Engine::ClosedForm));
    const bool has_phases = json.contains("phases");
    addRows(json, config.stem().string(), has_phases ? "phase" : "stage",
            has_phases ? phases : stages);
  }
  expectKept(stages, kStages);
  expectKept(phases, kPhases);
}

}  // namespace ipusim::parallel
