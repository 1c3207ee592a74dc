// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ipusim/tensor.h"

namespace ipusim {

/// Finds the pieces of a tensor by their place in it.
class PieceIndex {
 public:
  explicit PieceIndex(const std::vector<Tensor::Piece>& pieces);
  ~PieceIndex();
  PieceIndex(const PieceIndex&) = delete;
  PieceIndex& operator=(const PieceIndex&) = delete;

  /// The ascending numbers of all pieces that overlap `box`. A few of them may not overlap it.
  [[nodiscard]] std::vector<std::size_t> near(const Tensor::Piece& box) const;

 private:
  struct Tree;
  std::unique_ptr<const Tree> tree_;
};

}  // namespace ipusim
