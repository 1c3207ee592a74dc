// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/run/run_result.h"

// The parts of the table that are about the layers of a network.

namespace ipusim::report {

/// What each layer takes. Empty for a run without layers.
std::string layersText(const run::RunResult& result);

/// That layers are programs of their own, and what their sum leaves out. Empty for other runs.
std::string separateText(const run::RunResult& result);

}  // namespace ipusim::report
