// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/machine/timing_mode.h"
#include "sim/compile/schedule/exchange_plan.h"

namespace ipusim::compiler {

/// What a vertex gets whose type has no cost function.
enum class WithoutCost : std::uint8_t {
  Refused,  ///< InternalError
  Apart,    ///< a VertexRun for itself, of no cycles, to be set where the vertex was executed
};

/// Writes what every tile executes, from the steps, the control tree and the exchange plans. The
/// times of the chip are not set yet. Vertices cost what the architecture says. The plans are taken
/// apart on the way, because a small memory may not hold the transmissions twice.
ChipPrograms emit(const Lowered& lowered, ExchangePlans plans, const Architecture& architecture,
                  WithoutCost without_cost = WithoutCost::Refused);

/// The times of the chip.
ChipTiming timingOf(const Architecture& architecture, const Platform& platform, TimingMode timing);

/// One transfer per HostCopy step, in the order of the steps.
std::vector<HostTransfer> hostTransfersOf(const std::vector<Step>& steps, const Platform& platform);

}  // namespace ipusim::compiler
