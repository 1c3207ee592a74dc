// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/machine.h"

namespace ipusim::cli {

/// The machine that the option --machine names: a preset or a path.
Machine machineOfOption(const std::string& name_or_path);

/// True when the ending of the name is that of a trace.
bool isTrace(const std::string& file);

/// True when the ending of the name is that of an ONNX model.
bool isOnnx(const std::string& file);

/// A run config that a user named. For an ONNX model, the config runs the model on the usual
/// machine. For a trace, the config runs the trace on the machine that the trace was made for, and
/// `limits` are what the trace may hold, as `tiles=8`.
ConfigReader readRunConfig(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits = {});

}  // namespace ipusim::cli
