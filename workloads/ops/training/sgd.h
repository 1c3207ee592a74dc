// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// The parameter update of stochastic gradient descent with momentum.

namespace ipusim::workloads {

/// A tensor that lies like `parameter` and lives always, for what has been learnt so far.
Tensor addVelocity(Graph& graph, const Tensor& parameter, const std::string& name);

struct SgdRates {
  double learning_rate;
  double momentum;
};

/// A parameter to update: all there is, beside padding, in one variable.
struct SgdUpdate {
  Tensor parameter;
  Tensor velocity;  ///< by addVelocity
  Tensor gradient;  ///< of the shape of the parameter, anywhere
  SgdRates rates;
};

/// Adds to `program` the update as the framework executes it, velocity *= momentum, velocity +=
/// gradient and parameter -= learning_rate * velocity: three compute sets, where the parameter
/// lies. A gradient that lies elsewhere is copied there first. Padding takes part, with whatever it
/// holds. Source: graphcore/popart willow/src/patterns (SGD with separate buffers; MIT).
void addSgdStep(Graph& graph, const Architecture& machine, const SgdUpdate& update,
                const std::string& name, Program& program);

}  // namespace ipusim::workloads
