// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ipusim::run {

/// The config of a small random network: statements in any order that their shapes allow, results
/// that nothing reads, few tiles, trained or not. Each is a valid program. A seed gives the same
/// text everywhere.
std::string randomNetwork(std::uint64_t seed);

}  // namespace ipusim::run
