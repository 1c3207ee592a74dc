// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "models/gpu/program.h"
#include "sim/run/compare.h"
#include "sim/run/run_result.h"
#include "sim/run/simulate.h"

// How far a predicted time may be off: one standard deviation, from two sources that are taken to
// be independent. One is the spread of predictions of its kind around published values that nothing
// was fitted to, the other the standard errors of the constants it depends on.

namespace ipusim::run {

/// The kind of run that a prediction is of: that of its workload, and whether a framework copies.
std::string kindOfRun(const Experiment& experiment);

/// "gpu gemm", "gpu gemm eager", "gpu butterfly eager", ...
std::string kindOfProgram(const gpu::Program& program, gpu::Host host);

/// configs/spread.toml. Throws ConfigError where there is none.
std::filesystem::path spreadFile();

/// What that file says of a kind: the root mean square of ln(predicted / published) over
/// its rows. Of fewer than three rows: that, or the spread of all rows of the IPU or of GPUs, the
/// larger.
Uncertainty spreadOf(const std::string& kind);

/// Of an IPU's run whose time is filled in. The spread, and of each constant with a standard error
/// that share of the time that depends on it: compute steps on vertices in C++, host copies on a
/// framework, counters on the counter.
Uncertainty uncertaintyOf(const Experiment& experiment, const RunResult& result);

/// Of a program on a GPU that takes `seconds`. The spread, and for the covariance of the constants
/// that have standard errors: by how much each moves the time, as a difference over its error.
Uncertainty uncertaintyOf(const CompareOptions& options, const gpu::Program& program,
                          double seconds);

}  // namespace ipusim::run
