// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"
#include "models/ipu/system/machine_reader.h"

namespace ipusim::parallel {

namespace {

constexpr std::uint64_t kMostCases = 100'000;
constexpr std::uint64_t kMostDevices = 1024;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 50U;

/// Calls `read`, and puts the place of the key before what it refuses.
template <typename Read>
auto readAt(const ConfigReader& config, std::string_view key, const Read& read) {
  try {
    return read();
  } catch (const ConfigError& error) {
    throw ConfigError(config.place(key) + ": " + error.what());
  }
}

/// A system, where the name is one of configs/systems or the file has the key `ipu`.
bool namesSystem(const ConfigReader& config) {
  const std::optional<std::string> name = config.isTable("machine")
                                              ? config.table("machine").peekText("base")
                                              : config.peekText("machine");
  if (!name) return false;
  const std::vector<std::string> names = podNames();
  if (std::find(names.begin(), names.end(), *name) != names.end()) return true;
  const std::vector<std::string> machines = presetNames();
  const bool is_preset = std::find(machines.begin(), machines.end(), *name) != machines.end();
  if (is_preset || name->find(".toml") == std::string::npos) return false;
  return ConfigReader::fromFile(findConfigFile(*name, config.file())).has("ipu");
}

Place readPlace(const ConfigReader& config) {
  if (namesSystem(config)) return readPod(config, "machine");
  return readMachine(config);
}

Redistribution readTypes(const ConfigReader& table) {
  Redistribution asked;
  asked.mesh = readAt(table, "mesh", [&] { return parseMesh(table.text("mesh")); });
  const auto type = [&](const char* key) {
    const std::string text = table.text(key);
    return readAt(table, key, [&] { return parseType(text, asked.mesh); });
  };
  const auto spec = [&](const char* key, const std::vector<std::uint64_t>& shape) {
    const std::string text = table.text(key);
    return readAt(table, key, [&] { return parseSpec(text, shape, asked.mesh); });
  };
  if (table.has("shape")) {
    const std::vector<std::uint64_t> shape = table.wholes("shape", 1, kMostElements);
    asked.source = spec("source_spec", shape);
    asked.target = spec("target_spec", shape);
  } else {
    asked.source = type("source");
    asked.target = type("target");
  }
  return asked;
}

RandomCases readRandom(const ConfigReader& table) {
  return {table.whole("random_cases", 1, kMostCases), table.whole("seed", 0, kMostElements, 1),
          static_cast<std::uint32_t>(table.whole("devices", 2, kMostDevices))};
}

}  // namespace

RedistributionJob readJob(const ConfigReader& config) {
  RedistributionJob job{readPlace(config), ElementType::Float, {}};
  const ConfigReader table = config.table("redistribution");
  job.type = table.choice("type", {"half", "float"}, "float") == "half" ? ElementType::Half
                                                                        : ElementType::Float;
  if (table.has("random_cases")) {
    job.asked = readRandom(table);
  } else {
    job.asked = readTypes(table);
  }
  config.expectAllRead();
  return job;
}

}  // namespace ipusim::parallel
