// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_on_tiles.h"

#include <algorithm>
#include <cmath>

#include "base/magnitude.h"
#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/dag/evaluate.h"
#include "workloads/networks/dag/made_up.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

/// 0 where a difference is no number: such an element must not be forgiven.
double differenceOf(double a, double b) {
  const double difference = std::abs(a - b);
  return std::isfinite(difference) ? difference : 0;
}

void addDifferences(const TensorValues& a, const TensorValues& b, TensorValues& sums) {
  for (std::size_t e = 0; e < a.size(); ++e) sums[e] += differenceOf(a[e], b[e]);
}

double largestDifference(const TensorValues& a, const TensorValues& b) {
  double largest = 0;
  for (std::size_t e = 0; e < a.size(); ++e) largest = std::max(largest, differenceOf(a[e], b[e]));
  return largest;
}

/// A network computed in doubles, and how far rounding moves each element of it.
class RoundedNetwork {
 public:
  RoundedNetwork(const NetworkGraph& network, std::unordered_map<std::size_t, TensorValues> sources)
      : network_(network),
        sources_(std::move(sources)),
        exact_(evaluate(network_, sources_)),
        rounded_(evaluate(network_, sources_, EvaluatedResults::Rounded)) {
    addNudged();
  }

  [[nodiscard]] const TensorValues& exact(NetworkTensorId tensor) const {
    return exact_[indexOf(tensor)];
  }

  /// How far the second computation, which rounds, is off, and what other levels change. Tiles
  /// choose some levels as in one computation and some as in another, so that the changes add up.
  [[nodiscard]] TensorValues slackOf(NetworkTensorId tensor) const {
    TensorValues slack(exact(tensor).size(), 0);
    addDifferences(exact(tensor), rounded_[indexOf(tensor)], slack);
    addLevels(tensor, slack);
    return slack;
  }

  /// The same for what an update makes, whose errors are measured by `tolerance`. The gradients of
  /// a network that has learnt nearly all are sums of roundings of its loss: they may cancel in an
  /// element of the second computation, and not in that of the tiles. So each element may then be
  /// off as far as any of its tensor.
  [[nodiscard]] TensorValues slackOfUpdate(NetworkTensorId tensor, double tolerance) const {
    if (!hasLearnt(tolerance)) return slackOf(tensor);
    const TensorValues& values = exact(tensor);
    TensorValues slack(values.size(), largestDifference(values, rounded_[indexOf(tensor)]));
    addLevels(tensor, slack);
    return slack;
  }

 private:
  /// Whether rounding moves a gradient of a loss by a good part of the tolerance, because
  /// probabilities and labels are nearly equal.
  [[nodiscard]] bool hasLearnt(double tolerance) const {
    constexpr double kGoodPart = 0.1;
    const auto& nodes = network_.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](const NetworkNode& node) {
      if (!node.operation->isLoss() || node.results.size() < 2) return false;
      const std::size_t gradient = indexOf(node.results[1]);
      return largestDifference(exact_[gradient], rounded_[gradient]) >
             kGoodPart * tolerance * largestOf(exact_[gradient]);
    });
  }

  void addLevels(NetworkTensorId tensor, TensorValues& slack) const {
    for (const auto& other : nudged_) addDifferences(exact(tensor), other[indexOf(tensor)], slack);
  }

  /// Moves the operands of levels down and up, as far as rounding moves any of their elements: what
  /// lies so near to the next level may get that one.
  void addNudged() {
    std::vector<double> nudges(network_.nodes().size(), 0);
    bool has_nudges = false;
    for (std::size_t n = 0; n < nudges.size(); ++n) {
      const NetworkNode& node = network_.nodes()[n];
      if (!node.operation->choosesLevels()) continue;
      const std::size_t operand = indexOf(node.operands.front());
      nudges[n] = largestDifference(exact_[operand], rounded_[operand]);
      has_nudges |= nudges[n] > 0;
    }
    if (!has_nudges) return;
    for (int direction = 0; direction < 2; ++direction) {
      for (double& nudge : nudges) nudge = -nudge;
      nudged_.push_back(evaluateNudged(network_, sources_, nudges));
    }
  }

  const NetworkGraph& network_;
  std::unordered_map<std::size_t, TensorValues> sources_;
  std::vector<TensorValues> exact_;
  std::vector<TensorValues> rounded_;
  std::vector<std::vector<TensorValues>> nudged_;
};

/// An update of a tensor, and how much of what was there is left.
struct ValuesOfUpdate {
  const TensorValues& before;
  const TensorValues& after;
  double kept;
};

/// Measures the errors of an updated tensor by the most that an element changes, or that is new in
/// it: what a mean loses and what it gets may be equal, and what it gets may be nothing. `rounding`
/// is that of the sum that replaces an element, relative to it. What rounds before, such as a
/// decay, is an operation of its own in the second computation.
void addUpdate(const ValuesOfUpdate& update, TensorValues slack, double rounding,
               Expected& expected) {
  const auto& [before, after, kept] = update;
  double fresh = 0;
  for (std::size_t e = 0; e < after.size(); ++e) {
    slack[e] += rounding * std::max(std::abs(before[e]), std::abs(after[e]));
    fresh =
        std::max({fresh, std::abs(after[e] - before[e]), std::abs(after[e] - kept * before[e])});
  }
  expected.values.push_back(after);
  expected.slack.push_back(std::move(slack));
  expected.scales.push_back(fresh);
}

}  // namespace

NetworkOnTiles::NetworkOnTiles(NetworkGraph network, std::vector<NetworkTensorId> outputs,
                               Graph& graph, const Architecture& machine, Program& program)
    : network_(std::move(network)), outputs_(std::move(outputs)) {
  tensors_ = lowerNetwork(network_, outputs_, graph, machine, program);
  // The host cannot read a further result of a node, such as the probabilities of a loss, which
  // lives until its last reader.
  const auto is_lost = [&](NetworkTensorId output) {
    const auto& pieces = tensors_[indexOf(output)]->pieces();
    return std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
      return graph.variable(piece.variable).lifetime != Lifetime::Always;
    });
  };
  const auto kept = std::stable_partition(outputs_.begin(), outputs_.end(),
                                          [&](NetworkTensorId one) { return !is_lost(one); });
  for (auto lost = kept; lost != outputs_.end(); ++lost) unchecked_.push_back(network_[*lost].name);
  outputs_.erase(kept, outputs_.end());
  // A view may have many pieces, and the host asks for no result but those.
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    const auto tensor = static_cast<NetworkTensorId>(t);
    const bool is_read = network_[tensor].role != TensorRole::Result ||
                         std::find(outputs_.begin(), outputs_.end(), tensor) != outputs_.end();
    if (!is_read) tensors_[t].reset();
  }
  for (const NetworkNode& node : network_.nodes()) {
    if (node.pass == NetworkPass::Update) addUpdated(node);
  }
}

HostTensors NetworkOnTiles::hostTensors() const {
  HostTensors host;
  const std::vector<NetworkTensorId> from = sources();
  for (const NetworkTensorId source : from) host.inputs.push_back(hostTensor(source));
  std::vector<NetworkTensorId> results = outputs_;
  for (const NetworkTensorId output : outputs_) {
    host.outputs.push_back({network_[output].name, *tensors_[indexOf(output)]});
  }
  for (const Updated& updated : updates_) {
    host.outputs.push_back(hostTensor(updated.source));
    results.push_back(updated.result);
  }
  if (auto values = valuesInDomain(network_, from, results)) {
    for (std::size_t s = 0; s < from.size(); ++s) host.inputs[s].values = std::move((*values)[s]);
  }
  return host;
}

Program NetworkOnTiles::betweenHostCopies(Program pass, Graph& graph) const {
  std::vector<Tensor> inputs;
  for (const NetworkTensorId input : network_.tensorsOf(TensorRole::Input)) {
    if (tensors_[indexOf(input)]) inputs.push_back(*tensors_[indexOf(input)]);
  }
  std::vector<Tensor> outputs;
  outputs.reserve(outputs_.size());
  for (const NetworkTensorId output : outputs_) outputs.push_back(*tensors_[indexOf(output)]);
  Program program;
  program.add(graph.stream("host/copyIn", inputs, HostDirection::ToChip, HostPath::Link));
  program.add(std::move(pass));
  program.add(graph.stream("host/copyOut", outputs, HostDirection::ToHost, HostPath::Link));
  return program;
}

Expected NetworkOnTiles::expected(const std::vector<TensorValues>& inputs, double tolerance) const {
  const RoundedNetwork computed(network_, bySource(inputs));
  Expected expected(std::vector<TensorValues>{});
  for (const NetworkTensorId output : outputs_) {
    const TensorValues& result = computed.exact(output);
    expected.values.push_back(result);
    expected.slack.push_back(computed.slackOf(output));
    expected.scales.push_back(largestOf(result));
  }
  for (const Updated& updated : updates_) {
    const double rounding = unitRoundoff(network_[updated.source].type.type);
    addUpdate({computed.exact(updated.source), computed.exact(updated.result), updated.kept},
              computed.slackOfUpdate(updated.result, tolerance), rounding, expected);
  }
  return expected;
}

Expected NetworkOnTiles::exact(const std::vector<TensorValues>& inputs) const {
  check(updates_.empty(), "a network without updates");
  std::vector<TensorValues> computed = evaluate(network_, bySource(inputs));
  Expected expected(std::vector<TensorValues>{});
  for (const NetworkTensorId output : outputs_) {
    expected.values.push_back(std::move(computed[indexOf(output)]));
  }
  return expected;
}

std::unordered_map<std::size_t, TensorValues> NetworkOnTiles::bySource(
    const std::vector<TensorValues>& inputs) const {
  std::unordered_map<std::size_t, TensorValues> values;
  const std::vector<NetworkTensorId> from = sources();
  for (std::size_t s = 0; s < from.size(); ++s) values.emplace(indexOf(from[s]), inputs[s]);
  return values;
}

void NetworkOnTiles::addUpdated(const NetworkNode& node) {
  updates_.push_back({node.operands[0], node.results[0], node.operation->keptShare(0)});
  for (std::size_t r = 1; r < node.results.size(); ++r) {
    updates_.push_back({node.operands[r + 1], node.results[r], node.operation->keptShare(r)});
  }
}

/// All sources that the program reads.
std::vector<NetworkTensorId> NetworkOnTiles::sources() const {
  std::vector<NetworkTensorId> found;
  for (const TensorRole role :
       {TensorRole::Input, TensorRole::Parameter, TensorRole::Constant, TensorRole::State}) {
    for (const NetworkTensorId source : network_.tensorsOf(role)) {
      if (tensors_[indexOf(source)]) found.push_back(source);
    }
  }
  return found;
}

HostTensor NetworkOnTiles::hostTensor(NetworkTensorId source) const {
  const TensorValues& known = network_[source].values;
  return {network_[source].name, *tensors_[indexOf(source)], wholesBelow(network_, source),
          known.empty() ? madeUpValues(network_, source) : known};
}

}  // namespace ipusim::workloads
