// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/result.h"

namespace ipusim::report {

/// The part of the table about the IPUs of a system, one row for those that do the same, and about
/// the links between them.
std::string systemText(const SystemResult& system, const TimeResult& time);

}  // namespace ipusim::report
