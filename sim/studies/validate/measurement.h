// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/config/words.h"
#include "sim/studies/validate/metric.h"
#include "sim/studies/validate/run_set.h"

namespace ipusim::validate {

/// What a published number may be used for.
enum class Role : std::uint8_t {
  Calibrate,  ///< a constant is fitted to it
  Validate,   ///< nothing is fitted to it
  Constant,   ///< it follows from the config or the preset; it checks those and is no prediction
};

constexpr Words<Role, 3> kRoleWords{
    {{Role::Calibrate, "calibrate"}, {Role::Validate, "validate"}, {Role::Constant, "constant"}}};
inline const char* nameOf(Role role) {
  return wordOf(role, kRoleWords);
}

/// A published number, the runs that it belongs to, and the metric that it is compared with.
struct Measurement {
  std::filesystem::path file;  ///< the file of the row: configs are searched beside it first
  std::string id;
  std::string machine;  ///< a label
  std::string kind;     ///< rows of one kind are counted together
  RunSet runs;
  Metric metric;
  double value = 0;  ///< in the unit of the metric; not zero
  std::string unit;
  Role role = Role::Validate;
  std::string source;
  std::string locator;
  std::string note;
};

/// Reads a CSV file with the columns id, machine, kind, config, metric, value, unit, role, source,
/// locator and note, in any order. Throws ConfigError: "file:line: column: wanted …, found …".
std::vector<Measurement> readMeasurements(const std::filesystem::path& file);

/// The measurement files of configs/measurements, sorted by name. Throws ConfigError when there are
/// none.
std::vector<std::filesystem::path> shippedMeasurements();

/// The rows of several files, one after the other.
std::vector<Measurement> readMeasurements(const std::vector<std::filesystem::path>& files);

}  // namespace ipusim::validate
