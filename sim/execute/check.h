// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/reference.h"
#include "sim/execute/host_access.h"

namespace ipusim::checker {

/// What came out of a check: the figures of the output with the largest relative error.
struct CheckResult {
  bool ok = false;           ///< every output is within the tolerance
  double max_error = 0;      ///< less the slack; infinite where a NaN or an infinity was found
  double max_reference = 0;  ///< the scale: largest magnitude wanted, or what the reference says
  double relative = 0;       ///< max_error / max_reference
  std::string output;        ///< name
  std::uint64_t index = 0;   ///< row-major, of the element with the largest error
  double wanted = 0;
  double found = 0;
  std::uint64_t elements = 0;  ///< compared, all outputs together
  std::uint64_t round = 0;     ///< after which this was found, from 1; 0: after the program
};

/// How a check runs the program.
struct CheckOptions {
  Checking checking = Checking::Fast;
  std::uint64_t jobs = 1;  ///< threads; the answer is the same with any number of them
};

/// Random values for a tensor, the same on every machine: reals in [-1, 1] for half and float,
/// whole numbers in [0, below) for the others, rounded to the type.
Values randomValues(ElementType type, std::uint64_t elements, std::uint64_t seed,
                    std::uint64_t below = 2);

/// Holds what was found in `outputs` against what is wanted, output by output: right within
/// `tolerance`. Throws InternalError where the numbers of values differ or a wanted value is no
/// number.
CheckResult compareOutputs(const std::vector<HostTensor>& outputs, double tolerance,
                           const Expected& wanted, const std::vector<Values>& found);

/// What the outputs of `host` hold after `executable`, which was compiled from `graph`, ran on its
/// inputs.
std::vector<Values> outputsOf(const Graph& graph, const compiler::Executable& executable,
                              const HostTensors& host);

/// Runs `executable`, which was compiled from `graph`, on the inputs of `host`, and compares: at
/// its end, or after each round up to the first that is wrong. Rounding that grows from round to
/// round is no error of the program then, and a round too few or too many is one.
CheckResult checkNumbers(const Graph& graph, const compiler::Executable& executable,
                         const HostTensors& host, const Reference& reference,
                         const CheckOptions& options = {});

}  // namespace ipusim::checker
