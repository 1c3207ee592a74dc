// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/ops/matmul/convolve.h"
#include "workloads/vertices/data_movement.h"

namespace ipusim::workloads {

/// The loop of a product in serial steps: a counter, what a step takes out of the operands, and
/// what it puts into the result. Every tile slices its own share. Only the counter is exchanged.
class SerialLoop {
 public:
  explicit SerialLoop(const MatmulSite& site);

  /// Adds to the body what copies the counter's step of an operand. Returns the copy, which is
  /// mapped alike.
  BlockedOperand slice(const std::vector<BlockedOperand>& steps);

  /// Adds to the body what puts `step`, of one dimension, to the counter's place in `all`, which
  /// holds the steps one after the other. Maps `all` like `step`.
  void update(const Tensor& all, const Tensor& step);

  /// Adds to the body what adds `step` to `sum`, and clears `sum` before the loop. Maps `sum` like
  /// `step`.
  void accumulate(const Tensor& sum, const Tensor& step);

  [[nodiscard]] Program& body() { return body_; }

  /// Adds the loop with its counter to `program`.
  void finish(Program& program);

 private:
  void addSlices(const Tensor& all, const Tensor& step, models::SliceDirection direction,
                 const std::string& name);
  /// A compute set that adds `step` to `sum`, which is mapped alike.
  Program addInPlace(const Tensor& sum, const Tensor& step, const std::string& name);

  MatmulSite site_;
  std::uint32_t steps_;
  Tensor counter_;
  Program before_;
  Program body_;
};

}  // namespace ipusim::workloads
