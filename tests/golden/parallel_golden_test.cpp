// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/config/config_reader.h"
#include "sim/parallel/pipeline/report.h"

// Detects any number of training on several IPUs that changed. parallel.csv has one row per stage
// of each config of configs/parallel that has stages, and phases.csv one row per phase of each
// other config. compressed.csv has those of networks whose activations are coded or spill. After a
// change that is meant, IPUSIM_UPDATE_GOLDEN=1 ./ipusim test -L golden writes the file anew: read
// its diff.

namespace ipusim::parallel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path kStages = fs::path(IPUSIM_GOLDEN_DIR) / "parallel.csv";
const fs::path kPhases = fs::path(IPUSIM_GOLDEN_DIR) / "phases.csv";
const fs::path kCompressed = fs::path(IPUSIM_GOLDEN_DIR) / "compressed.csv";

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

struct CompressedCase {
  const char* name;
  const char* config;
  std::vector<Override> changes;
};

/// On IPUs of 64 tiles a batch of 512 and 1,024 rows does what 32,768 do on a whole one.
std::vector<CompressedCase> compressedCases() {
  const Override few_tiles{
      "machine",
      R"({base = "pod16", ipu = {base = "gc200", tiles = 64, sram_per_tile_bytes = 800000}})"};
  const Override batch{"workload.batch", "1024"};
  const Override small{"workload.batch", "512"};
  const Override stages{"parallel.stages", "2"};
  const Override modules{"parallel.modules", "[8, 10]"};
  return {{"spill", "mlp", {few_tiles, batch, {"workload.compress.codec", "none"}}},
          {"codes", "mlp", {few_tiles, batch}},
          {"codes_in_stages", "mlp", {few_tiles, small, stages, modules}},
          {"one_layer", "shl", {}}};
}

TEST(CompressedTable, HasTheNumbersOfCodesAndOfSpilling) {
  std::string rows;
  for (const CompressedCase& one : compressedCases()) {
    const fs::path file =
        findConfigFile(fmt::format("configs/compression/{}.toml", one.config), {});
    const ParallelTraining training = readParallel(ConfigReader::fromFile(file, one.changes));
    addRows(parallelJson(training, predictParallel(training, Engine::ClosedForm)), one.name,
            "stage", rows);
  }
  expectKept(rows, kCompressed);
}

}  // namespace ipusim::parallel
