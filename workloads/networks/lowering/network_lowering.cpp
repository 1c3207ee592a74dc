// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/lowering/network_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/ids.h"
#include "models/ipu/machine/element_words.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

/// Who makes each tensor, and how often it is read.
class NetworkUses {
 public:
  NetworkUses(const NetworkGraph& network, const NetworkOutputs& outputs)
      : network_(network),
        producers_(network.tensors().size(), kNoNode),
        reads_(network.tensors().size(), 0),
        lives_always_(network.nodes().size(), false) {
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
      for (const NetworkTensorId result : network.nodes()[n].results) {
        producers_[indexOf(result)] = n;
      }
      for (const NetworkTensorId operand : network.nodes()[n].operands) ++reads_[indexOf(operand)];
    }
    for (const auto* const list : {&outputs.kept, &outputs.read}) {
      for (const NetworkTensorId output : *list) ++reads_[indexOf(output)];
    }
    for (const NetworkTensorId output : outputs.kept) keep(output);
  }

  /// Whether a node is the only one that ever reads the memory of its operand, or of what the
  /// operand is a view of.
  [[nodiscard]] bool isOnlyRead(NetworkTensorId operand) const {
    while (reads_[indexOf(operand)] == 1 && producers_[indexOf(operand)] != kNoNode) {
      const NetworkNode& producer = network_.nodes()[producers_[indexOf(operand)]];
      if (!producer.operation->sharesMemory()) return true;
      if (!producer.operation->isView()) return false;
      operand = producer.operands.front();
    }
    return false;
  }

  [[nodiscard]] Lifetime lifetimeOf(std::size_t node) const {
    return lives_always_[node] ? Lifetime::Always : Lifetime::Temporary;
  }

 private:
  /// Makes a tensor live always, and all that has its memory.
  void keep(NetworkTensorId tensor) {
    std::vector<NetworkTensorId> open{tensor};
    while (!open.empty()) {
      const std::size_t node = producers_[indexOf(open.back())];
      open.pop_back();
      if (node == kNoNode || lives_always_[node]) continue;
      lives_always_[node] = true;
      const NetworkNode& producer = network_.nodes()[node];
      if (producer.operation->sharesMemory()) {
        open.insert(open.end(), producer.operands.begin(), producer.operands.end());
      } else if (producer.operation->mayOverwrite() && isOnlyRead(producer.operands.front())) {
        open.push_back(producer.operands.front());
      }
    }
  }

  const NetworkGraph& network_;
  std::vector<std::size_t> producers_;  ///< by tensor
  std::vector<std::size_t> reads_;      ///< by tensor
  std::vector<bool> lives_always_;      ///< by node
};

/// Throws NotLowered unless the operation has steps for operands of these types.
void expectTaken(const Operation& operation, const NodeSite& site) {
  if (operation.takesWhole()) return;
  for (const TensorType& operand : site.types) {
    if (isReal(operand.type) || operand.type == ElementType::Quarter) continue;
    throw NotLowered(fmt::format("{}: wanted halves or floats for {}, found {}", site.name,
                                 operation.kind(), nameOf(operand.type)));
  }
}

}  // namespace

class NetworkLowering::Builder {
 public:
  Builder(const NetworkGraph& network, const NetworkOutputs& outputs, Graph& graph,
          const Architecture& machine)
      : network_(network),
        uses_(network, outputs),
        graph_(graph),
        machine_(machine),
        tensors_(network.tensors().size()),
        is_training_(std::any_of(
            network.nodes().begin(), network.nodes().end(),
            [](const NetworkNode& node) { return node.pass == NetworkPass::Backward; })) {}

  void add(std::size_t first, std::size_t last, Program& program) {
    for (std::size_t n = first; n < last; ++n) addNode(n, program);
  }

  Tensor tensor(NetworkTensorId id) {
    std::optional<Tensor>& found = tensors_[indexOf(id)];
    if (!found) found = spread(network_[id]);
    return *found;
  }

  [[nodiscard]] const LoweredTensors& tensors() const { return tensors_; }

 private:
  void addNode(std::size_t index, Program& program) {
    const NetworkNode& node = network_.nodes()[index];
    if (network_.shapeOf(node.results.front()).empty()) {
      throw NotLowered(node.name +
                       ": wanted what has steps for tiles, found a result without dimensions");
    }
    NodeSite site{graph_,
                  machine_,
                  node.name,
                  network_.typesOf(node.operands),
                  network_.shapeOf(node.results.front()),
                  uses_.lifetimeOf(index),
                  is_training_,
                  {},
                  network_.products()};
    for (const NetworkTensorId operand : node.operands) {
      site.is_last_use.push_back(uses_.isOnlyRead(operand));
    }
    expectTaken(*node.operation, site);
    const std::unique_ptr<NodeLowering> lowering = node.operation->lowering(std::move(site));
    const std::vector<Tensor> results = lowering->lower(placed(node, *lowering), program);
    for (std::size_t r = 0; r < results.size(); ++r) {
      tensors_[indexOf(node.results[r])] = results[r];
    }
  }

  /// The operands of a node. Sources that no earlier node has read are placed.
  std::vector<Tensor> placed(const NetworkNode& node, NodeLowering& lowering) {
    std::vector<std::optional<Tensor>> known;
    for (const NetworkTensorId operand : node.operands) known.push_back(tensors_[indexOf(operand)]);
    std::vector<Tensor> operands;
    for (std::size_t o = 0; o < known.size(); ++o) {
      // An operand may be given twice.
      if (!known[o]) known[o] = tensors_[indexOf(node.operands[o])];
      if (!known[o]) known[o] = lowering.place(o, known);
      if (!known[o]) known[o] = spread(network_[node.operands[o]]);
      tensors_[indexOf(node.operands[o])] = known[o];
      operands.push_back(*known[o]);
    }
    return operands;
  }

  Tensor spread(const NetworkTensor& source) {
    // A number without dimensions lies in a variable of one element.
    const Shape shape = source.type.shape.empty() ? Shape{1} : source.type.shape;
    Tensor tensor = graph_.addVariable(source.type.type, shape, source.name, Lifetime::Always);
    graph_.mapLinearly(tensor, machine_);
    return tensor;
  }

  const NetworkGraph& network_;
  NetworkUses uses_;
  Graph& graph_;
  const Architecture& machine_;
  LoweredTensors tensors_;
  bool is_training_;
};

NetworkLowering::NetworkLowering(const NetworkGraph& network, const NetworkOutputs& outputs,
                                 Graph& graph, const Architecture& machine)
    : builder_(std::make_unique<Builder>(network, outputs, graph, machine)) {}

NetworkLowering::~NetworkLowering() = default;

void NetworkLowering::add(std::size_t first, std::size_t last, Program& program) {
  builder_->add(first, last, program);
}

Tensor NetworkLowering::tensor(NetworkTensorId id) {
  return builder_->tensor(id);
}

const LoweredTensors& NetworkLowering::tensors() const {
  return builder_->tensors();
}

LoweredTensors lowerNetwork(const NetworkGraph& network,
                            const std::vector<NetworkTensorId>& outputs, Graph& graph,
                            const Architecture& machine, Program& program) {
  NetworkLowering lowering(network, {outputs, {}}, graph, machine);
  lowering.add(0, network.nodes().size(), program);
  for (const NetworkTensorId output : outputs) lowering.tensor(output);
  return lowering.tensors();
}

}  // namespace ipusim::workloads
