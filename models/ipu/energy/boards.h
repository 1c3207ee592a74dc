// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ipusim::energy {

/// The most that the board of a GPU draws, by configs/energy/boards.toml. Nothing for a GPU that
/// the file does not have. No measured power of these boards is public, so that watts times seconds
/// are an upper bound and no estimate. Throws ConfigError when the file is broken.
std::optional<double> boardWatts(const std::string& gpu);

}  // namespace ipusim::energy
