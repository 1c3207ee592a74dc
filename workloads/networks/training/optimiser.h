// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config/words.h"
#include "workloads/networks/training/backward.h"

namespace ipusim::workloads {

/// Rules by which parameters follow their gradients. Adam and Lamb leave out the correction of
/// their first steps.
enum class OptimiserRule : std::uint8_t { Sgd, Momentum, Lars, Adam, Lamb };

constexpr Words<OptimiserRule, 5> kOptimiserRules{{
    {OptimiserRule::Sgd, "sgd"},
    {OptimiserRule::Momentum, "momentum"},
    {OptimiserRule::Lars, "lars"},
    {OptimiserRule::Adam, "adam"},
    {OptimiserRule::Lamb, "lamb"},
}};

/// With g' = g + weight_decay w, and ratio = |w| / |step| (1 where either is zero):
///
///   sgd       w -= rate g'
///   momentum  v = momentum v + g';                          w -= rate v
///   lars      v = momentum v + rate trust |w| / (|g| + weight_decay |w|) g';  w -= v
///   adam      m = momentum m + (1 - momentum) g
///             v = square_momentum v + (1 - square_momentum) g^2
///             step = m / (sqrt(v) + epsilon) + weight_decay w;  w -= rate step
///   lamb      as adam, with                                 w -= rate ratio step
///
/// Sources: You et al., arXiv:1708.03888 (LARS); Kingma and Ba, arXiv:1412.6980 (Adam); You et al.,
/// arXiv:1904.00962 (LAMB).
struct Optimiser {
  OptimiserRule rule = OptimiserRule::Momentum;
  double rate = 1e-3;
  double momentum = 0.9;
  double square_momentum = 0.999;
  double weight_decay = 0;
  double trust = 1e-3;
  double epsilon = 1e-8;
};

/// The number of state tensors that a rule keeps for each parameter.
std::size_t statesOf(OptimiserRule rule);

/// Whether a rule reads the norms of a whole parameter.
bool readsNorms(OptimiserRule rule);

/// Adds the update of each parameter that has a gradient, in the order of the parameters. Each
/// result of an update is written over its operand: parameter, then states.
void addUpdates(NetworkGraph& graph, const TensorGradients& gradients, const Optimiser& optimiser);

}  // namespace ipusim::workloads
