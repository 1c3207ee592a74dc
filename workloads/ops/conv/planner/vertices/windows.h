// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/share.h"

namespace ipusim::workloads {

/// The zeros that a tile receives to make its operands those of whole windows. As published, inputs
/// are padded by the outputs that they give.
struct WindowZeros {
  std::uint64_t inputs = 0;
  std::uint64_t weights = 0;
};
WindowZeros windowZeros(const Architecture& machine, const ConvCandidate& candidate,
                        const ConvPoint& point, const ConvShare& share);

}  // namespace ipusim::workloads
