// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/planner/candidate.h"

namespace ipusim::workloads {

/// True when the published planner tries `a` before `b`: the split with the fewest values is
/// decided first, and small values come first.
bool isTriedBefore(const ConvCandidate& candidate, const ConvPartition& a, const ConvPartition& b);

}  // namespace ipusim::workloads
