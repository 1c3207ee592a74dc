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
// of each config of configs/parallel. After a change that is meant, IPUSIM_UPDATE_GOLDEN=1 ./ipusim
// test -L golden writes the file anew: read its diff.

namespace ipusim::parallel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path kTable = fs::path(IPUSIM_GOLDEN_DIR) / "parallel.csv";

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

std::string tableNow() {
  std::string text;
  for (const fs::path& config : listConfigFiles("configs/parallel")) {
    const ParallelTraining training = readParallel(ConfigReader::fromFile(config));
    const Json json = parallelJson(training, predictParallel(training, Engine::ClosedForm));
    std::size_t number = 0;
    for (const Json& stage : json.at("stages")) {
      Numbers numbers;
      numbers.add(stage, "");
      numbers.add(json.at("step"), "step.");
      numbers.add(json.at("collective"), "collective.");
      if (text.empty()) text = "config,stage" + numbers.columns + '\n';
      text += fmt::format("{},{}{}\n", config.stem().string(), number, numbers.cells);
      ++number;
    }
  }
  return text;
}

}  // namespace

TEST(ParallelTable, HasTheNumbersOfEachConfig) {
  const std::string found = tableNow();
  if (std::getenv("IPUSIM_UPDATE_GOLDEN") != nullptr) std::ofstream(kTable) << found;
  std::ostringstream kept;
  kept << std::ifstream(kTable).rdbuf();
  EXPECT_EQ(kept.str(), found);
}

}  // namespace ipusim::parallel
