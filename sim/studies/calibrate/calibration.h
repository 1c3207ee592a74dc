// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/studies/validate/measurement.h"

namespace ipusim::calibrate {

/// The first line of every file that a calibration wrote. A calibration overwrites no other file.
inline constexpr std::string_view kFragmentMark =
    "# Written by `ipusim calibrate`; a preset includes it.\n";

/// Which model has the fitted constants.
enum class Target : std::uint8_t { Machine, Gpu };

/// A constant of a preset, with the bounds of the fit.
struct FreeConstant {
  std::string key;
  double start = 0;
  double low = 0;
  double high = 0;
  bool whole = false;  ///< true when the preset takes whole numbers only
  std::string unit;
  std::string source;  ///< the source that the preset will name
};

/// A published value that the fit has to meet, with its standard error.
struct FitRow {
  validate::Measurement measurement;  ///< its role is calibrate
  double error_percent = 0;           ///< standard error of the published value
};

/// A calibration file: constants, rows, and where the result goes.
struct Calibration {
  Target target = Target::Gpu;
  std::filesystem::path fragment;  ///< a TOML file that a preset includes; it is new, or an earlier
                                   ///< calibration wrote it
  std::vector<FreeConstant> constants;
  std::vector<FitRow> rows;
};

/// Reads a file such as
///
///   target = "gpu"                          # or "machine"
///   fragment = "fitted/a30.toml"
///   measurements = "mine.csv"               # default: those of configs/measurements
///   [rows]
///   SK-T2-03 = { error_percent = 3 }
///   [constants.fp32_tile_base]
///   start = 1.0, low = 0.5, high = 2.0, unit = "1", source = "..."
///
/// The fragment must be below the folder of the file, without links and `..`. It must be new, or
/// written by an earlier calibration, so that a file from somebody else overwrites nothing. Only
/// rows with the role calibrate count. Throws ConfigError when a named row has another role, when
/// there are fewer rows than constants, and when no preset has a constant.
Calibration readCalibration(const ConfigReader& config);

}  // namespace ipusim::calibrate
