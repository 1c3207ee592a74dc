// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/reference.h"
#include "sim/execute/host_access.h"

namespace ipusim::executor {

/// The outcome of a check: figures of the output whose worst element has the largest share of the
/// error that it may have.
struct CheckResult {
  bool ok = false;           ///< every element is as near as it must be
  double max_error = 0;      ///< largest |error|; infinite where a NaN or an infinity was found
  double max_reference = 0;  ///< the scale: largest magnitude wanted, or what the reference says
  double relative = 0;       ///< max_error / max_reference
  double max_slack = 0;      ///< the farthest that rounding alone moves an element
  std::string output;        ///< name of the output
  std::uint64_t index = 0;   ///< row-major index of the worst element
  double wanted = 0;
  double found = 0;
  double slack = 0;    ///< of the worst element: how far rounding alone moves it
  double allowed = 0;  ///< of the worst element: its slack, and the tolerance times the scale
  double share = 0;    ///< |error| of the worst element / allowed
  std::uint64_t elements = 0;  ///< elements compared, over all outputs
  std::uint64_t round = 0;  ///< the round after which this was found, from 1; 0: the program's end
};

/// How a check runs the program.
struct CheckOptions {
  Checking checking = Checking::Fast;
  std::uint64_t jobs = 1;  ///< threads; any number of them gives an equal answer
};

/// Random values for a tensor, equal on every machine. Half and float get reals in [-1, 1]; other
/// types get whole numbers in [0, below). All are rounded to the type.
Values randomValues(ElementType type, std::uint64_t elements, std::uint64_t seed,
                    std::uint64_t below = 2);

/// Compares what was found in the outputs of these names with what is wanted, output by output. An
/// element is right within its slack and `tolerance` times the scale of its output. Throws
/// InternalError where the numbers of values differ or a wanted value is no number.
CheckResult compareOutputs(const std::vector<std::string>& outputs, double tolerance,
                           const Expected& wanted, const std::vector<Values>& found);

/// Runs `executable`, which was compiled from `graph`, on the inputs of `host`. Returns what the
/// outputs of `host` then hold, rows behind tensors.
std::vector<Values> outputsOf(const Graph& graph, const compiler::Executable& executable,
                              const HostTensors& host);

/// Runs `executable`, which was compiled from `graph`, on the inputs of `host`. Compares at the
/// end, or after each round up to the first wrong one. A check of each round does not count
/// rounding that grows from round to round as an error, and it finds a round too few or too many.
CheckResult checkNumbers(const Graph& graph, const compiler::Executable& executable,
                         const HostTensors& host, const Reference& reference,
                         const CheckOptions& options = {});

}  // namespace ipusim::executor
