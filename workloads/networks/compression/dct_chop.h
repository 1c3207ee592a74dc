// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/compression/codec.h"

// The discrete cosine transform of planes, of which the low frequencies are kept.
// Source: the code of "A Portable, Fast, DCT-based Compressor for AI Accelerators" (HPDC 2024).

namespace ipusim::workloads {

/// Planes are cut into blocks of this many rows and columns.
constexpr std::uint64_t kDctBlock = 8;

/// What is kept of the chop x chop lowest frequencies of a block: all, or the triangle where the
/// numbers of the row and of the column sum to less than chop.
enum class DctCorner : std::uint8_t { Square, Triangle };

constexpr Words<DctCorner, 2> kDctCorners{{
    {DctCorner::Square, "square"},
    {DctCorner::Triangle, "triangle"},
}};

/// How the transform is made of matrix products. Dense: C = L A L^T of whole planes, where most of
/// L is zeros. Blockwise: rows of 8 elements, and then columns of 8. Fused: blocks of 64 elements,
/// in one product.
enum class DctForm : std::uint8_t { Dense, Blockwise, Fused };

constexpr Words<DctForm, 3> kDctForms{{
    {DctForm::Dense, "dense"},
    {DctForm::Blockwise, "blockwise"},
    {DctForm::Fused, "fused"},
}};

struct DctChop {
  std::uint64_t chop = 4;  ///< 1 to 8
  DctCorner corner = DctCorner::Square;
  DctForm form = DctForm::Dense;
  /// A plane of n x n is taken for split^2 planes of n / split x n / split, with its elements in
  /// their order.
  std::uint64_t split = 1;

  /// Values that are kept of the 64 of a block.
  [[nodiscard]] std::uint64_t keptPerBlock() const {
    return corner == DctCorner::Square ? chop * chop : chop * (chop + 1) / 2;
  }
};

/// The planes are the last two dimensions. Zeros are put behind rows and columns up to multiples of
/// 8 split, and are left out again by decoding.
CodecPointer dctChopCodec(const DctChop& rule);

}  // namespace ipusim::workloads
