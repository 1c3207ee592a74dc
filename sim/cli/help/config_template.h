// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ipusim::cli {

/// The sections of the reference that are whole configs.
std::vector<std::string> wholeSections();

/// The names that configTemplate takes: presetTemplateNames(), then wholeSections().
std::vector<std::string> templateNames();

/// A preset, for a name of presetTemplateNames(). Else a config that runs: the first example of
/// that section of the reference, with what the reference says of each key, and the keys that it
/// leaves out as comments. Throws ConfigError for a name that is none of templateNames().
std::string configTemplate(const std::string& name);

}  // namespace ipusim::cli
