// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ipusim {

/// The folder whose `configs/` holds the shipped files; empty where there is none.
///
/// The environment variable IPUSIM_HOME names the folder. When it is not set, it is the folder that
/// `ipusim poplar` built into the program. In any other program the search starts at
/// the file that holds this code, the program or a shared library. The home folder is then the
/// nearest folder above that file with `share/ipusim/configs` (an installed tree) or with
/// `configs/machines` (a source tree with its build).
std::filesystem::path homeFolder();

/// The place of `path` in the home folder, as messages show it.
std::string placeAtHome(const std::string& path);

}  // namespace ipusim
