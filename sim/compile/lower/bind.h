// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/compile/lower/placement.h"

namespace ipusim::compiler {

/// The pointers of a field straight into the tile's shares of variables, for `count` vertices of a
/// family. None where some of the data lies on another tile, or where the elements of an edge do
/// not follow one another in the tile's memory.
std::optional<BoundField> bindDirectly(const Placement& placement, TileId tile, const Field& field,
                                       const View& all);

/// The pointers of a field into a buffer. The buffer holds the data of all vertices packed, or the
/// data of one vertex that all vertices share.
enum class BufferUse : std::uint8_t { EachVertex, Shared };
BoundField bindBuffer(BlockId buffer, std::uint32_t count, const Field& field, BufferUse use);

}  // namespace ipusim::compiler
