// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "sim/compile/compile.h"
#include "sim/compile/exchange_plan.h"

namespace ipusim::compiler {

/// The plan of every Exchange step, by step.
using ExchangePlans = std::map<StepId, ExchangePlan>;

/// What every tile executes, from the steps, the control tree and the exchange plans; its timing is
/// still to be set. Takes the plans apart as it goes: twice the transmissions may be more than a
/// small memory holds.
ChipPrograms writePrograms(const Executable& executable, ExchangePlans plans);

/// The times of the chip.
ChipTiming timingOf(const Machine& machine, TimingMode timing);

/// For each tile the always-live bytes that are no blocks: code and tables of the vertices,
/// exchanges and steps it takes part in, and its stacks.
std::vector<CategoryBytes> fixedBytes(const Executable& executable);

}  // namespace ipusim::compiler
