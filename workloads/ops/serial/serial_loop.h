// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/graph.h"
#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {

/// Where a loop of serial steps is built.
struct SerialSite {
  Graph& graph;
  const Architecture& machine;
  std::string name;  ///< prefix of the names of all that is added
  std::uint32_t steps;
};

/// The loop of an operation in serial steps: a counter, what a step takes out of the operands, and
/// what it puts into the result. Every tile slices its own share. Only the counter is exchanged.
/// All tensors have one dimension and consecutive elements.
class SerialLoop {
 public:
  explicit SerialLoop(SerialSite site);

  /// Adds to the body what copies the counter's step of `all`, which holds the steps one after the
  /// other, to `step`. Each step is mapped like `step`. `name` is that of the operand.
  void slice(const Tensor& all, const Tensor& step, const std::string& name);

  /// Adds to the body what puts `step` to the counter's place in `all`, which holds the steps one
  /// after the other. Maps `all` like `step`.
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

  SerialSite site_;
  Tensor counter_;
  Program before_;
  Program body_;
};

}  // namespace ipusim::workloads
