// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_reader.h"
#include "sim/studies/validate/measurement.h"

namespace ipusim::calibrate {

/// How a file that a calibration wrote begins; no other one is written over.
inline constexpr std::string_view kFragmentMark =
    "# Written by `ipusim calibrate`; a preset includes it.\n";

/// Whose constants are fitted.
enum class Target : std::uint8_t { Machine, Gpu };

/// A constant of a preset, and where it may lie.
struct FreeConstant {
  std::string key;
  double start = 0;
  double low = 0;
  double high = 0;
  bool whole = false;  ///< the preset takes whole numbers only
  std::string unit;
  std::string source;  ///< what the preset shall say
};

/// A published value to be met, and how well it is known.
struct FitRow {
  validate::Measurement measurement;  ///< its role is calibrate
  double error_percent = 0;           ///< standard error of the published value
};

/// A calibration file: constants, rows, and where the result goes.
struct Calibration {
  Target target = Target::Gpu;
  std::filesystem::path fragment;  ///< a TOML file that a preset includes, of ours or to be made
  std::vector<FreeConstant> constants;
  std::vector<FitRow> rows;
};

/// Reads
///
///   target = "gpu"                          # or "machine"
///   fragment = "fitted/a30.toml"
///   measurements = "mine.csv"               # those of configs/measurements unless said
///   [rows]
///   SK-T2-03 = { error_percent = 3 }
///   [constants.fp32_tile_base]
///   start = 1.0, low = 0.5, high = 2.0, unit = "1", source = "..."
///
/// The fragment lies below the folder of the file, by no link and no `..`, and is not there yet or
/// was written by a calibration: a file from somebody else shall write over nothing. Of the
/// measurements only rows with the role calibrate are kept; one that is named and has another role
/// is a ConfigError, as are fewer rows than constants and a constant that no preset has.
Calibration readCalibration(const ConfigReader& config);

}  // namespace ipusim::calibrate
