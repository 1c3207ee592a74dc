// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/cli/options/arguments.h"
#include "workloads/sources/trace/trace.h"

namespace ipusim::cli {

/// What the trace `file` holds: where it comes from, and counts of its things.
std::string infoOf(const workloads::Trace& trace, const std::string& file, Form form);

}  // namespace ipusim::cli
