// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/system/timing_mode.h"
#include "sim/compile/exchange_plan.h"

namespace ipusim::compiler {

/// What every tile executes, from the steps, the control tree and the exchange plans; its times are
/// still to be set. Vertices cost what the architecture says. Takes the plans apart as it goes:
/// twice the transmissions may be more than a small memory holds.
models::ChipPrograms emit(const Lowered& lowered, ExchangePlans plans,
                          const models::Architecture& architecture);

/// The times of the chip.
models::ChipTiming timingOf(const models::Architecture& architecture,
                            const models::Platform& platform, models::TimingMode timing);

/// One transfer for each HostCopy step, in the order of the steps.
std::vector<models::HostTransfer> hostTransfersOf(const std::vector<Step>& steps,
                                                  const models::Platform& platform);

}  // namespace ipusim::compiler
