// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// The parameter update of stochastic gradient descent with momentum.

namespace ipusim::workloads {

/// Adds a tensor that lies like `parameter` and lives always. It holds the velocity.
Tensor addVelocity(Graph& graph, const Tensor& parameter, const std::string& name);

struct SgdRates {
  double learning_rate;
  double momentum;
};

/// A parameter to update. Besides padding, the parameter is all of one variable.
struct SgdUpdate {
  Tensor parameter;
  Tensor velocity;  ///< made by addVelocity
  Tensor gradient;  ///< with the shape of the parameter, anywhere
  SgdRates rates;
};

/// Adds the update to `program`, as the framework executes it: velocity *= momentum, velocity +=
/// gradient and parameter -= learning_rate * velocity. These are three compute sets where the
/// parameter lies. A gradient that lies elsewhere is first copied there. Padding takes part,
/// whatever it holds.
/// Source: graphcore/popart willow/src/patterns (SGD with separate buffers; MIT).
void addSgdStep(Graph& graph, const Architecture& machine, const SgdUpdate& update,
                const std::string& name, Program& program);

}  // namespace ipusim::workloads
