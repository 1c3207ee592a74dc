// SPDX-License-Identifier: Apache-2.0
#include "base/files/scratch_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "ipusim/error.h"

namespace ipusim {

namespace {

/// What mkdtemp replaces with characters that no other name has.
constexpr std::size_t kReplaced = 6;

}  // namespace

ScratchFolder::ScratchFolder(std::string_view name) {
  std::string path = (std::filesystem::temp_directory_path() /
                      fmt::format("{}-{}", name, std::string(kReplaced, 'X')))
                         .string();
  if (mkdtemp(path.data()) == nullptr) {
    throw ConfigError(fmt::format("{}: wanted a new folder (TMPDIR names another place), found: {}",
                                  path, std::error_code(errno, std::generic_category()).message()));
  }
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code stays;
  std::filesystem::remove_all(path_, stays);
}

}  // namespace ipusim
