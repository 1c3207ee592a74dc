// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ipusim/tensor.h"

namespace ipusim {

/// The pieces of a tensor, found by where they lie in it.
class PieceIndex {
 public:
  /// `pieces` must outlive the index.
  explicit PieceIndex(const std::vector<Tensor::Piece>& pieces);
  ~PieceIndex();
  PieceIndex(const PieceIndex&) = delete;
  PieceIndex& operator=(const PieceIndex&) = delete;

  /// The numbers, rising, of all pieces that share an index with `box`, and of a few that may not.
  [[nodiscard]] std::vector<std::size_t> near(const Tensor::Piece& box) const;

 private:
  struct Tree;
  std::unique_ptr<const Tree> tree_;
};

}  // namespace ipusim
