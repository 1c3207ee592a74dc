// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/shl_network.h"

#include <algorithm>

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/nonlinearity.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/training/softmax_loss.h"

namespace ipusim::workloads {

namespace {

/// The most products in the passes from whose differences a check computes slopes.
constexpr std::uint64_t kMaxCheckedWork = 20'000'000'000;

MatmulProblem trainingOptions() {
  MatmulProblem options;
  options.pass = MatmulPass::TrainingFwd;
  return options;
}

}  // namespace

bool isCheckable(const ShlShape& shape, std::uint64_t parameters, std::uint64_t steps) {
  // Divided factor by factor, because the product of the factors may not fit 64 bits.
  std::uint64_t left = kMaxCheckedWork;
  for (const std::uint64_t factor : {parameters, shape.batch, parameters + shape.features, steps}) {
    left /= std::max<std::uint64_t>(factor, 1);
  }
  return left > 0;
}

ShlNetwork::ShlNetwork(Graph& graph, const Architecture& machine, const ShlShape& shape,
                       const MakeLayer& make_hidden)
    : graph_(graph), machine_(machine), shape_(shape) {
  hidden_ = make_hidden({graph, machine, "hidden", shape.batch});
  x_ = hidden_->addInput("x", shape.features);
  labels_ = graph.addVariable(ElementType::UInt32, {shape.batch}, "labels", Lifetime::Always);
  graph.mapLinearly(labels_, machine);
  if (shape.has_wrapper_bias) {
    const Tensor bias =
        graph.addVariable(ElementType::Float, {shape.features}, "wrapper/bias", Lifetime::Always);
    graph.mapLinearly(bias, machine);
    wrapper_bias_ = Parameter{"wrapper_bias", bias};
  }
  head_ = std::make_shared<DenseLayer>(
      LayerSite{graph, machine, "output", shape.batch},
      DenseShape{shape.features, shape.classes, true, trainingOptions()});
  for (const Parameter& parameter : parameters()) {
    velocities_.push_back(addVelocity(graph, parameter.tensor, parameter.name + "/velocity"));
  }
}

std::vector<Parameter> ShlNetwork::parameters() const {
  std::vector<Parameter> all;
  const auto add = [&](const std::string& layer, const Parameter& parameter) {
    all.push_back({layer + "/" + parameter.name, parameter.tensor});
  };
  for (const Parameter& parameter : hidden_->parameters()) add("hidden", parameter);
  if (wrapper_bias_) all.push_back(*wrapper_bias_);
  for (const Parameter& parameter : head_->parameters()) add("output", parameter);
  return all;
}

void ShlNetwork::addStep(const SgdRates& rates, Program& program) {
  const Tensor z = hidden_->forward(x_, Lifetime::Temporary, program);
  if (wrapper_bias_) addBias(graph_, z, wrapper_bias_->tensor, "wrapper/Add", program);
  const Tensor active = relu(graph_, machine_, storageOf(graph_, z), {"relu"}, program);
  const Tensor h = z.inVariable(active.pieces().front().variable);
  const Tensor logits = head_->forward(h, Lifetime::Temporary, program);
  const SoftmaxLoss loss = addSoftmaxLoss(graph_, machine_, {logits, labels_}, "loss", program);
  loss_ = loss.loss;

  std::vector<Tensor> of_head = head_->backward(loss.gradient, program);
  const Tensor dh = arrangedAs(graph_, h, head_->inputGradient(loss.gradient, program),
                               "relu/gradient/arranged", program);
  const Tensor inactive =
      reluGradient(graph_, machine_, {storageOf(graph_, dh), active}, "relu/gradient", program);
  const Tensor dz = z.inVariable(inactive.pieces().front().variable);
  std::vector<Tensor> gradients = hidden_->backward(dz, program);
  if (wrapper_bias_) {
    gradients.push_back(biasGradient({graph_, machine_, "wrapper", shape_.batch},
                                     wrapper_bias_->tensor, dz, program));
  }
  gradients.insert(gradients.end(), of_head.begin(), of_head.end());

  const std::vector<Parameter> learnt = parameters();
  for (std::size_t p = 0; p < learnt.size(); ++p) {
    addSgdStep(graph_, machine_, {learnt[p].tensor, velocities_[p], gradients[p], rates},
               learnt[p].name + "/sgd", program);
  }
}

std::vector<HostTensor> ShlNetwork::inputs() const {
  std::vector<HostTensor> tensors{{"x", x_}, {"labels", labels_, shape_.classes}};
  for (const HostTensor& learnt : outputs()) {
    if (learnt.name != "loss") tensors.push_back(learnt);
  }
  return tensors;
}

std::vector<HostTensor> ShlNetwork::outputs() const {
  std::vector<HostTensor> tensors{{"loss", loss_}};
  const std::vector<Parameter> learnt = parameters();
  for (const Parameter& parameter : learnt) tensors.push_back({parameter.name, parameter.tensor});
  for (std::size_t p = 0; p < learnt.size(); ++p) {
    tensors.push_back({learnt[p].name + "/velocity", velocities_[p]});
  }
  return tensors;
}

}  // namespace ipusim::workloads
