// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/vertices/vertex_cycles.h"

namespace ipusim::workloads {

/// The least cycles of the vertices for one grain of conv groups, in channels and out channels and
/// one unit of the kernel (kernelUnits), at the output positions of `share`.
std::uint64_t unitCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots);

/// The least slots per output position of such a unit, however many positions a tile has.
std::uint64_t unitSlotsPerPosition(const Architecture& machine, const ConvCandidate& candidate);

/// Output positions of the whole convolution of which each costs slots. Where dilation leaves zeros
/// between inputs, some do not.
std::uint64_t costlyPositions(const ConvCandidate& candidate);

}  // namespace ipusim::workloads
