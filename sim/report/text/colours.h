// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim::report {

/// The table of a result with the colours of a terminal: bold headings, the verdict in green or
/// red, warnings in yellow.
std::string coloured(const std::string& table);

}  // namespace ipusim::report
