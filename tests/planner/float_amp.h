// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/matmul/plan_candidate.h"

namespace ipusim::workloads {

/// AMP on floats, with as many engines as out channels per group, and 8 in channels per group.
inline PlanCandidate floatAmp(const ConvSizes& conv, std::uint32_t out_chans_per_group) {
  PlanCandidate candidate;
  candidate.conv = conv;
  candidate.method = {MatmulMethod::Amp,   out_chans_per_group, 2, 8,
                      out_chans_per_group, ElementType::Float};
  return candidate;
}

}  // namespace ipusim::workloads
