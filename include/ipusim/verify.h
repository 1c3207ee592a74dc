// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/graph.h"
#include "ipusim/machine.h"

namespace ipusim {

/// Throws GraphError, which names variable, vertex and tile, unless a machine with `tiles` tiles
/// can run `graph`: every element of every variable is on one of the tiles, every vertex is on one
/// of the tiles, and no two vertices of a compute set write the same element. The time it takes
/// grows with the number of consecutive runs of elements that the vertices write.
void verify(const Graph& graph, std::uint32_t tiles);

/// Throws GraphError unless no two vertices of the compute set write the same element.
void verifyWriters(const Graph& graph, const ComputeSet& set);

/// Throws GraphError, which names the buffer, copy or variable, unless `ipus` IPUs like `ipu` of
/// the system of that name can run the remote copies of `graph`: the system has streaming memory;
/// the buffers fit the parts of that memory that the IPUs have; every element of a row has an IPU,
/// the same in all copies of its buffer; and I/O tiles and Overlaps are as setIoTiles() and Overlap
/// say. The compiler calls this.
void verifyRemoteCopies(const Graph& graph, const Machine& ipu, std::uint32_t ipus,
                        const std::string& system);

}  // namespace ipusim
