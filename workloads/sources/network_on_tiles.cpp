// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_on_tiles.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ipusim/ids.h"
#include "workloads/networks/dag/evaluate.h"
#include "workloads/networks/dag/made_up.h"

namespace ipusim::workloads {

namespace {

// Covers the roundings of a value that an update adds to.
constexpr double kRoundingOfUpdate = 4.0 / (1U << 24U);
constexpr double kRoundingOfHalfUpdate = 4.0 / (1U << 11U);
// How far numbers may be off, as a multiple of what rounding the results of operations moves them.
// Programs round inside operations too, and some networks magnify that: the gradient through a
// batch norm over two elements is the small difference of large numbers.
constexpr double kNoiseOfRounding = 8;

double largestOf(const TensorValues& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// 0 where a difference is no number: such an output must not be forgiven.
double largestDifference(const TensorValues& a, const TensorValues& b) {
  double largest = 0;
  for (std::size_t e = 0; e < a.size(); ++e) largest = std::max(largest, std::abs(a[e] - b[e]));
  return std::isfinite(largest) ? largest : 0;
}

/// A tensor before an update and after it.
struct Update {
  const TensorValues& before;
  const TensorValues& after;
  double noise;     ///< of all elements
  double rounding;  ///< of each, relative
};

void addUpdate(const Update& update, Expected& expected) {
  TensorValues slack;
  double change = 0;
  for (std::size_t e = 0; e < update.after.size(); ++e) {
    const double before = update.before[e];
    const double after = update.after[e];
    slack.push_back(update.noise + update.rounding * std::max(std::abs(before), std::abs(after)));
    change = std::max(change, std::abs(after - before));
  }
  expected.values.push_back(update.after);
  expected.slack.push_back(std::move(slack));
  expected.scales.push_back(change);
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
  outputs_.erase(std::remove_if(outputs_.begin(), outputs_.end(), is_lost), outputs_.end());
  for (const NetworkNode& node : network_.nodes()) {
    if (node.pass == NetworkPass::Update) addUpdated(node);
  }
}

HostTensors NetworkOnTiles::hostTensors() const {
  HostTensors host;
  for (const NetworkTensorId source : sources()) host.inputs.push_back(hostTensor(source));
  for (const NetworkTensorId output : outputs_) {
    host.outputs.push_back({network_[output].name, *tensors_[indexOf(output)]});
  }
  for (const auto& [source, updated] : updates_) host.outputs.push_back(hostTensor(source));
  return host;
}

Expected NetworkOnTiles::expected(const std::vector<TensorValues>& inputs) const {
  std::unordered_map<std::size_t, TensorValues> values;
  const std::vector<NetworkTensorId> from = sources();
  for (std::size_t s = 0; s < from.size(); ++s) values.emplace(indexOf(from[s]), inputs[s]);
  const std::vector<TensorValues> all = evaluate(network_, values);
  const std::vector<TensorValues> rounded = evaluate(network_, values, EvaluatedResults::Rounded);
  const auto noise_of = [&](NetworkTensorId tensor) {
    return kNoiseOfRounding * largestDifference(all[indexOf(tensor)], rounded[indexOf(tensor)]);
  };
  Expected expected(std::vector<TensorValues>{});
  for (const NetworkTensorId output : outputs_) {
    const TensorValues& result = all[indexOf(output)];
    expected.values.push_back(result);
    expected.slack.emplace_back(result.size(), noise_of(output));
    expected.scales.push_back(largestOf(result));
  }
  for (const auto& [source, updated] : updates_) {
    const bool is_half = network_[source].type.type == ElementType::Half;
    addUpdate({all[indexOf(source)], all[indexOf(updated)], noise_of(updated),
               is_half ? kRoundingOfHalfUpdate : kRoundingOfUpdate},
              expected);
  }
  return expected;
}

void NetworkOnTiles::addUpdated(const NetworkNode& node) {
  updates_.emplace_back(node.operands[0], node.results[0]);
  for (std::size_t r = 1; r < node.results.size(); ++r) {
    updates_.emplace_back(node.operands[r + 1], node.results[r]);
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
  return {network_[source].name, *tensors_[indexOf(source)], valuesBelow(source),
          known.empty() ? madeUpValues(network_, source) : known};
}

/// The classes of labels, the rows of a table for its indices.
std::uint64_t NetworkOnTiles::valuesBelow(NetworkTensorId source) const {
  for (const NetworkNode& node : network_.nodes()) {
    if (node.operands.size() != 2 || node.operands[1] != source) continue;
    const Shape& first = network_.shapeOf(node.operands[0]);
    return node.operation->kind() == "embedding" ? first.front() : first.back();
  }
  return 2;
}

}  // namespace ipusim::workloads
