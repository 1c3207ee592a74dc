// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_on_tiles.h"

#include <algorithm>
#include <cmath>

#include "base/numbers/magnitude.h"
#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/graph/synthetic_values.h"
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

/// Roundings by chance that a network is computed with where small differences of large numbers may
/// be results.
constexpr std::uint64_t kProbes = 8;
/// A rounding moves a number by anything up to what a probe moves it by, so that its mean square is
/// a third of that. Tiles are off by more than 3 times the root of the mean square of the probes
/// where they are off by more than 5 of their own: once in a million numbers.
constexpr double kProbedErrors = 3;

/// A network computed in doubles, and how far rounding moves each element of it.
class RoundedNetwork {
 public:
  RoundedNetwork(const NetworkGraph& network, std::unordered_map<std::size_t, TensorValues> sources)
      : network_(network),
        sources_(std::move(sources)),
        exact_(evaluate(network_, sources_)),
        rounded_(evaluate(network_, sources_, EvaluatedResults::Rounded)) {
    addNudged();
    addProbed();
  }

  [[nodiscard]] const TensorValues& exact(NetworkTensorId tensor) const {
    return exact_[indexOf(tensor)];
  }

  /// How far the second computation, which rounds, is off, and what other levels change. Tiles
  /// choose some levels as in one computation and some as in another, so that the changes add up.
  [[nodiscard]] TensorValues slackOf(NetworkTensorId tensor) const {
    TensorValues slack(exact(tensor).size(), 0);
    addDifferences(exact(tensor), rounded_[indexOf(tensor)], slack);
    for (const auto& other : nudged_) addDifferences(exact(tensor), other[indexOf(tensor)], slack);
    addProbedErrors(tensor, slack);
    return slack;
  }

 private:
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

  /// A single computation that rounds may meet a small difference by accident, and is then nearer
  /// to the exact one than tiles are.
  void addProbed() {
    const std::vector<bool> depends = dependOnDifferences();
    if (std::find(depends.begin(), depends.end(), true) == depends.end()) return;
    squares_.resize(depends.size());
    for (std::uint64_t seed = 0; seed < kProbes; ++seed) {
      const std::vector<TensorValues> probed = evaluateProbed(network_, sources_, seed);
      for (std::size_t t = 0; t < probed.size(); ++t) {
        if (depends[t]) addSquares(probed[t], t);
      }
    }
  }

  /// Whether each tensor is computed from results that may be small differences of large numbers.
  [[nodiscard]] std::vector<bool> dependOnDifferences() const {
    std::vector<bool> depends(network_.tensors().size(), false);
    for (const NetworkNode& node : network_.nodes()) {
      const bool from_differences =
          node.operation->mayCancel() ||
          std::any_of(node.operands.begin(), node.operands.end(),
                      [&](NetworkTensorId operand) { return depends[indexOf(operand)]; });
      if (!from_differences) continue;
      for (const NetworkTensorId result : node.results) depends[indexOf(result)] = true;
    }
    return depends;
  }

  void addSquares(const TensorValues& probed, std::size_t tensor) {
    TensorValues& squares = squares_[tensor];
    squares.resize(probed.size(), 0);
    for (std::size_t e = 0; e < probed.size(); ++e) {
      const double difference = differenceOf(exact_[tensor][e], probed[e]);
      squares[e] += difference * difference / kProbes;
    }
  }

  void addProbedErrors(NetworkTensorId tensor, TensorValues& slack) const {
    if (squares_.empty()) return;
    const TensorValues& squares = squares_[indexOf(tensor)];
    for (std::size_t e = 0; e < squares.size(); ++e) {
      slack[e] += kProbedErrors * std::sqrt(squares[e]);
    }
  }

  const NetworkGraph& network_;
  std::unordered_map<std::size_t, TensorValues> sources_;
  std::vector<TensorValues> exact_;
  std::vector<TensorValues> rounded_;
  std::vector<std::vector<TensorValues>> nudged_;
  /// The mean squares of how far the probes are off. Empty where they say nothing.
  std::vector<TensorValues> squares_;
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
                               Graph& graph, const Architecture& machine, Program& program,
                               const std::vector<OutlinedFunction>& functions)
    : network_(std::move(network)), outputs_(std::move(outputs)) {
  tensors_ = lowerNetwork(network_, outputs_, graph, machine, program, functions);
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

Expected NetworkOnTiles::expected(const std::vector<TensorValues>& inputs) const {
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
              computed.slackOf(updated.result), rounding, expected);
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
          known.empty() ? syntheticValues(network_, source) : known};
}

}  // namespace ipusim::workloads
