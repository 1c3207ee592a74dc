// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/gpu/program.h"
#include "sim/run/compare.h"
#include "sim/run/run_result.h"
#include "sim/run/simulate.h"
#include "sim/run/spread.h"

// How far a predicted time may be off: one standard deviation. It has two sources, which are
// assumed to be independent: the spread of predictions of that kind around published values that
// nothing was fitted to, and the standard errors of the constants that the time depends on.

namespace ipusim::run {

/// The kind of a predicted run: that of its workload, and whether a framework makes its host
/// copies.
std::string kindOfRun(const Experiment& experiment);

/// Such as "gpu gemm", "gpu gemm eager" or "gpu butterfly eager".
std::string kindOfProgram(const gpu::Program& program, gpu::Host host);

/// The uncertainty of a run, whose time must be filled in. It combines the spread of published
/// rows of near sizes with the constants that have a standard error. Each constant counts for the
/// share of the time that depends on it: compute steps for vertices in C++, host copies for a
/// framework, measured vertices for the cycle counter. On several IPUs, the share of the time in
/// which tiles do not compute has the spread of links instead.
Uncertainty uncertaintyOf(const Experiment& experiment, const RunResult& result);

/// The uncertainty of a program on a GPU that takes `seconds`. It combines the spread with the
/// constants that have standard errors, and with their covariance. How far a constant moves the
/// time is computed as a difference over its standard error.
Uncertainty uncertaintyOf(const CompareOptions& options, const gpu::Program& program,
                          double seconds);

}  // namespace ipusim::run
