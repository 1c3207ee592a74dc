// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "ipusim/graph.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

/// Equal matrices one after the other on one tile.
struct TileMatrices {
  TileId tile;
  std::uint64_t count;
  std::uint64_t rows;     ///< before the transpose
  std::uint64_t columns;  ///< before the transpose
};

/// Adds vertices that transpose matrices in the memory of tiles.
class TileTransposes {
 public:
  /// The arguments must outlive this object.
  TileTransposes(Graph& graph, const Architecture& machine, ComputeSetId compute_set)
      : graph_(graph), machine_(machine), compute_set_(compute_set) {}

  /// Adds one vertex for all workers when there is such a type, and otherwise one per worker.
  /// `from` and `to` have one dimension and consecutive elements on the tile.
  void add(const TileMatrices& matrices, const Tensor& from, const Tensor& to);

 private:
  Graph& graph_;
  const Architecture& machine_;
  ComputeSetId compute_set_;
  TypeCache<std::array<std::uint64_t, 4>> types_;  ///< by form, rows, columns, matrices
};

}  // namespace ipusim::workloads
