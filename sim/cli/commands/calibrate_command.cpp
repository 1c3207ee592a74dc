// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/files/write_file.h"
#include "base/text/message.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/output_files.h"
#include "sim/cli/watch/progress.h"
#include "sim/cli/watch/terminal.h"
#include "sim/studies/calibrate/energy/report.h"
#include "sim/studies/calibrate/report.h"

namespace ipusim::cli {

namespace {

/// What a calibration prints, and the fragment that it writes.
struct CalibrationAnswer {
  std::string table;
  std::string fragment;
};

CalibrationAnswer fitted(const calibrate::Calibration& calibration) {
  const Progress progress(fmt::format("fitting {} constants to {} rows",
                                      calibration.constants.size(), calibration.rows.size()));
  const calibrate::CalibrationResult result = calibrate::calibrate(calibration);
  return {calibrate::tableText(calibration, result), calibrate::fragmentText(calibration, result)};
}

CalibrationAnswer fitted(const calibrate::EnergyCalibration& calibration) {
  const Progress progress(
      fmt::format("weighing {} draws by {} rows", calibration.draws, calibration.rows.size()));
  const calibrate::EnergyFit fit = calibrate::fitEnergy(calibration);
  return {calibrate::tableText(calibration, fit), calibrate::fragmentText(calibration, fit)};
}

template <typename Calibration>
ExitCode calibrated(const CalibrateArguments& arguments, const Calibration& calibration) {
  const std::filesystem::path file = arguments.out.value_or(calibration.fragment.string());
  if (!arguments.dry_run) expectWritableFile(file);
  const CalibrationAnswer answer = fitted(calibration);
  if (arguments.dry_run) {
    print(answer.table);
    return ExitCode::Done;
  }
  // The answer comes last: it would say that all is well where the file cannot be written.
  writeFile(file, answer.fragment);
  print(fmt::format("{}Written: {}\n", answer.table, oneLine(file.string(), kPathLength)));
  return ExitCode::Done;
}

}  // namespace

ExitCode calibrateCommand(const CalibrateArguments& arguments) {
  OutputFiles().add("--out", arguments.out).expectApart({arguments.file});
  const CacheInUse cache(arguments.cache);
  const ConfigReader config =
      ConfigReader::fromFile(findConfigFile(arguments.file, {}), arguments.overrides);
  return calibrate::isOfEnergy(config)
             ? calibrated(arguments, calibrate::readEnergyCalibration(config))
             : calibrated(arguments, calibrate::readCalibration(config));
}

}  // namespace ipusim::cli
