// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/timing_mode.h"
#include "sim/compile/exchange_plan.h"

namespace ipusim::compiler {

/// What every tile executes, from the steps, the control tree and the exchange plans; its times are
/// still to be set. Vertices cost what the architecture says. Takes the plans apart as it goes:
/// twice the transmissions may be more than a small memory holds.
ChipPrograms emit(const Lowered& lowered, ExchangePlans plans, const Architecture& architecture);

/// The times of the chip.
ChipTiming timingOf(const Architecture& architecture, const Platform& platform, TimingMode timing);

/// One transfer for each HostCopy step, in the order of the steps.
std::vector<HostTransfer> hostTransfersOf(const std::vector<Step>& steps, const Platform& platform);

}  // namespace ipusim::compiler
