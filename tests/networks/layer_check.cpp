// SPDX-License-Identifier: Apache-2.0
#include "tests/networks/layer_check.h"

#include <numeric>

#include "ipusim/error.h"
#include "sim/compile/compile.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

/// The tolerance of single precision, for sums of some hundred terms of either sign.
constexpr double kTolerance = 1e-5;

/// Layers are linear in each of their parameters, so differences are exact for any step.
constexpr double kStep = 0.5;

/// The derivatives of `function` by each of `values`, which it reads.
Values differencesOf(const std::function<double()>& function, Values& values) {
  Values derivatives;
  derivatives.reserve(values.size());
  for (double& value : values) {
    const double at = value;
    value = at + kStep;
    const double above = function();
    value = at - kStep;
    derivatives.push_back((above - function()) / (2 * kStep));
    value = at;
  }
  return derivatives;
}

}  // namespace

LayerRun::LayerRun(const Machine& machine, const LayerSizes& sizes, const MakeLayer& make)
    : machine_(machine),
      graph_(std::make_unique<Graph>()),
      layer_(make({*graph_, machine, "layer", sizes.batch})) {
  Program& program = graph_->program();
  x_ = graph_->addVariable(ElementType::Float, {sizes.batch, sizes.inputs}, "x", Lifetime::Always);
  graph_->mapLinearly(x_, machine);
  const Tensor y = layer_->forward(x_, Lifetime::Always, program);
  outputs_.push_back({"y", y});
  gradient_ = addAlike(*graph_, y, y.type(), "gradient", Lifetime::Always);
  const std::vector<Tensor> gradients = layer_->backward(gradient_, program);
  ipusim::check(gradients.size() == layer_->parameters().size(), "a gradient for each parameter");
  for (std::size_t p = 0; p < gradients.size(); ++p) {
    const Parameter& parameter = layer_->parameters()[p];
    ipusim::check(lieAlike(*graph_, parameter.tensor, gradients[p]),
                  parameter.name + ": a gradient that lies like it");
    keep(parameter.name + " gradient", gradients[p]);
  }
}

void LayerRun::keep(const std::string& name, const Tensor& tensor) {
  const Tensor kept = addAlike(*graph_, tensor, tensor.type(), name, Lifetime::Always);
  graph_->program().add(graph_->copy(tensor, kept, name));
  outputs_.push_back({name, kept});
}

void LayerRun::expectInputGradient(const Tensor& gradient) {
  keep("x gradient", gradient);
  has_input_gradient_ = true;
}

std::vector<Values> LayerRun::expected(std::vector<Values> inputs) const {
  Values x = std::move(inputs[0]);
  const Values gradient = std::move(inputs[1]);
  std::vector<Values> parameters(inputs.begin() + 2, inputs.end());
  const auto sum = [&] {
    const Values y = layer_->reference(parameters, x);
    return std::inner_product(y.begin(), y.end(), gradient.begin(), 0.0);
  };
  std::vector<Values> outputs{layer_->reference(parameters, x)};
  for (Values& parameter : parameters) outputs.push_back(differencesOf(sum, parameter));
  if (has_input_gradient_) outputs.push_back(differencesOf(sum, x));
  return outputs;
}

checker::CheckResult LayerRun::check() const {
  std::vector<HostTensor> inputs{{"x", x_}, {"gradient", gradient_}};
  for (const Parameter& parameter : layer_->parameters()) {
    inputs.push_back({parameter.name, parameter.tensor});
  }
  return checker::checkNumbers(
      *graph_, compiler::compile(*graph_, machine_), {inputs, outputs_},
      {[this](const std::vector<Values>& values) { return expected(values); }, kTolerance});
}

testing::AssertionResult checkLayer(const Machine& machine, const LayerSizes& sizes,
                                    const MakeLayer& make) {
  const checker::CheckResult result = LayerRun(machine, sizes, make).check();
  if (result.ok) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.output << "[" << result.index << "]: wanted "
                                     << result.wanted << ", found " << result.found;
}

}  // namespace ipusim::workloads
