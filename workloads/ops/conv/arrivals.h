// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Fills tensors from views in which one element stands for all zeros.
class Arrivals {
 public:
  /// `zero` has that one element.
  explicit Arrivals(Tensor zero) : zero_(std::move(zero)) {}

  /// True for a piece of a view that is zeros.
  [[nodiscard]] bool isZero(const Tensor::Piece& piece) const;

  /// Adds what fills `to`, which has the shape of `from`.
  void add(const Tensor& from, const Tensor& to);

  /// Adds zeros only: what is not zero is there already.
  void addZeros(const Tensor& from, const Tensor& to);

  /// Adds at most one copy, and one step that clears.
  void addSteps(Graph& graph, const Architecture& machine, const std::string& name,
                Program& program) const;

 private:
  Tensor zero_;
  std::vector<CopyPair> pairs_;
  std::vector<Tensor> zeros_;
};

}  // namespace ipusim::workloads
