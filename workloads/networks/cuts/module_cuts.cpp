// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/cuts/module_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ipusim/ids.h"
#include "workloads/networks/graph/layer_networks.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kNever = static_cast<std::size_t>(-1);

/// Walks the nodes in order, and knows which tensors lead from those behind it to those before it.
class CutFinder {
 public:
  explicit CutFinder(const NetworkGraph& graph)
      : graph_(graph),
        last_read_(graph.tensors().size(), kNever),
        is_learnt_(graph.tensors().size(), false) {
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
      for (const NetworkTensorId operand : graph.nodes()[n].operands) {
        last_read_[indexOf(operand)] = n;
      }
    }
  }

  std::vector<NetworkModule> find() {
    std::vector<NetworkModule> modules;
    std::size_t first = 0;
    const std::size_t count = graph_.nodes().size();
    for (std::size_t n = 0; n < count; ++n) {
      pass(n);
      if (n + 1 == count || !mayCutBehind(n)) continue;
      modules.push_back({first, n + 1, open_.front()});
      first = n + 1;
    }
    modules.push_back({first, count});
    return modules;
  }

 private:
  /// Results and parameters that node n, or one before it, has to do with, and that one after it
  /// reads, are open.
  void pass(std::size_t n) {
    const NetworkNode& node = graph_.nodes()[n];
    bool is_learnt = false;
    for (const NetworkTensorId operand : node.operands) {
      const bool is_parameter = graph_[operand].role == TensorRole::Parameter;
      is_learnt = is_learnt || is_parameter || is_learnt_[indexOf(operand)];
      if (is_parameter) open(operand);
    }
    for (const NetworkTensorId result : node.results) {
      is_learnt_[indexOf(result)] = is_learnt;
      open(result);
    }
    const auto is_done = [&](NetworkTensorId tensor) { return last_read_[indexOf(tensor)] <= n; };
    open_.erase(std::remove_if(open_.begin(), open_.end(), is_done), open_.end());
  }

  void open(NetworkTensorId tensor) {
    const bool is_read = last_read_[indexOf(tensor)] != kNever;
    const bool is_open = std::find(open_.begin(), open_.end(), tensor) != open_.end();
    if (is_read && !is_open) open_.push_back(tensor);
  }

  [[nodiscard]] bool mayCutBehind(std::size_t n) const {
    if (open_.size() != 1) return false;
    const NetworkTensorId tensor = open_.front();
    const ElementType type = graph_[tensor].type.type;
    const bool is_number = type == ElementType::Float || type == ElementType::Half;
    return graph_[tensor].role == TensorRole::Result && is_number && is_learnt_[indexOf(tensor)] &&
           layerOf(graph_.nodes()[n]) != layerOf(graph_.nodes()[n + 1]);
  }

  const NetworkGraph& graph_;
  std::vector<std::size_t> last_read_;  ///< by tensor
  std::vector<bool> is_learnt_;         ///< by tensor: it depends on parameters
  std::vector<NetworkTensorId> open_;
};

std::string typeText(const TensorType& type) {
  return fmt::format("{} {}", nameOf(type.type), textOf(type.shape));
}

}  // namespace

std::vector<NetworkModule> modulesOf(const NetworkGraph& forward) {
  return CutFinder(forward).find();
}

std::string contentOf(const NetworkGraph& forward, std::size_t first, std::size_t last) {
  std::unordered_map<std::size_t, std::size_t> numbers;  // of tensors, in the order of their names
  std::string text;
  const auto add = [&](NetworkTensorId tensor) {
    const auto [found, is_new] = numbers.emplace(indexOf(tensor), numbers.size());
    text += fmt::format(" {}", found->second);
    if (!is_new) return;
    const NetworkTensor& known = forward[tensor];
    text += fmt::format(":{} {}", static_cast<int>(known.role), typeText(known.type));
  };
  for (std::size_t n = first; n < last; ++n) {
    const NetworkNode& node = forward.nodes()[n];
    const Operation& operation = *node.operation;
    const std::optional<std::string> settings = operation.settings();
    text += operation.kind() + ' ';
    text += settings ? *settings : fmt::format("{}", static_cast<const void*>(&operation));
    for (const NetworkTensorId operand : node.operands) add(operand);
    text += " =";
    for (const NetworkTensorId result : node.results) add(result);
    text += '\n';
  }
  return text;
}

}  // namespace ipusim::workloads
