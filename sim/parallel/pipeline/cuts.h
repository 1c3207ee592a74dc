// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/parallel/pipeline/stage_cost.h"

namespace ipusim::parallel {

/// The modules of each stage: those that the config gives, or else the cut whose longest stage is
/// shortest among those that fit. Modules are then measured one by one, so that a stage takes the
/// sum of its modules.
std::vector<workloads::ModuleRange> stageCuts(const ParallelTraining& training, StageMeter& meter);

}  // namespace ipusim::parallel
