// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// What runs a vertex.
enum class VertexKind : std::uint8_t {
  Worker,      ///< one of the worker contexts, which has an issue slot every `workers` cycles
  Supervisor,  ///< the supervisor, which drives all contexts: the vertex has the tile to itself
};

}  // namespace ipusim
