// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim::cli {

/// The lines of a comment of a config, broken between words.
std::string commentLines(const std::string& text);

}  // namespace ipusim::cli
