// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/fragment_file.h"

#include <algorithm>

#include "base/config/errors_at.h"
#include "sim/studies/calibrate/calibration.h"

namespace ipusim::calibrate {

namespace fs = std::filesystem;

namespace {

bool leadsBelow(const fs::path& named) {
  const bool climbs = std::find(named.begin(), named.end(), "..") != named.end();
  return named.is_relative() && named.has_filename() && !climbs &&
         named.string().find('\0') == std::string::npos;
}

/// True when no link stands in the existing part of the path.
bool hasNoLink(const fs::path& folder, const fs::path& named) {
  std::error_code unreachable;
  const fs::path there = fs::weakly_canonical(folder / named, unreachable);
  if (unreachable) return false;
  return there == fs::weakly_canonical(folder, unreachable) / named.lexically_normal();
}

bool isOfACalibration(const fs::path& file) {
  std::error_code unreachable;
  const fs::file_type type = fs::symlink_status(file, unreachable).type();
  if (type != fs::file_type::regular) return type == fs::file_type::not_found;
  return readConfigText(file).rfind(kFragmentMark, 0) == 0;
}

}  // namespace

fs::path fragmentOf(const ConfigReader& config) {
  const fs::path named = config.text("fragment");
  const fs::path folder = config.file().has_parent_path() ? config.file().parent_path() : ".";
  if (!leadsBelow(named) || !hasNoLink(folder, named)) {
    throw config.error("fragment", "a file below the folder of this one, by no link and no ..");
  }
  if (!withErrorsAt(config, "fragment", [&] { return isOfACalibration(folder / named); })) {
    throw config.error("fragment", "a file that ipusim calibrate wrote, or none yet");
  }
  return folder / named;
}

}  // namespace ipusim::calibrate
