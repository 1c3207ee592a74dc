// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

// Vertex types that the vendor's library does not have: tuned by hand, or as a user writes them in
// C++ (Origin::User: scalar loops over float, through the vendor's compiler).

namespace ipusim::workloads {

/// Which outputs of its pairs a butterfly vertex makes.
enum class ButterflyOutputs : std::uint8_t {
  Both,    ///< both inputs of a pair are lines of the tile
  First,   ///< the first inputs are lines of the tile, the second ones arrive
  Second,  ///< the other way round
};

/// Lines of a tile, one for each of its features.
struct ButterflyStageShape {
  ElementType type;  ///< half or float
  std::uint64_t features;
  std::uint64_t rows;    ///< of the batch: elements of a line
  std::uint64_t stride;  ///< features between the lines of a pair, where both are on the tile
  /// 2 x 2 twiddles that the tile has, used in turn: as many as pairs, or fewer where they repeat.
  std::uint64_t twiddles;
  ButterflyOutputs outputs;
};
/// One stage of a butterfly as a hand-tuned vertex for all workers: each pair of inputs times its
/// twiddles.
///
/// Fields, one edge in each: 0 "lines", 1 "twiddles", (2 x 2 each: output, input), 2 "out", 3
/// "partners": the other inputs of the pairs, where these are not on the tile.
VertexType butterflyStageVertex(const ButterflyStageShape& shape);

struct TriadShape {
  float scale;
  std::uint64_t elements;
};
/// The triad of STREAM as a hand-tuned vertex for all workers: out = b + scale * c, of float. The
/// operands lie in different memory elements, so that two loads, a store and the arithmetic of a
/// vector are one instruction. It costs what a ScaledAddSupervisor whose operands lie apart does:
/// the instructions are equal, with another address to store to.
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
/// A sum in place in a user's C++: sum[i] += more[i]. Fields 0 "sum", 1 "more": one edge of
/// `elements` in each.
VertexType userAddVertex(const UserAddShape& shape);

}  // namespace ipusim::workloads
