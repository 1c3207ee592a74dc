// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ipusim {

/// The folder whose `configs/` are the shipped ones. IPUSIM_HOME names it. Where that is not set,
/// the file that this code runs from tells it, which is the program or a shared library: of the
/// folders above that file, the nearest one with `share/ipusim/configs` (an installed tree) or with
/// `configs/machines` (a source tree with its build). Empty where there is none.
std::filesystem::path homeFolder();

/// Where `path` was sought in that folder, as a message says it.
std::string placeAtHome(const std::string& path);

}  // namespace ipusim
