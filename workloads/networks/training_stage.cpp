// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training_stage.h"

#include "ipusim/error.h"
#include "workloads/networks/gradient_sharing.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/elementwise/nonlinearity.h"
#include "workloads/ops/fill/zero.h"
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
  for (std::size_t m = 0; m < range_.size(); ++m) {
    if (!layers_[m]) continue;
    for (const Parameter& parameter : layers_[m]->parameters()) {
      parameters_.push_back(
          {module(range_.first + m).name + "/" + parameter.name, parameter.tensor});
    }
    if (wrapper_biases_[m]) parameters_.push_back({"wrapper_bias", *wrapper_biases_[m]});
  }
  for (const Parameter& parameter : parameters_) {
    if (!sharing_.shards_optimizer) {
      velocities_.push_back(addVelocity(graph_, parameter.tensor, parameter.name + "/velocity"));
    }
    if (sharing_.accumulates) {
      accumulators_.push_back(addAlike(graph_, parameter.tensor, parameter.tensor.type(),
                                       parameter.name + "/accumulator", Lifetime::Always));
    }
  }
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
  for (const std::vector<Tensor>& of_module : module_gradients_) {
    gradients_.insert(gradients_.end(), of_module.begin(), of_module.end());
  }
  if (!isFirst()) {
    const Tensor sent = addBoundary("send/gradient", module(range_.first).inputs);
    program.add(graph_.copy(gradient, sent, "send/gradient/arranged"));
  }
  if (sharing_.accumulates) accumulate(program);
}

void TrainingStage::accumulate(Program& program) {
  Elementwise ops(graph_, machine_, program);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::string name = parameters_[p].name + "/accumulate";
    const Tensor gradient =
        arrangedAs(graph_, parameters_[p].tensor, gradients_[p], name + "/gradient", program);
    ops.binaryInPlace(models::BinaryOp::Add, storageOf(graph_, accumulators_[p]),
                      storageOf(graph_, gradient), name + "/Add");
  }
  gradients_ = accumulators_;
}

/// The storage of the gradients, where each lies like its parameter.
std::vector<Tensor> TrainingStage::arrangedGradients(Program& program) {
  std::vector<Tensor> storage;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    gradients_[p] = arrangedAs(graph_, parameters_[p].tensor, gradients_[p],
                               parameters_[p].name + "/sum/gradient", program);
    storage.push_back(storageOf(graph_, gradients_[p]));
  }
  return storage;
}

/// Sums gradients in each rack, and then the shares between racks. Where a rack has one replica,
/// `shared` is between racks.
Tensor TrainingStage::addGradientSum(const SharedTensors& shared, Program& program) {
  Tensor sum = addReduceScatter(graph_, machine_, shared, "collective/gradients", program);
  if (sharing_.rack_replicas == 1 || sharing_.racks == 1) return sum;
  const SharedTensors across{{sum}, sharing_.racks};
  const Tensor share = addReduceScatter(graph_, machine_, across, "collective/racks", program);
  addAllGather(graph_, share, across, "collective/racks/gather", program);
  return sum;
}

/// Each replica of a rack updates its share of all parameters, and sends the share to the others.
void TrainingStage::addShardedUpdate(Program& program) {
  std::vector<Tensor> weights;
  for (const Parameter& parameter : parameters_) {
    weights.push_back(storageOf(graph_, parameter.tensor));
  }
  const SharedTensors shared{weights, sharing_.rack_replicas};
  const Tensor gradient =
      addGradientSum({arrangedGradients(program), sharing_.rack_replicas}, program);
  const Tensor share = addAlike(graph_, gradient, ElementType::Float, "collective/landing/weights",
                                Lifetime::Always);
  addShareCopy(graph_, shared, share, "collective/weights/own", program);
  velocities_ = {addVelocity(graph_, share, "shard/velocity")};
  addSgdStep(graph_, machine_, {share, velocities_.front(), gradient, network_.rates}, "shard/sgd",
             program);
  addAllGather(graph_, share, shared, "collective/weights", program);
}

void TrainingStage::addUpdate(Program& program) {
  const std::uint64_t replicas =
      sharing_.rack_replicas > 1 ? sharing_.rack_replicas : sharing_.racks;
  if (sharing_.shards_optimizer && !parameters_.empty()) {
    addShardedUpdate(program);
  } else {
    if (replicas > 1 && !parameters_.empty()) {
      const SharedTensors shared{arrangedGradients(program), replicas};
      const Tensor sum = addGradientSum(shared, program);
      addAllGather(graph_, sum, shared, "collective/gradients/gather", program);
    }
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      addSgdStep(graph_, machine_,
                 {parameters_[p].tensor, velocities_[p], gradients_[p], network_.rates},
                 parameters_[p].name + "/sgd", program);
    }
  }
  if (sharing_.accumulates && !accumulators_.empty()) {
    std::vector<Tensor> storage;
    for (const Tensor& accumulator : accumulators_) {
      storage.push_back(storageOf(graph_, accumulator));
    }
    addZero(graph_, machine_, storage, "accumulators/zero", program);
  }
  if (network_.copies_batch && isLast()) {
    program.add(graph_.stream("host/copyOut", {loss_}, HostDirection::ToHost, HostPath::Link));
  }
}

}  // namespace ipusim::workloads
