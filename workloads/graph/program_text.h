// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim {

/// `program`, which must be a program of `graph`, as text with one line per step. Inner steps are
/// indented. A call shows the number of its function.
std::string toText(const Program& program, const Graph& graph);

}  // namespace ipusim
