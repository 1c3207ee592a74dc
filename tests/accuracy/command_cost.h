// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/run/host_cost.h"

// What a command of the program takes of this computer: estimated, and measured.

namespace ipusim::run {

/// The words of a command line without the program's name: `run` or `check`, a config, overrides.
using CommandWords = std::vector<std::string>;

/// What the program would say of a command on one core before most of its work is done: where a
/// formula speaks before the graph is built, what the formula says.
HostCost estimatedCost(const CommandWords& command);

/// Runs a command, with the closed form and without advice. Returns its processor time, which does
/// not depend on what else the computer does, and its peak memory. The system counts no less than
/// the memory that this program holds at the time.
HostCost measuredCost(const CommandWords& command);

}  // namespace ipusim::run
