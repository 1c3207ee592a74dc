// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/config/errors_at.h"
#include "models/gpu/machine_fields.h"
#include "models/ipu/machine/machine_fields.h"
#include "sim/studies/calibrate/fragment_file.h"

namespace ipusim::calibrate {

namespace fs = std::filesystem;

using validate::Measurement;

namespace {

constexpr double kSmallest = 1e-16;
constexpr double kMostPercent = 100;
constexpr double kLeastPercent = 0.01;

/// What a preset allows for a key.
struct Field {
  double low;
  double high;
  bool whole;
};

template <typename Fields>
std::optional<Field> find(const Fields& fields, const std::string& key) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&key](const auto& field) { return field.key == key; });
  if (found == fields.end()) return std::nullopt;
  return Field{static_cast<double>(found->low), static_cast<double>(found->high), true};
}

std::optional<Field> fieldOf(Target target, const std::string& key) {
  if (target == Target::Machine) return find(machineFields(), key);
  std::optional<Field> field = find(gpu::machineFields(), key);
  if (!field) return field;
  for (const gpu::MachineField& known : gpu::machineFields()) {
    if (known.key == key) field->whole = known.number == gpu::Number::Whole;
  }
  return field;
}

FreeConstant readConstant(const ConfigReader& all, const std::string& key, Target target) {
  const std::optional<Field> field = fieldOf(target, key);
  if (!field) throw all.error(key, "a constant of a preset");
  const ConfigReader table = all.table(key);
  FreeConstant constant;
  constant.key = key;
  constant.whole = field->whole;
  const double least = std::max(field->low, kSmallest);
  constant.low = table.real("low", least, field->high);
  constant.high = table.real("high", constant.low, field->high);
  constant.start = table.real("start", constant.low, constant.high);
  constant.unit = table.text("unit");
  constant.source = table.text("source");
  return constant;
}

std::vector<FreeConstant> readConstants(const ConfigReader& config, Target target) {
  const ConfigReader table = config.table("constants");
  std::vector<FreeConstant> constants;
  for (const std::string& key : table.keys()) {
    constants.push_back(readConstant(table, key, target));
  }
  if (constants.empty()) throw config.error("constants", "at least one constant");
  return constants;
}

std::vector<Measurement> allRows(const ConfigReader& config) {
  if (!config.has("measurements")) {
    return validate::readMeasurements(validate::shippedMeasurements());
  }
  const fs::path file = config.path("measurements");
  return withErrorsAt(config, "measurements", [&] { return validate::readMeasurements(file); });
}

/// The rows that constants may be fitted to. All other rows are dropped.
std::vector<Measurement> calibrationRows(const ConfigReader& config) {
  std::vector<Measurement> rows = allRows(config);
  rows.erase(
      std::remove_if(rows.begin(), rows.end(),
                     [](const Measurement& row) { return row.role != validate::Role::Calibrate; }),
      rows.end());
  return rows;
}

std::vector<FitRow> readRows(const ConfigReader& config) {
  const std::vector<Measurement> known = calibrationRows(config);
  const ConfigReader table = config.table("rows");
  std::vector<FitRow> rows;
  for (const std::string& id : table.keys()) {
    const auto row = std::find_if(known.begin(), known.end(),
                                  [&id](const Measurement& one) { return one.id == id; });
    if (row == known.end()) {
      throw table.error(id, "the id of a row of the measurements whose role is calibrate");
    }
    const ConfigReader entry = table.table(id);
    rows.push_back({*row, entry.real("error_percent", kLeastPercent, kMostPercent)});
  }
  return rows;
}

}  // namespace

Calibration readCalibration(const ConfigReader& config) {
  Calibration calibration;
  calibration.target =
      config.choice("target", {"gpu", "machine"}) == "gpu" ? Target::Gpu : Target::Machine;
  calibration.fragment = fragmentOf(config);
  calibration.constants = readConstants(config, calibration.target);
  calibration.rows = readRows(config);
  config.expectAllRead();
  if (calibration.rows.size() < calibration.constants.size()) {
    throw config.error("rows", fmt::format("at least as many rows as constants, {}",
                                           calibration.constants.size()));
  }
  return calibration;
}

}  // namespace ipusim::calibrate
