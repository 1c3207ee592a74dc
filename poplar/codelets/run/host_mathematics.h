// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace ipusim::codelets {

/// Addresses of functions of this program by the names that codelets call them by.
using HostTable = std::unordered_map<std::string_view, std::uint64_t>;

/// Adds the functions of <cmath> for float and double.
void addMathematics(HostTable& table);

}  // namespace ipusim::codelets
