// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/studies/validate/measurement.h"

// How tables show numbers and what was done with them.

namespace ipusim::validate {

/// Six digits, whole numbers in full: 402, 55493.7, 1234568.
std::string numberText(double value);

/// One decimal and the sign; what rounds to zero is +0.0 from both sides.
std::string percentText(double percent);

/// fitted, held out, constant.
const char* roleText(Role role);

}  // namespace ipusim::validate
