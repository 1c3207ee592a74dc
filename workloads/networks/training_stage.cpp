// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training_stage.h"

#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/nonlinearity.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/training/softmax_loss.h"

namespace ipusim::workloads {

TrainingStage::TrainingStage(Graph& graph, const Architecture& machine, const Network& network,
                             ModuleRange range, const StageSharing& sharing)
    : graph_(graph),
      machine_(machine),
      network_(network),
      range_(range),
      sharing_(sharing),
      layers_(range.size()),
      wrapper_biases_(range.size()),
      rectified_(range.size()),
      results_(range.size()),
      module_gradients_(range.size()) {
  check(range.size() > 0, "a stage has modules");
  const Module& first = module(range.first);
  if (first.kind == ModuleKind::Layer) {
    addLayer(range.first);
    x_ = layers_.front()->addInput("x", first.inputs);
  } else {
    x_ = addBoundary("x", first.inputs);
  }
  if (isLast()) {
    labels_ = graph.addVariable(ElementType::UInt32, {network.batch}, "labels", Lifetime::Always);
    graph.mapLinearly(labels_, machine);
  }
  for (std::size_t m = range.first; m < range.last; ++m) {
    if (m > range.first && module(m).kind == ModuleKind::Layer) addLayer(m);
    if (!module(m).has_wrapper_bias) continue;
    Tensor bias = graph.addVariable(ElementType::Float, {module(m).outputs}, "wrapper/bias",
                                    Lifetime::Always);
    graph.mapLinearly(bias, machine);
    wrapper_biases_[m - range.first] = std::move(bias);
  }
  addState();
}

LayerSite TrainingStage::siteOf(const std::string& name) const {
  return {graph_, machine_, name, network_.batch};
}

void TrainingStage::addLayer(std::size_t m) {
  layers_[m - range_.first] = module(m).make(siteOf(module(m).name));
}

/// Adds a variable for what crosses to another chip.
Tensor TrainingStage::addBoundary(const std::string& name, std::uint64_t width) {
  Tensor boundary =
      graph_.addVariable(ElementType::Float, {network_.batch, width}, name, Lifetime::Always);
  graph_.mapLinearly(boundary, machine_);
  return boundary;
}

void TrainingStage::addState() {
  std::vector<Parameter> parameters;
  for (std::size_t m = 0; m < range_.size(); ++m) {
    if (!layers_[m]) continue;
    for (const Parameter& parameter : layers_[m]->parameters()) {
      parameters.push_back(
          {module(range_.first + m).name + "/" + parameter.name, parameter.tensor});
    }
    if (wrapper_biases_[m]) parameters.push_back({"wrapper_bias", *wrapper_biases_[m]});
  }
  Optimiser optimiser;
  optimiser.rule = OptimiserRule::Momentum;
  optimiser.rate = network_.rates.learning_rate;
  optimiser.momentum = network_.rates.momentum;
  update_.emplace(graph_, machine_, std::move(parameters), optimiser, sharing_);
}

std::vector<Tensor> TrainingStage::inputsOfBackward() const {
  if (module(range_.first).kind != ModuleKind::Layer) return {};
  return {x_};
}

Tensor TrainingStage::layerForward(std::size_t m, const Tensor& in, Program& program) {
  Tensor out = layers_[m - range_.first]->forward(in, Lifetime::Temporary, program);
  const std::optional<Tensor>& bias = wrapper_biases_[m - range_.first];
  if (bias) addBias(graph_, out, *bias, "wrapper/Add", program);
  return out;
}

Tensor TrainingStage::reluForward(std::size_t m, const Tensor& in, Program& program) {
  const Tensor storage = relu(graph_, machine_, storageOf(graph_, in), {module(m).name}, program);
  Tensor out = in.inVariable(storage.pieces().front().variable);
  rectified_[m - range_.first] = {in, out, storage};
  return out;
}

void TrainingStage::addForward(Program& program) {
  if (network_.copies_batch && (isFirst() || isLast())) {
    std::vector<Tensor> from_host;
    if (isFirst()) from_host.push_back(x_);
    if (isLast()) from_host.push_back(labels_);
    program.add(graph_.stream("host/copyIn", from_host, HostDirection::ToChip, HostPath::Link));
  }
  Tensor at = x_;
  for (std::size_t m = range_.first; m < range_.last; ++m) {
    if (module(m).kind == ModuleKind::SoftmaxLoss) {
      const SoftmaxLoss loss =
          addSoftmaxLoss(graph_, machine_, {at, labels_}, module(m).name, program);
      loss_ = loss.loss;
      gradient_ = loss.gradient;
      continue;
    }
    at = module(m).kind == ModuleKind::Relu ? reluForward(m, at, program)
                                            : layerForward(m, at, program);
    results_[m - range_.first] = at;
  }
  if (isLast()) return;
  const std::uint64_t width = module(range_.last - 1).outputs;
  program.add(graph_.copy(at, addBoundary("send/result", width), "send/result/arranged"));
  gradient_ = addBoundary("gradient", width);
}

Tensor TrainingStage::layerBackward(std::size_t m, const Tensor& gradient, Program& program) {
  const std::size_t local = m - range_.first;
  // A relu and a loss leave the gradient where the layer can use it.
  const Tensor arranged = m + 1 < range_.last
                              ? gradient
                              : arrangedAs(graph_, results_[local], gradient,
                                           module(m).name + "/gradient/arranged", program);
  Layer& layer = *layers_[local];
  module_gradients_[local] = layer.backward(arranged, program);
  if (wrapper_biases_[local]) {
    module_gradients_[local].push_back(
        biasGradient(siteOf("wrapper"), *wrapper_biases_[local], arranged, program));
  }
  return m > 0 ? layer.inputGradient(arranged, program) : Tensor();
}

Tensor TrainingStage::reluBackward(std::size_t m, const Tensor& gradient, Program& program) {
  const Rectified& saved = rectified_[m - range_.first];
  const std::string name = module(m).name + "/gradient";
  const Tensor arranged = arrangedAs(graph_, saved.out, gradient, name + "/arranged", program);
  const Tensor storage = nonlinearityGradient(
      graph_, machine_, {models::NonLinearity::Relu, storageOf(graph_, arranged), saved.storage},
      {name}, program);
  return saved.in.inVariable(storage.pieces().front().variable);
}

void TrainingStage::addBackward(Program& program) {
  Tensor gradient = gradient_;
  for (std::size_t m = range_.last; m-- > range_.first;) {
    if (module(m).kind == ModuleKind::SoftmaxLoss) continue;
    gradient = module(m).kind == ModuleKind::Relu ? reluBackward(m, gradient, program)
                                                  : layerBackward(m, gradient, program);
  }
  if (!isFirst()) {
    const Tensor sent = addBoundary("send/gradient", module(range_.first).inputs);
    program.add(graph_.copy(gradient, sent, "send/gradient/arranged"));
  }
  std::vector<Tensor> gradients;
  for (const std::vector<Tensor>& of_module : module_gradients_) {
    gradients.insert(gradients.end(), of_module.begin(), of_module.end());
  }
  update_->accumulate(gradients, program);
}

void TrainingStage::addUpdate(Program& program) {
  update_->addSteps(program);
  if (network_.copies_batch && isLast()) {
    program.add(graph_.stream("host/copyOut", {loss_}, HostDirection::ToHost, HostPath::Link));
  }
}

namespace {

class ModuleNetwork final : public TrainedNetwork {
 public:
  explicit ModuleNetwork(Network network) : network_(std::move(network)) {}

  [[nodiscard]] std::size_t modules() const override { return network_.modules.size(); }
  [[nodiscard]] std::string nameOf(std::size_t module) const override {
    return network_.modules.at(module).name;
  }
  [[nodiscard]] std::string contentOf(ModuleRange range) const override {
    std::string content;
    for (std::size_t m = range.first; m < range.last; ++m) {
      content += ", " + network_.modules.at(m).description;
    }
    return content;
  }
  [[nodiscard]] Bytes resultOf(std::size_t module) const override {
    if (module + 1 == modules()) return {};
    return network_.batch * network_.modules.at(module).outputs * sizeOf(ElementType::Float);
  }
  [[nodiscard]] bool canRecomputeModules() const override { return false; }
  [[nodiscard]] bool codesActivations() const override { return false; }
  [[nodiscard]] std::uint64_t batch() const override { return network_.batch; }
  [[nodiscard]] double hostStepSeconds() const override { return network_.host_step_seconds; }
  [[nodiscard]] std::unique_ptr<Stage> stage(Graph& graph, const Architecture& machine,
                                             ModuleRange range,
                                             const StageSharing& sharing) const override {
    return std::make_unique<TrainingStage>(graph, machine, network_, range, sharing);
  }

 private:
  Network network_;
};

}  // namespace

TrainedNetworkPointer trainedNetwork(Network network) {
  return std::make_shared<const ModuleNetwork>(std::move(network));
}

}  // namespace ipusim::workloads
