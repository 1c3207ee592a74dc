// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config_reader.h"

namespace ipusim::cli {

/// True when the ending of the name is that of a trace.
bool isTrace(const std::string& file);

/// A run config that a user named. For a trace, the config runs the trace on the machine that the
/// trace was made for, and `limits` are what the trace may hold, as `tiles=8`.
ConfigReader readRunConfig(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits = {});

}  // namespace ipusim::cli
