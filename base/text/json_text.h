// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"

namespace ipusim {

constexpr int kOnOneLine = -1;

/// The JSON as text, on one line or indented. Names in files and paths of files may have any bytes:
/// those that are no UTF-8 become U+FFFD.
std::string jsonTextOf(const Json& json, int indent = kOnOneLine);

}  // namespace ipusim
