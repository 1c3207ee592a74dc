// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/config/words.h"
#include "ipusim/vertex_type.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/hmac.h"
#include "models/ipu/cost/products/outer_product.h"
#include "workloads/vertices/products/conv_window.h"

// Vertex types that multiply matrices.

namespace ipusim::workloads {

constexpr Words<models::WeightLoad, 2> kWeightLoadWords{
    {{models::WeightLoad::Bits64, "64"}, {models::WeightLoad::Bits128, "128"}}};

struct AmpVertexShape {
  models::Amp1x1Shape product;
  std::uint32_t in_chans_per_group;
};
/// poplin::ConvPartial1x1Out: a tile's share of a matrix product on the matrix engine (AMP).
///
/// Fields, with G conv groups, I in groups of ic channels, O out groups of pc channels, F
/// positions:
///   0 "in"       G * I edges of F * ic      [g][i] -> [f][ic]
///   1 "weights"  G * O * I edges of pc * ic [g][o][i] -> [pc][ic]
///   2 "out"      G * O edges of F * pc      [g][o] -> [f][pc], interleaved, apart from "in"
/// out[f][p] = sum over i, ic of in[f][ic] * weights[p][ic], summed in float. The engine takes
/// float inputs with float partials, or half inputs with either.
VertexType ampVertex(const AmpVertexShape& shape);

/// The engines that take kernels.
enum class ConvPartialEngine : std::uint8_t { Amp, Slic, Hmac, Vmac };

struct ConvPartialShape {
  ConvPartialEngine engine;
  ElementType inputs;
  ElementType partials;
  std::uint32_t conv_units;  ///< number of AMP engines in use, or of SLIC's chains of them
  ConvWindows windows;
  models::WeightLoad weight_load = models::WeightLoad::Bits64;  ///< AMP
};
/// poplin::ConvPartialnx1 (AMP), ConvPartial1xNSLIC, and the general ConvPartialHorizontalMac and
/// ConvPartialVerticalMac: a tile's share of a convolution, with the fields of windowFields. AMP
/// takes the first rows of the kernel at once when a group has fewer in channels than the engine
/// has weights. SLIC and VMAC have several conv groups side by side. The cycles include those that
/// clear the partials. SLIC has one more field:
///   3 "outFieldBuffer"  1 edge of slicBufferElements, interleaved, for the partials of one group
VertexType convPartialVertex(const ConvPartialShape& shape);

/// Elements of the buffer of a SLIC vertex.
std::uint64_t slicBufferElements(const ConvWindows& windows, ElementType partials);

struct HmacVertexShape {
  models::HmacShape product;
  std::uint64_t field;  ///< positions
};
/// poplin::ConvPartialHorizontalMac and its 1x1 form: a tile's share of a matrix product as dot
/// products along the in channels, for products that are too small for the matrix engine.
///
/// Fields as in ampVertex, but "out" may lie anywhere. A dot product is held in float and added to
/// the stored partial. The cycles include those that clear the partials.
VertexType hmacVertex(const HmacVertexShape& shape);

/// poplin::OuterProduct: positions times weights of one in channel, on one worker.
///
/// Fields, with g groups of cpg channels and w positions:
///   0 "in"       1 edge of w
///   1 "weights"  g edges of cpg
///   2 "out"      g edges of w * cpg, [w][cpg]
VertexType outerProductVertex(const models::OuterProductShape& shape);

/// The position of a block in a sparse matrix, counted in blocks.
struct BlockPosition {
  std::uint32_t row;
  std::uint32_t column;

  friend bool operator==(const BlockPosition& a, const BlockPosition& b) {
    return a.row == b.row && a.column == b.column;
  }
  friend bool operator<(const BlockPosition& a, const BlockPosition& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  }
};

/// What one tile multiplies: blocks of a sparse matrix, and the rows of the dense operand for them.
struct SparseTile {
  ElementType inputs;
  ElementType partials;
  std::uint64_t block;
  std::uint64_t out_rows;  ///< rows of the result, in blocks
  std::uint64_t in_rows;   ///< rows of the dense operand, in blocks
  std::uint64_t columns;   ///< columns of the dense operand
  /// The positions of the blocks, by row; at least one. The column is the row in the dense operand.
  std::vector<BlockPosition> blocks;
};
/// popsparse::SparseDenseMatMulElementWise or SparseDenseMatMulBlock: sparse times dense, into a
/// result that is cleared first. The first form has blocks of one element and scalar code on all
/// workers. The second has blocks of 4, 8 or 16, each of which is loaded into the matrix engines.
///
/// Fields, with block size b and z columns:
///   0 "values"  one edge of blocks * b * b: a block's rows one after the other
///   1 "dense"   one edge of in_rows * z * b: [row][column][b]
///   2 "out"     one edge of out_rows * z * b: [row][column][b]
/// Sums are held in float and stored once per row.
VertexType sparseMatMulVertex(SparseTile tile);

}  // namespace ipusim::workloads
