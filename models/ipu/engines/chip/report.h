// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/chip.h"

namespace ipusim::models {

/// Reports an error of the chip by one of the ids of ipusim/chip.h.
void reportError(const char* id, const std::string& what);
/// Reports that the program runs beyond the last cycle.
void reportTooLong();

}  // namespace ipusim::models
