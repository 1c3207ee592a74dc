// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/message.h"
#include "base/write_file.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"
#include "sim/studies/calibrate/report.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kPathLength = 4096;

}  // namespace

ExitCode calibrateCommand(const CalibrateArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  const calibrate::Calibration calibration = calibrate::readCalibration(
      ConfigReader::fromFile(findConfigFile(arguments.file, {}), arguments.overrides));
  const std::filesystem::path file = arguments.out.value_or(calibration.fragment.string());
  if (!arguments.dry_run) expectWritableFile(file);
  calibrate::CalibrationResult result;
  {
    const Progress progress(fmt::format("fitting {} constants to {} rows",
                                        calibration.constants.size(), calibration.rows.size()));
    result = calibrate::calibrate(calibration);
  }
  print(calibrate::tableText(calibration, result));
  if (arguments.dry_run) return ExitCode::Done;
  writeFile(file, calibrate::fragmentText(calibration, result));
  print(fmt::format("Written: {}\n", oneLine(file.string(), kPathLength)));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
