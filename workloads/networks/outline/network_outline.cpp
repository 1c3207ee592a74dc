// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/outline/network_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "ipusim/ids.h"
#include "workloads/networks/outline/copy_cost.h"
#include "workloads/networks/outline/match_search.h"

namespace ipusim::workloads {

namespace {

// Source: graphcore/popart willow/include/popart/op.hpp, sessionoptions.hpp (MIT).
constexpr double kHighValue = 1000;
constexpr double kLowValue = 0.1;
constexpr double kThreshold = 1;

/// A sequence that comes more often is first read behind something else than the others: the first
/// layer of a network reads look-ups. PopART lays the operands of all calls out as those of the
/// first one. Each later call would then rearrange them, and exchanges of their own for each would
/// not fit where the vendor's programs do. The first sequence stays apart, and the second one gives
/// the layouts.
constexpr std::size_t kFewestCalls = 2;

/// Products, convolutions and norms, and their gradients, are of high value.
bool isOfHighValue(const std::string& kind) {
  static const std::set<std::string> kKinds{
      "matmul",     "conv",       "conv_transpose",       "conv_weight_gradient", "batch_norm",
      "group_norm", "layer_norm", "batch_norm_inference", "norm_gradient"};
  return kKinds.count(kind) > 0;
}

/// Whether a call of a function may run this node.
bool isOutlineable(const NetworkNode& node) {
  const std::string kind = node.operation->kind();
  return node.operation->settings() && node.pass != NetworkPass::Update && !node.operands.empty() &&
         kind.rfind("embedding", 0) != 0;
}

std::string textOfTypes(const std::vector<TensorType>& types) {
  std::string text;
  for (const TensorType& type : types) text += textOf(type.shape) + nameOf(type.type) + ';';
  return text;
}

/// Numbers nodes by what they compute.
class Kinds {
 public:
  std::uint32_t of(const NetworkGraph& network, const NetworkNode& node) {
    const auto next = static_cast<std::uint32_t>(next_);
    if (!isOutlineable(node)) return static_cast<std::uint32_t>(next_++);
    const auto [found, is_new] = numbers_.try_emplace(
        std::make_tuple(node.operation->kind(), *node.operation->settings(),
                        textOfTypes(network.typesOf(node.operands)),
                        textOfTypes(network.typesOf(node.results)), static_cast<int>(node.pass)),
        next);
    if (is_new) ++next_;
    return found->second;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string, std::string, int>, std::uint32_t>
      numbers_;
  std::size_t next_ = 0;
};

/// Adds that a node reads the results of others.
void addReaders(const NetworkGraph& network, const std::vector<NetworkTensorId>& outputs,
                NetworkSchedule& schedule) {
  std::map<NetworkTensorId, std::size_t> last;
  for (std::size_t n = 0; n < network.nodes().size(); ++n) {
    for (const NetworkTensorId operand : network.nodes()[n].operands) last[operand] = n;
  }
  const std::set<NetworkTensorId> outside(outputs.begin(), outputs.end());
  for (std::size_t n = 0; n < network.nodes().size(); ++n) {
    const NetworkNode& node = network.nodes()[n];
    for (std::size_t r = 0; r < node.results.size(); ++r) {
      const auto read = last.find(node.results[r]);
      const bool is_outside = outside.count(node.results[r]) > 0;
      if (read == last.end() && !is_outside) continue;
      schedule.nodes[n].outputs.push_back(
          {r, indexOf(node.results[r]), read == last.end() ? 0 : read->second, is_outside});
    }
  }
}

/// The ports of the first call.
void addPorts(const OutlineSchedule& schedule, OutlinedFunction& function) {
  const std::size_t first = function.calls.front();
  std::set<std::size_t> known;
  for (std::size_t n = 0; n < function.length; ++n) {
    for (const OutlineInput& input : schedule[first + n].inputs) {
      if (input.isMadeFrom(first) || !known.insert(input.tensor).second) continue;
      function.arguments.push_back({n, input.index});
    }
    for (const OutlineOutput& output : schedule[first + n].outputs) {
      if (output.isReadFrom(first + function.length)) function.results.push_back({n, output.index});
    }
  }
}

/// Whether a function computes something. One of views alone, or of one other function, is none.
bool isWorthACall(const OutlineMatch& match, const std::vector<OutlineMatch>& matches) {
  return std::none_of(matches.begin(), matches.end(), [&](const OutlineMatch& other) {
    return other.length == match.length && other.starts.size() > match.starts.size() &&
           contains(other, match);
  });
}

}  // namespace

NetworkSchedule scheduleOf(const NetworkGraph& network,
                           const std::vector<NetworkTensorId>& outputs) {
  NetworkSchedule schedule;
  for (const NetworkTensor& tensor : network.tensors()) {
    schedule.bytes.push_back((sizeOf(tensor.type.type) * elementsOf(tensor.type.shape)).value());
  }
  std::map<NetworkTensorId, std::pair<std::size_t, std::size_t>> producers;
  Kinds kinds;
  for (const NetworkNode& node : network.nodes()) {
    OutlineNode one;
    one.kind = kinds.of(network, node);
    one.value = isOfHighValue(node.operation->kind()) ? kHighValue : kLowValue;
    for (std::size_t o = 0; o < node.operands.size(); ++o) {
      OutlineInput input{o, OutlineInput::kNoProducer, 0, indexOf(node.operands[o])};
      const auto made = producers.find(node.operands[o]);
      if (made != producers.end()) std::tie(input.producer, input.output) = made->second;
      one.inputs.push_back(input);
    }
    for (std::size_t r = 0; r < node.results.size(); ++r) {
      producers[node.results[r]] = {schedule.nodes.size(), r};
    }
    schedule.nodes.push_back(std::move(one));
  }
  addReaders(network, outputs, schedule);
  return schedule;
}

std::vector<OutlinedFunction> outlinedFunctions(const NetworkGraph& network,
                                                const std::vector<NetworkTensorId>& outputs) {
  const NetworkSchedule schedule = scheduleOf(network, outputs);
  const CopyCost cost(schedule.nodes, schedule.bytes);
  const std::vector<OutlineMatch> matches = pruneMatches(
      aboveThreshold(findMatches(schedule.nodes), schedule.nodes.size(), kThreshold),
      schedule.nodes, [&](std::size_t begin, std::size_t end) { return cost.worth(begin, end); },
      kThreshold);
  std::vector<OutlinedFunction> functions;
  for (const OutlineMatch& match : matches) {
    if (!isWorthACall(match, matches)) continue;
    functions.push_back({match.starts, match.length, {}, {}});
    std::vector<std::size_t>& calls = functions.back().calls;
    if (calls.size() > kFewestCalls) calls.erase(calls.begin());
    addPorts(schedule.nodes, functions.back());
  }
  return functions;
}

}  // namespace ipusim::workloads
