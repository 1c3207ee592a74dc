// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/program/pod_program.h"

namespace ipusim {

/// Simulates one chip per program of `pod`, and the network that joins them. Must not be called
/// from two threads. Throws what simulateChip() throws.
PodResult simulatePod(const PodPrograms& pod);

}  // namespace ipusim
