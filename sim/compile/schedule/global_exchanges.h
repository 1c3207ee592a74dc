// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// The exchanges between the IPUs of `system`: one entry per GlobalExchange step, in the order of
/// the steps. `traffic` has that of every IPU by itself, and gets what these exchanges add to it.
/// Throws ConfigError where no links lead from one IPU to another that it sends to.
std::vector<GlobalExchange> planGlobalExchanges(const System& system, const Lowered& lowered,
                                                Traffic& traffic);

}  // namespace ipusim::compiler
