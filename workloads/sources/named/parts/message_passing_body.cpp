// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/message_passing_body.h"

#include <cmath>

#include "workloads/networks/graph/layer_site.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;

// Source: graphcore-research/hydronet-gnn, mpbench.py (MIT): InteractionBlock(...,
// num_gaussians=50, cutoff=6.0).
constexpr std::uint64_t kGaussians = 50;
constexpr double kCutoff = 6;
constexpr double kPi = 3.14159265358979323846;

/// Adds the nodes of one operation.
class Body {
 public:
  Body(const MessagePassingShape& shape, NetworkGraph& network)
      : shape_(shape), network_(network) {}

  NetworkTensorId gather() {
    const NetworkTensorId table = input("input", {shape_.inputs, shape_.features});
    return network_.add("gather", embedding(), {table, indices("index", shape_.outputs)});
  }

  NetworkTensorId scatterAdd() {
    const NetworkTensorId rows = input("input", {shape_.inputs, shape_.features});
    return scattered(rows, indices("index", shape_.inputs), shape_.outputs);
  }

  /// lin(act(lin2(scatter_add(lin1(x)[source] * filters, target)))).
  NetworkTensorId interactionBlock() {
    const NetworkTensorId x = input("input", {shape_.inputs, shape_.features});
    const NetworkTensorId sources = indices("source", shape_.outputs);
    const NetworkTensorId targets = indices("target", shape_.outputs);
    const NetworkTensorId weighted = filters();
    const NetworkTensorId projected = linear("lin1", x, false);
    const NetworkTensorId of_edges = network_.add("gather", embedding(), {projected, sources});
    const NetworkTensorId messages =
        network_.add("message", binary(BinaryOp::Multiply), {of_edges, weighted});
    const NetworkTensorId summed = scattered(messages, targets, shape_.inputs);
    const NetworkTensorId active = shiftedSoftplus("act", linear("lin2", summed, true));
    return linear("lin", active, true);
  }

 private:
  NetworkTensorId input(const std::string& name, const Shape& shape) {
    return network_.addSource(name, {shape, ElementType::Float}, TensorRole::Input);
  }
  NetworkTensorId indices(const std::string& name, std::uint64_t count) {
    return network_.addSource(name, {{count}, ElementType::UInt32}, TensorRole::Input);
  }

  NetworkTensorId linear(const std::string& name, NetworkTensorId x, bool has_bias) {
    const LayerSite site{network_, name, x, ElementType::Float};
    return site.linear("", x, shape_.features, has_bias);
  }

  NetworkTensorId withNumber(const std::string& name, BinaryOp op, NetworkTensorId x,
                             double number) {
    const NetworkTensorId scalar = network_.add(name + "/number", constant({1}, number), {});
    return network_.add(name, binary(op), {x, scalar});
  }

  /// The rows added to `rows` zeros.
  NetworkTensorId scattered(NetworkTensorId rows, NetworkTensorId indices, std::uint64_t count) {
    const NetworkTensorId sums = network_.add("scatter", sumByIndex(count), {indices, rows});
    const NetworkTensorId zeros =
        network_.add("zeros", ipusim::workloads::zeros({count, shape_.features}), {});
    return network_.add("scatter/add", binary(BinaryOp::Add), {sums, zeros});
  }

  /// mlp(attributes) (cos(distance pi / cutoff) + 1) / 2, a row for each edge.
  NetworkTensorId filters() {
    const NetworkTensorId distances = input("edge_weight", {shape_.outputs});
    const NetworkTensorId attributes = input("edge_attr", {shape_.outputs, kGaussians});
    const NetworkTensorId hidden = shiftedSoftplus("mlp/act", linear("mlp0", attributes, true));
    const NetworkTensorId filter = linear("mlp2", hidden, true);
    const NetworkTensorId in_pi = network_.add("cutoff/pi", scale(kPi), {distances});
    const NetworkTensorId angle = network_.add("cutoff/angle", scale(1 / kCutoff), {in_pi});
    const NetworkTensorId cosine =
        network_.add("cutoff/cos", unary(UnaryFunction::Cosine), {angle});
    const NetworkTensorId raised = withNumber("cutoff/add", BinaryOp::Add, cosine, 1);
    const NetworkTensorId factor = network_.add("cutoff/half", scale(0.5), {raised});
    const NetworkTensorId column =
        network_.add("cutoff/view", reshape({shape_.outputs, 1}), {factor});
    return network_.add("cutoff", binary(BinaryOp::Multiply), {filter, column});
  }

  /// log(1 + exp(-|x|)) + max(x, 0) - log 2.
  NetworkTensorId shiftedSoftplus(const std::string& name, NetworkTensorId x) {
    NetworkTensorId u = x;
    for (const UnaryFunction function : {UnaryFunction::Absolute, UnaryFunction::Negate,
                                         UnaryFunction::Exponent, UnaryFunction::LogOnePlus}) {
      u = network_.add(name + "/" + rowOf(function).word, unary(function), {u});
    }
    const NetworkTensorId v = withNumber(name + "/max", BinaryOp::Maximum, x, 0);
    const NetworkTensorId sum = network_.add(name + "/add", binary(BinaryOp::Add), {u, v});
    return withNumber(name + "/shift", BinaryOp::Add, sum, -std::log(2.0));
  }

  const MessagePassingShape& shape_;
  NetworkGraph& network_;
};

}  // namespace

NetworkTensorId addMessagePassing(const MessagePassingShape& shape, NetworkGraph& network) {
  Body body(shape, network);
  const auto result = [&] {
    switch (shape.op) {
      case MessagePassing::Gather:
        return body.gather();
      case MessagePassing::ScatterAdd:
        return body.scatterAdd();
      default:
        return body.interactionBlock();
    }
  };
  return network.add("loop/returned", rowMajor(), {result()});
}

}  // namespace ipusim::workloads
