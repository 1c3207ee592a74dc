// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/config/words.h"
#include "sim/studies/validate/measurement.h"

// How tables show numbers and their roles.

namespace ipusim::validate {

/// A number with six digits, whole numbers in full: 402, 55493.7, 1234568.
std::string numberText(double value);

/// A percentage with one decimal. A value that rounds to zero is +0.0 from both sides.
std::string percentText(double percent);

/// The roles as the labels of tables have them.
constexpr Words<Role, 3> kLabelWords{
    {{Role::Calibrate, "fitted"}, {Role::Validate, "held out"}, {Role::Constant, "constant"}}};

inline const char* roleText(Role role) {
  return wordOf(role, kLabelWords);
}

}  // namespace ipusim::validate
