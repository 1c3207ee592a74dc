// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

#include "ipusim/tensor.h"

namespace ipusim::piece_ops {

/// Goes through a dimension of a box from its begin on, and knows the pieces at hand.
class PieceSweep {
 public:
  PieceSweep(const std::vector<Tensor::Piece>& pieces, std::size_t dim)
      : pieces_(pieces), dim_(dim), by_begin_(pieces.size()) {
    std::iota(by_begin_.begin(), by_begin_.end(), std::size_t{0});
    std::sort(by_begin_.begin(), by_begin_.end(), [&](std::size_t a, std::size_t b) {
      return pieces_[a].begin[dim_] < pieces_[b].begin[dim_];
    });
  }

  /// The numbers of the pieces that have place `at` of the dimension, which must not be before that
  /// of the last call.
  const std::set<std::size_t>& advance(std::uint64_t at) {
    for (; next_ < by_begin_.size() && pieces_[by_begin_[next_]].begin[dim_] <= at; ++next_) {
      open_.insert(by_begin_[next_]);
    }
    for (auto piece = open_.begin(); piece != open_.end();) {
      const bool is_over = pieces_[*piece].begin[dim_] + pieces_[*piece].extent[dim_] <= at;
      piece = is_over ? open_.erase(piece) : std::next(piece);
    }
    return open_;
  }

 private:
  const std::vector<Tensor::Piece>& pieces_;
  std::size_t dim_;
  std::vector<std::size_t> by_begin_;
  std::size_t next_ = 0;
  std::set<std::size_t> open_;
};

}  // namespace ipusim::piece_ops
