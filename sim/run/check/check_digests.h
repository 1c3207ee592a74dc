// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "sim/compile/executable.h"

namespace ipusim::run {

/// What a variable holds after a run with numbers, as one number: equal digests mean equal bits.
struct VariableDigest {
  std::string variable;
  std::uint64_t elements = 0;
  std::uint64_t digest = 0;
};

/// Executes `executable`, which was compiled from `graph`, with made-up numbers, and returns the
/// digest of each variable that lives always. Before the run each of them that is no constant gets
/// values that depend on its name alone; those of an integer type are below `below`, or 0. Throws
/// ConfigError for a program that depends on data and for a vertex whose numbers nobody knows.
std::vector<VariableDigest> digestsOf(const Graph& graph, const compiler::Executable& executable,
                                      const std::map<VariableId, std::uint64_t>& below);

}  // namespace ipusim::run
