// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/parallel/pipeline/settings.h"

// The keys that say where a network is cut into stages or phases.

namespace ipusim::parallel {

/// Reads where sections begin: `modules`, their numbers of modules, or `cuts`, their first layers.
/// Throws ConfigError.
void readCuts(const ConfigReader& table, ParallelTraining& training);

/// Throws ConfigError unless the network has as many modules as sections, the sections are those of
/// readCuts() if any, and a pipeline has micro-batches that fill it.
void expectCuttable(const ConfigReader& table, const ParallelTraining& training);

}  // namespace ipusim::parallel
