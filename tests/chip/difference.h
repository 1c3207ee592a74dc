// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// Says in which tile, step or field two results first differ; empty when they are equal.
std::string difference(const ChipResult& a, const ChipResult& b);

/// Compares the times alone: how much was simulated may differ.
std::string differenceInTime(const ChipResult& a, const ChipResult& b);

}  // namespace ipusim::models
