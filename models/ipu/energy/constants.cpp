// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/constants.h"

#include <optional>

namespace ipusim::energy {

namespace {

constexpr const char* kConstantsFile = "configs/energy/gc200.toml";
/// No constant is beyond these values in its unit. They keep all products finite.
constexpr double kLeast = 1e-6;
constexpr double kMost = 1e6;

constexpr std::array<const char*, kConstants> kKeys = {
    "leakage_watts",
    "die_celsius",
    "clock_picojoules",
    "issue_picojoules",
    "half_mac_picojoules",
    "float_mac_picojoules",
    "flop_picojoules",
    "sram_picojoules_per_byte",
    "wire_picojoules_per_bit_mm",
    "path_factor",
    "sync_picojoules",
    "link_picojoules_per_bit",
    "host_picojoules_per_bit",
    "streaming_picojoules_per_bit",
    "platform_watts",
    "bow_voltage_square",
    "sram_share",
    "processor_share",
    "amp_share",
    "lanes",
    "lane_mm2",
    "other_mm2",
};

std::optional<Constant> constantOf(const std::string& key) {
  for (const Constant constant : allConstants()) {
    if (key == keyOf(constant)) return constant;
  }
  return std::nullopt;
}

void readCorrelations(const ConfigReader& entry, Constant constant, Constants& constants) {
  const ConfigReader table = entry.table("correlations");
  for (const std::string& key : table.keys()) {
    const std::optional<Constant> other = constantOf(key);
    if (!other || *other >= constant) throw table.error(key, "a constant above this one");
    constants.correlations.push_back({constant, *other, table.real(key, -1, 1)});
  }
}

void readBand(const ConfigReader& file, Constant constant, Constants& constants) {
  const ConfigReader entry = file.table(keyOf(constant));
  Band& band = constants.bands[static_cast<std::size_t>(constant)];
  band.low = entry.real("low", kLeast, kMost);
  band.median = entry.real("median", band.low, kMost);
  band.high = entry.real("high", band.median, kMost);
  const bool normal = entry.choice("shape", {"lognormal", "normal"}, "lognormal") == "normal";
  band.shape = normal ? Shape::Normal : Shape::Lognormal;
  band.source = entry.text("source");
  band.identified_by = entry.text("identified_by");
  if (entry.has("correlations")) readCorrelations(entry, constant, constants);
}

}  // namespace

const char* keyOf(Constant constant) {
  return kKeys[static_cast<std::size_t>(constant)];
}

const std::array<Constant, kConstants>& allConstants() {
  static const auto kAll = [] {
    std::array<Constant, kConstants> all{};
    for (std::size_t i = 0; i < kConstants; ++i) all[i] = static_cast<Constant>(i);
    return all;
  }();
  return kAll;
}

Constants readPriors(const ConfigReader& file) {
  Constants constants;
  for (const Constant constant : allConstants()) readBand(file, constant, constants);
  if (file.has("include")) static_cast<void>(file.text("include"));
  file.expectAllRead();
  return constants;
}

Constants readConstants(const ConfigReader& file) {
  Constants constants = readPriors(file);
  if (!file.has("include")) return constants;
  const ConfigReader fitted = ConfigReader::fromFile(file.path("include"));
  for (const Constant constant : allConstants()) {
    if (fitted.has(keyOf(constant))) readBand(fitted, constant, constants);
  }
  fitted.expectAllRead();
  return constants;
}

std::vector<std::filesystem::path> constantFiles() {
  const std::filesystem::path file = findConfigFile(kConstantsFile, {});
  return {file, ConfigReader::fromFile(file).path("include")};
}

const Constants& shippedConstants() {
  static const Constants kShipped =
      readConstants(ConfigReader::fromFile(findConfigFile(kConstantsFile, {})));
  return kShipped;
}

}  // namespace ipusim::energy
