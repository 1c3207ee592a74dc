// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/config_reader.h"
#include "models/gpu/named_program.h"
#include "sim/run/compare.h"

// A program on a GPU with no IPU beside it: at sizes that no IPU holds, and where only the GPU is
// asked about.

namespace ipusim::run {

/// A config that has been read: `gpu` and `host` as in [compare], and a [program].
struct GpuExperiment {
  std::string config;  ///< as read, overrides applied: JSON
  std::string kind;    ///< of the program
  CompareOptions options;
  gpu::NamedProgram named;
};

/// Whether a config is of this kind: it has a `gpu` at its top.
bool isGpuAlone(const ConfigReader& config);

/// Reads the whole of `config`. Throws ConfigError for anything in it that is wrong or unknown.
GpuExperiment prepareGpuAlone(const ConfigReader& config);

/// Without tensor cores and with them. Of a structured layer also how long it takes over the dense
/// one in whose place it stands.
CompareResult simulateGpuAlone(const GpuExperiment& experiment, Band band = Band::With);

/// One object: schema, tool_version, config, fits (as without tensor cores) and compare, as for a
/// run.
nlohmann::ordered_json gpuAloneJson(const GpuExperiment& experiment, Band band = Band::With);

/// The same for people.
std::string gpuAloneText(const GpuExperiment& experiment);

}  // namespace ipusim::run
