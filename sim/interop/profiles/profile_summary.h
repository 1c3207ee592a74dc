// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/interop/profiles/recording.h"

namespace ipusim::interop {

/// Reads the text that the vendor's Engine::printProfileSummary() writes. Throws ConfigError, which
/// names file and line, for a known line without its number. Lines that a result has no member for
/// are named as not held.
Recording readProfileSummary(std::string_view text, const std::string& file);

}  // namespace ipusim::interop
