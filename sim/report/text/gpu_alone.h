// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/config/config_reader.h"
#include "base/text/json.h"
#include "models/gpu/named_program.h"
#include "sim/run/compare.h"

// Runs a program on a GPU without an IPU beside it: for sizes that no IPU holds, and for questions
// about the GPU only.

namespace ipusim::report {

/// A config of such a run, which has `gpu` at its top: `gpu` and `host` as in [compare], and a
/// [program].
struct GpuExperiment {
  ConfigValues config;  ///< all of the config
  std::string kind;     ///< the kind of the program
  run::CompareOptions options;
  gpu::NamedProgram named;
};

/// Reads all of `config`. Throws ConfigError for anything in it that is wrong or unknown.
GpuExperiment prepareGpuAlone(const ConfigReader& config);

/// Computes the times without and with tensor cores, or in half. For a structured layer the result
/// also has its time relative to the dense layer that it replaces.
run::CompareResult simulateGpuAlone(const GpuExperiment& experiment,
                                    run::Band band = run::Band::With);

/// One object: schema, tool_version, commit, config, fits and compare, as for a run.
Json gpuAloneJson(const GpuExperiment& experiment, const run::CompareResult& result);

/// The result as text for people.
std::string gpuAloneText(const GpuExperiment& experiment, const run::CompareResult& result);

}  // namespace ipusim::report
