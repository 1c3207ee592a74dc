// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ipusim/expected.h"
#include "workloads/networks/layer.h"
#include "workloads/ops/training/sgd.h"

namespace ipusim::workloads {

/// A network with a single hidden layer, from (batch, features) to (batch, classes).
struct ShlShape {
  std::uint64_t features;
  std::uint64_t classes;
  std::uint64_t batch;
  bool has_wrapper_bias;  ///< whether the class around the hidden layer has a second bias
};

/// One training step of the network in doubles:
///
///   loss = mean over the batch of cross entropy(softmax(head(relu(hidden(x) + wrapper_bias))))
///   v'   = momentum v + slope
///   p'   = p - learning_rate v'
///
/// The slopes use nothing of the program's backward pass. A layer is affine in every single one of
/// its parameters and of its inputs, so a difference over a step of any size is exact. Softmax and
/// relu have their slopes in closed form: a difference across the kink of the relu would be the
/// slope of neither side.
class ShlReference {
 public:
  ShlReference(std::shared_ptr<const Layer> hidden, std::shared_ptr<const Layer> head,
               const ShlShape& shape)
      : hidden_(std::move(hidden)), head_(std::move(head)), shape_(shape) {}

  /// Loss, parameters and velocities after a step, from x, labels, parameters and velocities.
  /// Parameters are those of the hidden layer, the wrapper's bias and those of the head.
  ///
  /// The scale of a parameter is its largest change; the scale of a velocity is its largest slope.
  /// An update that is small beside what it updates is therefore checked all the same. The slack
  /// covers the rounding of floats. It also covers units whose sign before the relu is lost in
  /// rounding: they may count or not.
  [[nodiscard]] Expected step(const std::vector<Values>& inputs, const SgdRates& rates) const;

 private:
  /// Values of the forward pass, the slopes of the loss by them, and how far rounding moves the
  /// slopes.
  struct Level {
    Values at;
    Values slopes;
    Values slack;
  };
  struct Pass {
    double loss = 0;
    double loss_slack = 0;
    Level before_relu;
    Level logits;
    Values by_unit;  ///< the slopes of each logit by the units of its row
  };

  [[nodiscard]] Values beforeRelu(const std::vector<Values>& parameters, const Values& x) const;
  [[nodiscard]] std::vector<Values> headOf(const std::vector<Values>& parameters) const;
  void addSlopesByUnit(const std::vector<Values>& of_head, Pass& pass) const;
  [[nodiscard]] double roundingOfRow(std::uint64_t row, const Pass& pass) const;
  void addLoss(const Values& labels, Pass& pass) const;
  void passBack(Pass& pass) const;
  [[nodiscard]] Level slopesOf(std::vector<Values>& parameters, std::size_t index, const Values& x,
                               const Pass& pass) const;

  std::shared_ptr<const Layer> hidden_;
  std::shared_ptr<const Layer> head_;
  ShlShape shape_;
};

}  // namespace ipusim::workloads
