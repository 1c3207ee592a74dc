// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/machine/machine_reader.h"
#include "sim/run/simulate.h"
#include "tests/support/temporary_folder.h"
#include "workloads/sources/trace/trace_reader.h"

namespace ipusim {

/// Lines of a trace that all tests may begin with: 64 elements on each tile of the toy machine.
inline const std::string kBegin =
    "{\"ipt\": 1}\n"
    "{\"variable\": \"x\", \"elements\": 256, \"lifetime\": \"always\", \"tiles\": \"0-3\"}\n"
    "{\"variable\": \"y\", \"elements\": 256, \"tiles\": \"0-3\"}\n"
    "{\"vertex\": \"v\", \"cycles\": 100, \"fields\": ["
    "{\"name\": \"in\", \"direction\": \"in\", \"elements\": 64}, "
    "{\"name\": \"out\", \"direction\": \"out\", \"elements\": 64}]}\n"
    "{\"compute_set\": \"a\"}\n"
    "{\"vertices\": [{\"type\": \"v\", \"data\": [\"x\", \"y\"]}], \"tiles\": \"0-3\"}\n";

inline workloads::Trace traceFrom(const std::string& text,
                                  const workloads::TraceLimits& limits = {}) {
  return workloads::parseTrace(text, "t.ipt", readPreset("toy"), limits);
}

/// The config that runs a trace.
inline ConfigReader configOf(const std::filesystem::path& trace, const std::string& machine) {
  return ConfigReader::fromText("machine = \"" + machine +
                                    "\"\n[workload]\nkind = \"trace\"\nfile = \"" + trace.string() +
                                    "\"\n",
                                "run.toml");
}

/// Runs the text of a trace on the toy machine.
inline run::RunResult runTrace(const std::string& text, Engine engine) {
  const TemporaryFolder folder;
  return run::simulate(configOf(folder.write("t.ipt", text), "toy"), engine);
}

}  // namespace ipusim
