// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/lowering/network_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/ids.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/ops/placement/arrange.h"

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

/// Tensors of the network, or of one of its functions, while it is lowered.
struct Frame {
  LoweredTensors tensors;  ///< by tensor of the network
  Lifetime sources;        ///< of those that are placed here
};

/// A function, and the first node of each of its calls.
struct LoweredFunction {
  OutlinedFunction of;
  std::optional<FunctionId> id = std::nullopt;  ///< none before the first call
  std::vector<Tensor> arguments = {};           ///< by port
  std::vector<Tensor> results = {};             ///< by port
};

}  // namespace

class NetworkLowering::Builder {
 public:
  Builder(const NetworkGraph& network, const NetworkOutputs& outputs, Graph& graph,
          const Architecture& machine, std::vector<OutlinedFunction> functions)
      : network_(network),
        uses_(network, outputs),
        graph_(graph),
        machine_(machine),
        main_{LoweredTensors(network.tensors().size()), Lifetime::Always},
        is_training_(std::any_of(
            network.nodes().begin(), network.nodes().end(),
            [](const NetworkNode& node) { return node.pass == NetworkPass::Backward; })) {
    for (OutlinedFunction& function : functions) functions_.push_back({std::move(function)});
  }

  void add(std::size_t first, std::size_t last, Program& program) {
    addNodes(first, last, main_, program);
  }

  Tensor tensor(NetworkTensorId id) {
    std::optional<Tensor>& found = main_.tensors[indexOf(id)];
    if (!found) found = spread(network_[id], Lifetime::Always);
    return *found;
  }

  [[nodiscard]] const LoweredTensors& tensors() const { return main_.tensors; }

 private:
  /// Adds the steps of nodes, or calls in their place.
  void addNodes(std::size_t first, std::size_t last, Frame& frame, Program& program) {
    for (std::size_t n = first; n < last;) {
      LoweredFunction* const function = functionAt(n, last - first);
      if (function == nullptr) {
        addNode(n++, frame, program);
      } else {
        addCall(*function, n, frame, program);
        n += function->of.length;
      }
    }
  }

  /// The longest function that is called at a node of a sequence; it is shorter than the sequence.
  LoweredFunction* functionAt(std::size_t node, std::size_t sequence) {
    LoweredFunction* longest = nullptr;
    for (LoweredFunction& function : functions_) {
      const OutlinedFunction& of = function.of;
      const bool is_called = std::binary_search(of.calls.begin(), of.calls.end(), node);
      if (!is_called || of.length >= sequence) continue;
      if (longest == nullptr || of.length > longest->of.length) longest = &function;
    }
    return longest;
  }

  /// Adds the copies of a call's operands, the call, and the copies of its results.
  void addCall(LoweredFunction& function, std::size_t node, Frame& frame, Program& program) {
    if (!function.id) addFunction(function, node, frame);
    const OutlinedFunction& of = function.of;
    const std::string name = network_.nodes()[node].name;
    std::vector<CopyPair> in;
    for (std::size_t a = 0; a < of.arguments.size(); ++a) {
      const NetworkTensorId id = of.argument(network_, node, of.arguments[a]);
      std::optional<Tensor>& tensor = frame.tensors[indexOf(id)];
      if (!tensor) tensor = cloneOf(function.arguments[a], network_[id].name, frame.sources);
      in.push_back(whole(*tensor, function.arguments[a]));
    }
    // What a call before left in the padding of an argument is not read either.
    for (const Tensor& argument : function.arguments) program.add(writeUndef(argument));
    program.add(graph_.copy(in, name + "/copyIn"));
    program.add(call(*function.id));
    std::vector<CopyPair> out;
    for (std::size_t r = 0; r < of.results.size(); ++r) {
      const NetworkTensorId id = of.result(network_, node, of.results[r]);
      Tensor tensor = cloneOf(function.results[r], network_[id].name,
                              uses_.lifetimeOf(node + of.results[r].node));
      out.push_back(whole(function.results[r], tensor));
      frame.tensors[indexOf(id)] = std::move(tensor);
    }
    program.add(graph_.copy(out, name + "/copyOut"));
  }

  /// Lowers the nodes of the first call as the body of a function. An operand that lies somewhere
  /// already gives its layout to the argument. A source gets the layout that the body wants, as do
  /// those of all calls.
  void addFunction(LoweredFunction& function, std::size_t node, const Frame& frame) {
    const OutlinedFunction& of = function.of;
    Frame inside{LoweredTensors(network_.tensors().size()), Lifetime::Temporary};
    for (const FunctionPort& port : of.arguments) {
      const NetworkTensorId id = of.argument(network_, node, port);
      const std::optional<Tensor>& known = frame.tensors[indexOf(id)];
      if (!known) continue;
      inside.tensors[indexOf(id)] =
          cloneOf(*known, network_[id].name + "/argument", Lifetime::Temporary);
    }
    Program body;
    addNodes(node, node + of.length, inside, body);
    for (const FunctionPort& port : of.arguments) {
      function.arguments.push_back(*inside.tensors[indexOf(of.argument(network_, node, port))]);
    }
    for (const FunctionPort& port : of.results) {
      function.results.push_back(*inside.tensors[indexOf(of.result(network_, node, port))]);
    }
    function.id = graph_.addFunction(std::move(body));
  }

  /// A copy of a tensor to another one. Where both lie alike, their padding goes with them: what is
  /// written as a whole has its memory from then on only.
  CopyPair whole(const Tensor& from, const Tensor& to) {
    const bool are_alike = viewsOneVariable(graph_, from) && viewsOneVariable(graph_, to) &&
                           lieAlike(graph_, from, to);
    return are_alike ? CopyPair{storageOf(graph_, from), storageOf(graph_, to)}
                     : CopyPair{from, to};
  }

  /// A variable that lies as a tensor does, or is spread over the tiles where that has no variable
  /// of its own.
  Tensor cloneOf(const Tensor& tensor, const std::string& name, Lifetime lifetime) {
    if (viewsOneVariable(graph_, tensor)) {
      return addAlike(graph_, tensor, tensor.type(), name, lifetime);
    }
    Tensor clone = graph_.addVariable(tensor.type(), tensor.shape(), name, lifetime);
    graph_.mapLinearly(clone, machine_);
    return clone;
  }

  void addNode(std::size_t index, Frame& frame, Program& program) {
    const NetworkNode& node = network_.nodes()[index];
    if (network_.shapeOf(node.results.front()).empty()) {
      throw NotLowered(node.name +
                       ": wanted what has steps for tiles, found a result without dimensions");
    }
    const bool is_main = &frame == &main_;
    NodeSite site{graph_,
                  machine_,
                  node.name,
                  network_.typesOf(node.operands),
                  network_.shapeOf(node.results.front()),
                  is_main ? uses_.lifetimeOf(index) : Lifetime::Temporary,
                  is_training_,
                  {},
                  network_.products(),
                  frame.sources};
    for (const NetworkTensorId operand : node.operands) {
      site.is_last_use.push_back(uses_.isOnlyRead(operand));
    }
    expectTaken(*node.operation, site);
    const std::unique_ptr<NodeLowering> lowering = node.operation->lowering(std::move(site));
    const std::vector<Tensor> operands = placed(node, *lowering, frame);
    const std::size_t first_own = graph_.variables().size();
    Program steps;
    const std::vector<Tensor> results = lowering->lower(operands, steps);
    addOwn(first_own, std::move(steps), program);
    for (std::size_t r = 0; r < results.size(); ++r) {
      frame.tensors[indexOf(node.results[r])] = results[r];
    }
  }

  /// Adds the steps of a node, whose own variables are those from `first_own` on. They hold nothing
  /// before it: where padding of them is never written, no step would else begin a new life.
  /// Source: the vendor's compiler, to which an element that nobody writes has no life.
  void addOwn(std::size_t first_own, Program steps, Program& program) {
    WriteUndef undef;
    for (std::size_t v = first_own; v < graph_.variables().size(); ++v) {
      const auto id = static_cast<VariableId>(v);
      if (graph_.variable(id).lifetime == Lifetime::Temporary) undef.variables.push_back(id);
    }
    if (!undef.variables.empty()) program.add({std::move(undef)});
    for (Program& step : std::get<Sequence>(steps.step).steps) program.add(std::move(step));
  }

  /// The operands of a node. Sources that no earlier node has read are placed.
  std::vector<Tensor> placed(const NetworkNode& node, NodeLowering& lowering, Frame& frame) {
    std::vector<std::optional<Tensor>> known;
    for (const NetworkTensorId operand : node.operands) {
      known.push_back(frame.tensors[indexOf(operand)]);
    }
    std::vector<Tensor> operands;
    for (std::size_t o = 0; o < known.size(); ++o) {
      // An operand may be given twice.
      if (!known[o]) known[o] = frame.tensors[indexOf(node.operands[o])];
      if (!known[o]) known[o] = lowering.place(o, known);
      if (!known[o]) known[o] = spread(network_[node.operands[o]], frame.sources);
      frame.tensors[indexOf(node.operands[o])] = known[o];
      operands.push_back(*known[o]);
    }
    return operands;
  }

  Tensor spread(const NetworkTensor& source, Lifetime lifetime) {
    // A number without dimensions lies in a variable of one element.
    const Shape shape = source.type.shape.empty() ? Shape{1} : source.type.shape;
    Tensor tensor = graph_.addVariable(source.type.type, shape, source.name, lifetime);
    graph_.mapLinearly(tensor, machine_);
    return tensor;
  }

  const NetworkGraph& network_;
  NetworkUses uses_;
  Graph& graph_;
  const Architecture& machine_;
  Frame main_;
  bool is_training_;
  std::vector<LoweredFunction> functions_;
};

NetworkLowering::NetworkLowering(const NetworkGraph& network, const NetworkOutputs& outputs,
                                 Graph& graph, const Architecture& machine,
                                 std::vector<OutlinedFunction> functions)
    : builder_(std::make_unique<Builder>(network, outputs, graph, machine, std::move(functions))) {}

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
                            const Architecture& machine, Program& program,
                            const std::vector<OutlinedFunction>& functions) {
  NetworkLowering lowering(network, {outputs, {}}, graph, machine, functions);
  lowering.add(0, network.nodes().size(), program);
  for (const NetworkTensorId output : outputs) lowering.tensor(output);
  return lowering.tensors();
}

}  // namespace ipusim::workloads
