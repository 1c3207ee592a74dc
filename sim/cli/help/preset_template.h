// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ipusim::cli {

/// The kinds of presets, which presetTemplate takes: gpu, machine and system.
std::vector<std::string> presetTemplateNames();

/// A preset that holds as it is: all numbers of a shipped one, with what the reference says of each
/// key. `name` must be one of presetTemplateNames().
std::string presetTemplate(const std::string& name);

}  // namespace ipusim::cli
