// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ipusim::codelets {

/// The address of what codelets call under the name of a function of the C library; 0 where a tile
/// has no such function. There is no heap, no file and no exception on a tile.
std::uint64_t hostFunction(const std::string& name);

}  // namespace ipusim::codelets
