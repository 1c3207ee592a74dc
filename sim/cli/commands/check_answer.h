// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/cli/options/arguments.h"
#include "sim/run/check/check_digests.h"
#include "sim/run/check/check_experiment.h"

// The answers of `ipusim check`: text, or one JSON object.

namespace ipusim::cli {

/// The largest error, its place, how large it may be, and what was not compared.
std::string checkAnswer(const run::Experiment& experiment, const run::NumberCheck& check,
                        Form form);

/// For a program that does not fit: numbers would need memory that no tile has.
std::string doesNotFitAnswer(const run::Experiment& experiment, const OutOfMemory& oom, Form form);

/// For a program that was read, which nobody knows the right numbers of: what they are.
std::string digestsAnswer(const run::Experiment& experiment,
                          const std::vector<run::VariableDigest>& digests, Form form);

}  // namespace ipusim::cli
