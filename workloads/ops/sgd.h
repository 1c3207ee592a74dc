// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/graph/graph.h"

// The parameter update of stochastic gradient descent with momentum.

namespace ipusim::workloads {

/// A tensor of the shape, type and layout of `parameter` that lives always, for what has been
/// learnt so far.
Tensor addVelocity(Graph& graph, const Tensor& parameter, const std::string& name);

struct SgdTensors {
  Tensor parameter;
  Tensor velocity;  ///< by addVelocity
  Tensor gradient;  ///< of any layout
};

struct SgdRates {
  double learning_rate;
  double momentum;
};

/// Adds to `program` the update as the framework executes it, velocity *= momentum, velocity +=
/// gradient and parameter -= learning_rate * velocity: three compute sets, where the parameter
/// lies, on all of its variable, padding included. A gradient that lies elsewhere is copied there
/// first. Source: graphcore/popart willow/src/patterns (SGD with separate buffers; MIT).
void addSgdStep(Graph& graph, const models::Machine& machine, const SgdTensors& tensors,
                const SgdRates& rates, const std::string& name, Program& program);

}  // namespace ipusim::workloads
