// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/chakra/graph_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/interop/chakra/node_order.h"
#include "workloads/sources/trace/limits.h"

namespace ipusim::interop::chakra {

namespace {

constexpr std::uint64_t kElementBytes = 4;  // floats
/// The largest number that the reader of traces takes unless it is told otherwise.
constexpr std::uint64_t kMostNumber = workloads::TraceLimits().number;
constexpr const char* kExchangeEnd = "/Exchange";  // the compiler's end of an exchange's name

/// The attributes that the step of a node takes. None for a node that becomes no step.
std::vector<std::string_view> keysOf(NodeType type) {
  switch (type) {
    case NodeType::Comp:
      return {"cycles", "num_ops", "tensor_size"};
    case NodeType::CommColl:
      return {"comm_size", "comm_type"};
    case NodeType::MemLoad:
    case NodeType::MemStore:
      return {"tensor_size"};
    default:
      return {};
  }
}

/// Counts what has no counterpart, by kind.
class Losses {
 public:
  void add(const std::string& what, std::uint64_t id) {
    ++kinds_.try_emplace(what, id, 0).first->second.second;
  }
  /// Notes a loss that belongs to no node.
  void add(const std::string& what) { others_.push_back(what); }

  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines = others_;
    lines.reserve(others_.size() + kinds_.size());
    for (const auto& [what, first] : kinds_) {
      lines.push_back(fmt::format("{} (nodes: {}, first id: {})", what, first.second, first.first));
    }
    return lines;
  }

 private:
  /// The first node, and how many there are.
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> kinds_;
  std::vector<std::string> others_;  ///< losses that belong to no node
};

/// Cycles of a node, without the machine's overheads around the vertex.
VertexType plainVertex(Cycles cycles, std::uint64_t inputs, const VertexWork& work) {
  VertexType type;
  type.name = "chakra::Compute";
  type.kind = VertexKind::Supervisor;
  if (inputs > 0) {
    type.fields.push_back({"in", FieldDirection::Input, ElementType::Float, {{inputs, 1}}});
  }
  type.fields.push_back({"out", FieldDirection::Output, ElementType::Float, {{1, 1}}});
  type.sizes.state = Bytes(kElementBytes * (inputs + 1));
  type.work = work;
  type.cost = [cycles](const Architecture& machine) {
    const Overheads& overheads = machine.overheads;
    return excess(cycles, overheads.supervisor_call + overheads.compute_set_entry);
  };
  type.compute = [](const VertexData& /*data*/) {};
  return type;
}

/// The name of the copy whose exchange has the name of the node.
std::string copyName(const std::string& name) {
  const std::string end = kExchangeEnd;
  const bool has_end =
      name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  return has_end ? name.substr(0, name.size() - end.size()) : name;
}

class ChakraBuilder {
 public:
  ChakraBuilder(const Trace& trace, const std::string& file, const Machine& machine)
      : trace_(trace), file_(file), machine_(machine), tokens_(trace.nodes.size()) {}

  ChakraGraph build() {
    expectSteps();
    const NodeOrder order = orderOf(trace_, file_);
    addSource();
    for (const Attribute& attribute : trace_.attributes) {
      losses_.add(fmt::format("attribute {} of the metadata", inQuotes(attribute.name)));
    }
    for (const std::size_t index : order.nodes) addNode(index, order.data_deps[index]);
    for (const std::size_t index : order.unknown_ctrl_deps) {
      losses_.add("ctrl_deps on nodes that are not in the trace", trace_.nodes[index].id);
    }
    return {std::move(graph_), losses_.lines()};
  }

 private:
  void expectSteps() const {
    const bool any = std::any_of(trace_.nodes.begin(), trace_.nodes.end(),
                                 [](const Node& node) { return !keysOf(node.type).empty(); });
    if (any) return;
    throw ConfigError(
        fmt::format("{}: nodes: wanted one at least that is a COMP_NODE, COMM_COLL_NODE, "
                    "MEM_LOAD_NODE or MEM_STORE_NODE, found none among {}",
                    file_, trace_.nodes.size()));
  }

  void addNode(std::size_t index, const std::vector<std::size_t>& deps) {
    const Node& node = trace_.nodes[index];
    switch (node.type) {
      case NodeType::Comp:
        addCompute(index, deps);
        break;
      case NodeType::CommColl:
        addCopy(index, deps);
        break;
      case NodeType::MemLoad:
        addStream(node, HostDirection::ToChip);
        break;
      case NodeType::MemStore:
        addStream(node, HostDirection::ToHost);
        break;
      default:
        losses_.add(nameOf(node.type), node.id);
        return;
    }
    addLosses(node);
  }

  /// Counts what the node says and its step does not take.
  void addLosses(const Node& node) {
    const bool said_more = !(node.inputs == IoInfo()) || !(node.outputs == IoInfo());
    if (said_more) losses_.add("inputs and outputs", node.id);
    if (node.start_time_micros > 0) losses_.add("start_time_micros", node.id);
    if (node.duration_micros > 0 && node.type != NodeType::Comp) {
      losses_.add(fmt::format("duration_micros of {}: the machine says it", nameOf(node.type)),
                  node.id);
    }
    for (const Attribute& attribute : node.attributes) {
      if (isTaken(attribute, node)) continue;
      losses_.add(fmt::format("attribute {} of {}", inQuotes(attribute.name), nameOf(node.type)),
                  node.id);
    }
  }

  /// True for an attribute that the step of `node` has. All steps are those of a chip.
  static bool isTaken(const Attribute& attribute, const Node& node) {
    if (attribute.name == "is_cpu_op") return attribute.value == false;
    const std::vector<std::string_view> keys = keysOf(node.type);
    return std::find(keys.begin(), keys.end(), attribute.name) != keys.end() &&
           attribute.value == node.count(attribute.name);
  }

  Cycles cyclesOf(const Node& node) {
    if (const auto exact = node.count("cycles")) return checkedCycles(node, *exact);
    const double cycles = std::ceil(estimatedCycles(node));
    const bool small = cycles < static_cast<double>(kMostNumber);
    return checkedCycles(node, small ? static_cast<std::uint64_t>(cycles) : kMostNumber + 1);
  }

  double estimatedCycles(const Node& node) {
    constexpr double kMicrosPerSecond = 1e6;
    if (node.duration_micros > 0) {
      return static_cast<double>(node.duration_micros) * machine_.clock_hz / kMicrosPerSecond;
    }
    const auto operations = static_cast<double>(node.count("num_ops").value_or(0));
    if (operations == 0) losses_.add("COMP_NODE without a time: takes no cycles", node.id);
    return operations / machine_.peakFlopsPerCycle(ElementType::Float, ElementType::Float);
  }

  [[nodiscard]] Cycles checkedCycles(const Node& node, std::uint64_t cycles) const {
    return Cycles(checkedCount(node, "cycles", cycles));
  }

  [[nodiscard]] std::uint64_t checkedCount(const Node& node, const char* noun,
                                           std::uint64_t count) const {
    if (count <= kMostNumber) return count;
    throw ConfigError(
        fmt::format("{}: node {}: wanted at most 2^53 {}, found more", file_, node.id, noun));
  }

  /// The element that stands for the result of a node, on tile 0.
  Tensor addToken(std::size_t index) {
    Tensor token =
        graph_.addVariable(ElementType::Float, {1}, fmt::format("node {}", trace_.nodes[index].id));
    graph_.setTileMapping(token, TileId(0));
    tokens_[index] = token;
    return token;
  }

  /// The elements of the nodes that are in the graph's data; the others keep the order alone.
  std::vector<Tensor> tokensOf(const Node& node, const std::vector<std::size_t>& deps) {
    std::vector<Tensor> tokens;
    for (const std::size_t dep : deps) {
      if (tokens_[dep]) {
        tokens.push_back(*tokens_[dep]);
      } else {
        losses_.add("data_deps on nodes of memory or without a step: order alone", node.id);
      }
    }
    return tokens;
  }

  void addCompute(std::size_t index, const std::vector<std::size_t>& deps) {
    const Node& node = trace_.nodes[index];
    View inputs;
    for (const Tensor& token : tokensOf(node, deps)) {
      for (const Section& section : token.view()) inputs.push_back(section);
    }
    const auto count = [&](const char* key) {
      return checkedCount(node, key, node.count(key).value_or(0));
    };
    const VertexWork work{Flops(count("num_ops")), Bytes(count("tensor_size")), Bytes(0)};
    VertexFamily family;
    family.type = shared(plainVertex(cyclesOf(node), inputs.size(), work));
    family.tile = TileId(0);
    if (!inputs.empty()) family.fields.push_back({inputs});
    family.fields.push_back({addToken(index).view()});
    const ComputeSetId compute_set = graph_.addComputeSet(node.name);
    graph_.addVertices(compute_set, std::move(family));
    graph_.program().add(execute(compute_set));
  }

  /// A size in bytes that the attribute `key` of a node says, in elements. Nothing when it says
  /// none.
  std::uint64_t elementsOf(const Node& node, const char* key) {
    const std::uint64_t bytes = node.count(key).value_or(0);
    if (bytes > machine_.totalSram().value()) {
      throw ConfigError(
          fmt::format("{}: node {}: {}: wanted at most {} bytes, the memory of the "
                      "machine, found {}",
                      file_, node.id, key, machine_.totalSram().value(), bytes));
    }
    if (bytes == 0) losses_.add(fmt::format("{} without {}", nameOf(node.type), key), node.id);
    if (bytes % kElementBytes != 0) losses_.add("bytes beyond whole floats: rounded up", node.id);
    return ceilDiv(bytes, kElementBytes);
  }

  /// Adds what all copies read: a row of elements on each tile.
  void addSource() {
    std::uint64_t most = 0;
    for (const Node& node : trace_.nodes) {
      const std::uint64_t bytes = node.count("comm_size").value_or(0);
      if (node.type == NodeType::CommColl && bytes <= machine_.totalSram().value()) {
        most = std::max(most, ceilDiv(ceilDiv(bytes, kElementBytes), tiles()));
      }
    }
    if (most == 0) return;
    source_ = graph_.addVariable(ElementType::Float, {tiles(), most}, "sent", Lifetime::Always);
    for (std::uint64_t t = 0; t < tiles(); ++t) {
      graph_.setTileMapping(source_.slice(t, t + 1, 0), TileId(static_cast<std::uint32_t>(t)));
    }
  }

  void addCopy(std::size_t index, const std::vector<std::size_t>& deps) {
    const Node& node = trace_.nodes[index];
    if (tiles() < 2) {
      losses_.add("COMM_COLL_NODE on a machine of one tile", node.id);
      return;
    }
    std::uint64_t elements = elementsOf(node, "comm_size");
    if (elements == 0) return;
    std::vector<CopyPair> pairs;
    elements -= addDependencies(index, deps, elements, pairs);
    addRows(elements / tiles(), elements % tiles(), node, pairs);
    graph_.program().add(graph_.copy(pairs, copyName(node.name)));
    losses_.add("comm_type: each tile sends an equal part to the next one", node.id);
  }

  /// Lets the copy read what it depends on, and write its own token. Returns how many elements it
  /// takes of the copy's.
  std::uint64_t addDependencies(std::size_t index, const std::vector<std::size_t>& deps,
                                std::uint64_t elements, std::vector<CopyPair>& pairs) {
    const Node& node = trace_.nodes[index];
    const std::vector<Tensor> tokens = tokensOf(node, deps);
    if (elements < tokens.size() + 1) {
      losses_.add("data_deps of a COMM_COLL_NODE with fewer floats: order alone", node.id);
      return 0;
    }
    if (!tokens.empty()) {
      const Tensor arrived =
          graph_.addVariable(ElementType::Float, {tokens.size()}, node.name + "/arrived");
      graph_.setTileMapping(arrived, TileId(1));
      pairs.push_back({concat(tokens, 0), arrived});
    }
    pairs.push_back({source_.slice(1, 2, 0).slice(0, 1, 1).reshape({1}), addToken(index)});
    return tokens.size() + 1;
  }

  /// Lets each tile send `each` elements to the next one, and the first `more` tiles one more.
  void addRows(std::uint64_t each, std::uint64_t more, const Node& node,
               std::vector<CopyPair>& pairs) {
    if (each > 0) addBlock(source_.slice(0, each, 1), node, pairs);
    if (more > 0) addBlock(source_.slice(each, each + 1, 1).slice(0, more, 0), node, pairs);
  }

  void addBlock(const Tensor& from, const Node& node, std::vector<CopyPair>& pairs) {
    const Tensor to = graph_.addVariable(ElementType::Float, from.shape(), node.name + "/received");
    for (std::uint64_t t = 0; t < from.shape()[0]; ++t) {
      graph_.setTileMapping(to.slice(t, t + 1, 0),
                            TileId(static_cast<std::uint32_t>((t + 1) % tiles())));
    }
    pairs.push_back({from, to});
  }

  void addStream(const Node& node, HostDirection direction) {
    const std::uint64_t elements = elementsOf(node, "tensor_size");
    if (elements == 0) return;
    const auto [buffer, is_new] = buffers_.try_emplace(elements);
    if (is_new) {
      buffer->second = graph_.addVariable(ElementType::Float, {elements},
                                          fmt::format("host {}", elements), Lifetime::Always);
      graph_.mapLinearly(buffer->second, machine_);
    }
    graph_.program().add(graph_.stream(node.name, {buffer->second}, direction, HostPath::Link));
  }

  [[nodiscard]] std::uint64_t tiles() const { return machine_.tiles; }

  const Trace& trace_;
  const std::string& file_;
  const Machine& machine_;
  Graph graph_;
  Tensor source_;
  std::vector<std::optional<Tensor>> tokens_;
  std::map<std::uint64_t, Tensor> buffers_;  ///< by their elements
  Losses losses_;
};

}  // namespace

ChakraGraph graphOf(const Trace& trace, const std::string& file, const Machine& machine) {
  return ChakraBuilder(trace, file, machine).build();
}

}  // namespace ipusim::interop::chakra
