// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

// Vertex types that the vendor's library does not have. Some are tuned by hand. The others are C++
// of a user (Origin::User): scalar loops over float, compiled by the vendor's compiler.

namespace ipusim::workloads {

/// Which outputs of its pairs a butterfly vertex computes.
enum class ButterflyOutputs : std::uint8_t {
  Both,    ///< both inputs of a pair are lines of the tile
  First,   ///< the first inputs are lines of the tile; the second ones arrive
  Second,  ///< the second inputs are lines of the tile; the first ones arrive
};

/// Lines of a tile: one line per feature of the tile.
struct ButterflyStageShape {
  ElementType type;  ///< half or float
  std::uint64_t features;
  std::uint64_t rows;    ///< rows of the batch, which are the elements of a line
  std::uint64_t stride;  ///< features between the two lines of a pair, when both are on the tile
  /// How many 2 x 2 twiddles the tile has. The pairs use them in turn: there is one per pair, or
  /// fewer when they repeat.
  std::uint64_t twiddles;
  ButterflyOutputs outputs;
};
/// One stage of a butterfly, as a hand-tuned vertex for all workers: each pair of inputs times its
/// twiddles.
///
/// Fields, one edge in each: 0 "lines"; 1 "twiddles" (2 x 2 each: output, input); 2 "out"; 3
/// "partners", the other inputs of the pairs when these are not on the tile.
VertexType butterflyStageVertex(const ButterflyStageShape& shape);

struct TriadShape {
  float scale;
  std::uint64_t elements;
};
/// The triad of STREAM, as a hand-tuned vertex for all workers: out = b + scale * c, in float. The
/// operands lie in different memory elements, so that one instruction does two loads, a store and
/// the arithmetic of a vector. The vertex costs as much as a ScaledAddSupervisor whose operands lie
/// apart: it has equal instructions, and only stores to another address.
///
/// Fields, one edge of `elements` in each: 0 "b", 1 "c", 2 "out".
VertexType triadVertex(const TriadShape& shape);

struct UserProductShape {
  std::uint64_t rows;
  std::uint64_t inner;
  std::uint64_t columns;
};
/// A matrix product in a user's C++: out[r][c] = sum over i of a[r][i] * b[i][c].
///
/// Fields:
///   0 "a"    1 edge of rows * inner
///   1 "b"    1 edge of inner * columns
///   2 "out"  1 edge of rows * columns
VertexType userProductVertex(const UserProductShape& shape);

struct UserAddShape {
  std::uint64_t elements;
};
/// A sum in place in a user's C++: sum[i] += more[i].
/// Fields, one edge of `elements` in each: 0 "sum", 1 "more".
VertexType userAddVertex(const UserAddShape& shape);

}  // namespace ipusim::workloads
