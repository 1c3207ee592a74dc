// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/cuts/cut_network.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "ipusim/ids.h"
#include "workloads/networks/compression/compression_choice.h"
#include "workloads/networks/cuts/network_part.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/layer_networks.h"
#include "workloads/networks/lowering/network_lowering.h"
#include "workloads/networks/training/parameter_update.h"

namespace ipusim::workloads {

namespace {

/// What is read besides what the nodes read: by the chips beside this one, the host and the update.
NetworkOutputs outputsOf(const NetworkPart& part) {
  NetworkOutputs outputs;
  if (part.loss) outputs.kept.push_back(*part.loss);
  if (part.result) outputs.read.push_back(*part.result);
  if (part.x_gradient) outputs.read.push_back(*part.x_gradient);
  for (const auto& [parameter, gradient] : part.gradients) outputs.read.push_back(gradient);
  return outputs;
}

/// A stage of a network of nodes.
class PartStage final : public Stage {
 public:
  /// `network` must outlive this.
  PartStage(Graph& graph, const Architecture& machine, NetworkPart part,
            const NetworkToTrain& network, const StageSharing& sharing)
      : graph_(graph),
        machine_(machine),
        part_(std::move(part)),
        network_(network),
        sharing_(sharing),
        lowering_(part_.graph, outputsOf(part_), graph, machine) {}

  void addForward(Program& program) override {
    Program forward;
    lowering_.add(0, part_.forward_nodes, forward);
    const std::vector<Tensor> batch = batchTensors();
    if (network_.copies_batch && !batch.empty()) {
      program.add(graph_.stream("host/copyIn", batch, HostDirection::ToChip, HostPath::Link));
    }
    program.add(std::move(forward));
    if (part_.result) send(*part_.result, "send/result", program);
  }

  void addBackward(Program& program) override {
    lowering_.add(part_.forward_nodes, part_.graph.nodes().size(), program);
    if (part_.x_gradient) send(*part_.x_gradient, "send/gradient", program);
    std::vector<Parameter> parameters;
    std::vector<Tensor> gradients;
    for (const auto& [parameter, gradient] : part_.gradients) {
      parameters.push_back({part_.graph[parameter].name, lowering_.tensor(parameter)});
      gradients.push_back(lowering_.tensor(gradient));
    }
    update_.emplace(graph_, machine_, std::move(parameters), network_.optimiser, sharing_);
    update_->accumulate(gradients, program);
  }

  void addUpdate(Program& program) override {
    update_->addSteps(program);
    if (!network_.copies_batch || !part_.loss) return;
    const Tensor loss = lowering_.tensor(*part_.loss);
    program.add(graph_.stream("host/copyOut", {loss}, HostDirection::ToHost, HostPath::Link));
  }

  [[nodiscard]] const std::vector<Parameter>& parameters() const override {
    return update_->parameters();
  }
  [[nodiscard]] const std::vector<Tensor>& states() const override { return update_->states(); }
  [[nodiscard]] const std::vector<Tensor>& accumulators() const override {
    return update_->accumulators();
  }
  [[nodiscard]] std::vector<Tensor> inputs() const override {
    return tensorsOf(inputsOfNodes(0, part_.forward_nodes));
  }
  [[nodiscard]] std::vector<Tensor> inputsOfBackward() const override {
    return tensorsOf(inputsOfNodes(part_.forward_nodes, part_.graph.nodes().size()));
  }

 private:
  /// What the host writes of a micro-batch: the inputs but for that from another chip.
  [[nodiscard]] std::vector<Tensor> batchTensors() const {
    std::set<NetworkTensorId> inputs = inputsOfNodes(0, part_.forward_nodes);
    if (part_.x) inputs.erase(*part_.x);
    return tensorsOf(inputs);
  }

  /// The inputs that nodes [first, last) read, but for the gradient of the result.
  [[nodiscard]] std::set<NetworkTensorId> inputsOfNodes(std::size_t first, std::size_t last) const {
    const std::vector<NetworkTensorId> storage = storageOfTensors(part_.graph);
    std::set<NetworkTensorId> found;
    for (std::size_t n = first; n < last; ++n) {
      for (const NetworkTensorId operand : part_.graph.nodes()[n].operands) {
        const NetworkTensorId stored = storage[indexOf(operand)];
        const bool is_input = part_.graph[stored].role == TensorRole::Input;
        if (is_input && part_.gradient != stored) found.insert(stored);
      }
    }
    return found;
  }

  [[nodiscard]] std::vector<Tensor> tensorsOf(const std::set<NetworkTensorId>& inputs) const {
    std::vector<Tensor> tensors;
    tensors.reserve(inputs.size());
    for (const NetworkTensorId input : inputs) {
      tensors.push_back(*lowering_.tensors()[indexOf(input)]);
    }
    return tensors;
  }

  /// Adds a buffer for another chip, and the copy to it.
  void send(NetworkTensorId id, const std::string& name, Program& program) {
    const Tensor tensor = lowering_.tensor(id);
    const Tensor buffer = graph_.addVariable(tensor.type(), tensor.shape(), name, Lifetime::Always);
    graph_.mapLinearly(buffer, machine_);
    program.add(graph_.copy(tensor, buffer, name + "/arranged"));
  }

  Graph& graph_;
  const Architecture& machine_;
  NetworkPart part_;
  const NetworkToTrain& network_;
  StageSharing sharing_;
  NetworkLowering lowering_;
  std::optional<ParameterUpdate> update_;
};

/// The nodes at the beginning of a part that come before its backward pass.
std::size_t forwardNodes(const NetworkGraph& graph) {
  const auto& nodes = graph.nodes();
  const auto backward = std::find_if(nodes.begin(), nodes.end(), [](const NetworkNode& node) {
    return !isBeforeBackward(node.pass);
  });
  return static_cast<std::size_t>(backward - nodes.begin());
}

/// Which activations of a network are kept as codes. The choice is of the whole network, so that
/// it is the same however the network is cut.
class CodedActivations {
 public:
  CodedActivations(const NetworkGraph& forward, const std::vector<NetworkModule>& modules,
                   const ActivationCodes& codes)
      : forward_(forward), codes_(codes) {
    const NetworkPart whole = partOf(forward, modules, 0, modules.size(), false);
    std::set<NetworkTensorId> chosen;
    for (const NetworkTensorId tensor : chosenTensors(whole.graph, *codes.codec, codes.choice)) {
      chosen.insert(tensor);
    }
    for (const auto& [original, copy] : whole.copies) {
      if (chosen.count(copy) > 0) coded_.insert(original);
    }
    if (codes.choice.target == Bytes(0)) return;
    const std::vector<NetworkTensorId> tensors(chosen.begin(), chosen.end());
    const Compression coded = withCodes(whole.graph, *codes.codec, codes.choice.signs, tensors);
    warning_ = missedTarget(keptBytes(coded.graph), codes.choice);
  }

  [[nodiscard]] bool any() const { return !coded_.empty(); }
  /// What is said where codes do not make the saved tensors of a micro-batch small enough.
  [[nodiscard]] const std::optional<std::string>& warning() const { return warning_; }

  /// What contentOf() says of the nodes [first, last), with the tensors that are coded among those
  /// which they read and make.
  [[nodiscard]] std::string contentOf(std::size_t first, std::size_t last) const {
    std::string text = "coded";
    std::size_t place = 0;
    const auto add = [&](NetworkTensorId tensor) {
      if (coded_.count(indexOf(tensor)) > 0) text += ' ' + std::to_string(place);
      ++place;
    };
    for (std::size_t n = first; n < last; ++n) {
      const NetworkNode& node = forward_.nodes()[n];
      for (const NetworkTensorId operand : node.operands) add(operand);
      for (const NetworkTensorId result : node.results) add(result);
    }
    return text + '\n' + workloads::contentOf(forward_, first, last);
  }

  void encodeIn(NetworkPart& part) const {
    std::vector<NetworkTensorId> wanted;
    for (const auto& [original, copy] : part.copies) {
      if (coded_.count(original) > 0) wanted.push_back(copy);
    }
    std::sort(wanted.begin(), wanted.end());
    const SignSource signs = codes_.choice.signs;
    const std::vector<NetworkTensorId> codable =
        codableTensors(part.graph, *codes_.codec, signs, wanted);
    part.graph = withCodes(part.graph, *codes_.codec, signs, codable).graph;
    part.forward_nodes = forwardNodes(part.graph);
  }

 private:
  const NetworkGraph& forward_;
  const ActivationCodes& codes_;
  std::set<std::size_t> coded_;  ///< indices of tensors of the forward pass
  std::optional<std::string> warning_;
};

class CutNetwork final : public TrainedNetwork {
 public:
  explicit CutNetwork(NetworkToTrain network)
      : network_(std::move(network)), modules_(modulesOf(network_.forward)) {
    if (network_.codes) coded_.emplace(network_.forward, modules_, *network_.codes);
  }

  [[nodiscard]] std::size_t modules() const override { return modules_.size(); }
  [[nodiscard]] std::string nameOf(std::size_t module) const override {
    return layerOf(network_.forward.nodes()[modules_.at(module).first_node]);
  }
  [[nodiscard]] std::string contentOf(ModuleRange range) const override {
    const std::size_t first = modules_.at(range.first).first_node;
    const std::size_t last = modules_.at(range.last - 1).last_node;
    return coded_ ? coded_->contentOf(first, last)
                  : workloads::contentOf(network_.forward, first, last);
  }
  [[nodiscard]] Bytes resultOf(std::size_t module) const override {
    const std::optional<NetworkTensorId>& result = modules_.at(module).result;
    return result ? bytesOf(network_.forward[*result]) : Bytes(0);
  }
  [[nodiscard]] bool codesActivations() const override { return coded_ && coded_->any(); }
  [[nodiscard]] std::vector<std::string> warnings() const override {
    if (!coded_ || !coded_->warning()) return {};
    return {*coded_->warning()};
  }
  [[nodiscard]] std::map<std::string, std::uint64_t> passes() const override {
    return network_.passes;
  }
  [[nodiscard]] std::uint64_t batch() const override { return network_.batch; }
  [[nodiscard]] bool updatesByNorms() const override { return readsNorms(network_.optimiser.rule); }
  [[nodiscard]] double hostStepSeconds() const override { return network_.host_step_seconds; }
  [[nodiscard]] std::unique_ptr<Stage> stage(Graph& graph, const Architecture& machine,
                                             ModuleRange range,
                                             const StageSharing& sharing) const override {
    NetworkPart part =
        partOf(network_.forward, modules_, range.first, range.last, sharing.recomputes_modules);
    if (coded_) coded_->encodeIn(part);
    return std::make_unique<PartStage>(graph, machine, std::move(part), network_, sharing);
  }

 private:
  NetworkToTrain network_;
  std::vector<NetworkModule> modules_;
  std::optional<CodedActivations> coded_;  ///< none where nothing is coded
};

}  // namespace

std::shared_ptr<const TrainedNetwork> trainedNetwork(NetworkToTrain network) {
  return std::make_shared<const CutNetwork>(std::move(network));
}

}  // namespace ipusim::workloads
