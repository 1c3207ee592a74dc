// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/parallel/pipeline/stage_cost.h"

namespace ipusim::parallel {

/// The modules of each section: those that the config gives, or else the cut whose longest section
/// is shortest among those that fit. Modules are then measured one by one, so that a section takes
/// the sum of its modules.
std::vector<workloads::ModuleRange> sectionCuts(const ParallelTraining& training,
                                                StageMeter& meter);

}  // namespace ipusim::parallel
