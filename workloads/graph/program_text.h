// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim {

/// `program`, a program of `graph`, as one line per step; the steps inside a step are indented. A
/// called function is named by its number.
std::string toText(const Program& program, const Graph& graph);

}  // namespace ipusim
