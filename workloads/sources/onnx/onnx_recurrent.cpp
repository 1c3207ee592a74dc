// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"

// Recurrent layers. The product of all steps' inputs is one; each step then has the product of the
// state and the gates. Equations: github.com/onnx/onnx, docs/Operators.md, LSTM, GRU and RNN.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

constexpr std::uint64_t kMostSteps = 4096;

/// What a recurrent node says of itself.
struct Recurrence {
  std::uint64_t steps;
  std::uint64_t batch;
  std::uint64_t inputs;
  std::uint64_t hidden;
  std::uint64_t directions;
  std::uint64_t gates;
  std::vector<UnaryFunction> functions;  ///< of all directions
  bool has_batch_first;
};

UnaryFunction functionOf(const std::string& name) {
  static const std::map<std::string, UnaryFunction> kFunctions{
      {"Sigmoid", UnaryFunction::Sigmoid},   {"Tanh", UnaryFunction::Tanh},
      {"Relu", UnaryFunction::Relu},         {"HardSigmoid", UnaryFunction::HardSigmoid},
      {"Softsign", UnaryFunction::Softsign}, {"LeakyRelu", UnaryFunction::LeakyRelu}};
  const auto found = kFunctions.find(name);
  if (found == kFunctions.end()) {
    throw OperandError("an activation Sigmoid, Tanh, Relu, HardSigmoid, Softsign or LeakyRelu",
                       inQuotes(name));
  }
  return found->second;
}

Recurrence readRecurrence(const OnnxSite& site, std::uint64_t gates,
                          const std::vector<std::string>& functions) {
  const Shape& x = site.shape(0);
  const Shape& recurrent = site.shape(2);
  if (x.size() != 3 || recurrent.size() != 3 || site.shape(1).size() != 3) {
    throw OperandError("a sequence and weights of three dimensions", textOf(x));
  }
  const bool has_batch_first = site.isSet("layout");
  const std::uint64_t steps = x[has_batch_first ? 1 : 0];
  Recurrence read{
      steps,          x[has_batch_first ? 0 : 1], x[2], recurrent[2], recurrent[0], gates, {},
      has_batch_first};
  if (steps > kMostSteps) {
    throw OperandError(fmt::format("at most {} steps", kMostSteps), fmt::format("{}", steps));
  }
  const Shape weights{read.directions, gates * read.hidden, read.inputs};
  if (site.shape(1) != weights || recurrent[1] != gates * read.hidden) {
    throw OperandError("weights " + textOf(weights), textOf(site.shape(1)));
  }
  if (site.realOf("clip", 0) != 0) throw OperandError("no clip", "one");
  if (site.has(4) && site.uniform(4) != static_cast<double>(steps)) {
    throw OperandError("sequences that all have the whole length", "lengths of their own");
  }
  std::vector<std::string> names = site.textsOf("activations");
  if (names.empty()) {
    for (std::uint64_t d = 0; d < read.directions; ++d) {
      names.insert(names.end(), functions.begin(), functions.end());
    }
  }
  if (names.size() != read.directions * functions.size()) {
    throw OperandError(fmt::format("{} activations", read.directions * functions.size()),
                       fmt::format("{}", names.size()));
  }
  for (const std::string& name : names) read.functions.push_back(functionOf(name));
  return read;
}

/// The tensors of one direction.
class Direction {
 public:
  Direction(const OnnxSite& site, const Recurrence& shape, std::uint64_t index)
      : site_(site), math_(site), shape_(shape), index_(index), name_(fmt::format("{}", index)) {}

  [[nodiscard]] std::string part(const std::string& of) const { return name_ + "/" + of; }

  /// Weights (directions, gates hidden, columns) of this direction as (columns, gates hidden).
  [[nodiscard]] NetworkTensorId weights(std::size_t operand, std::uint64_t columns,
                                        const std::string& of) const {
    const std::uint64_t rows = shape_.gates * shape_.hidden;
    if (const auto parameter = site_.relaid(part(of), operand, {columns, rows})) return *parameter;
    const NetworkTensorId one =
        site_.add(part(of + "/slice"), slice({0, index_, index_ + 1}), {site_.operand(operand)});
    return site_.add(part(of + "/turned"), transpose({1, 0}),
                     {site_.shaped(part(of + "/matrix"), one, {rows, columns})});
  }

  /// The weights of gates [first, last), (columns, gates hidden), as a parameter of their own.
  [[nodiscard]] NetworkTensorId gateWeights(std::size_t operand, std::uint64_t columns,
                                            std::uint64_t first, std::uint64_t last,
                                            const std::string& of) const {
    const std::uint64_t width = (last - first) * shape_.hidden;
    if (const auto parameter = site_.relaid(part(of), operand, {columns, width})) return *parameter;
    return gates(weights(operand, columns, of), first, last);
  }

  /// `count` numbers of a list of this direction, from the one at `begin` on.
  [[nodiscard]] NetworkTensorId listed(std::size_t operand, std::uint64_t begin,
                                       std::uint64_t count, const std::string& of) const {
    if (const auto parameter = site_.relaid(part(of), operand, {count})) return *parameter;
    const NetworkTensorId one = site_.add(part(of + "/direction"), slice({0, index_, index_ + 1}),
                                          {site_.operand(operand)});
    const NetworkTensorId some =
        site_.add(part(of + "/slice"), slice({1, begin, begin + count}), {one});
    return site_.shaped(part(of), some, {count});
  }

  /// The state (batch, hidden) before the first step: an operand, or zeros.
  [[nodiscard]] NetworkTensorId initial(std::size_t operand, const std::string& of) const {
    const Shape state{shape_.batch, shape_.hidden};
    if (!site_.has(operand)) {
      return site_.add(part(of), constant(state, 0, site_.typeOf(site_.operand(0))), {});
    }
    const std::size_t axis = shape_.has_batch_first ? 1 : 0;
    const NetworkTensorId one =
        site_.add(part(of + "/slice"), slice({axis, index_, index_ + 1}), {site_.operand(operand)});
    return site_.shaped(part(of), one, state);
  }

  /// The products of all steps' inputs, (steps, batch, gates hidden), with the biases.
  [[nodiscard]] NetworkTensorId inputs(NetworkTensorId x, bool adds_recurrent_bias) const {
    const std::uint64_t width = shape_.gates * shape_.hidden;
    const NetworkTensorId rows =
        site_.shaped(part("rows"), x, {shape_.steps * shape_.batch, shape_.inputs});
    NetworkTensorId y = site_.add(part("input_product"), matmul(),
                                  {rows, weights(1, shape_.inputs, "input_weights")});
    if (site_.has(3)) {
      NetworkTensorId bias = listed(3, 0, width, "bias");
      if (adds_recurrent_bias && !isWeight(3)) {
        bias = math_.binary(part("biases"), BinaryOp::Add, bias,
                            listed(3, width, width, "recurrent_bias"));
      }
      y = math_.binary(part("add_bias"), BinaryOp::Add, y, bias);
    }
    return site_.shaped(part("inputs"), y, {shape_.steps, shape_.batch, width});
  }

  [[nodiscard]] NetworkTensorId step(NetworkTensorId inputs, std::uint64_t at) const {
    const NetworkTensorId one = site_.add(part("step"), slice({0, at, at + 1}), {inputs});
    return site_.shaped(part("step_rows"), one, {shape_.batch, shape_.gates * shape_.hidden});
  }

  /// Gates [first, last) of (batch, gates hidden).
  [[nodiscard]] NetworkTensorId gates(NetworkTensorId all, std::uint64_t first,
                                      std::uint64_t last) const {
    return site_.add(part("gate"), slice({1, first * shape_.hidden, last * shape_.hidden}), {all});
  }
  [[nodiscard]] NetworkTensorId gate(NetworkTensorId all, std::uint64_t which) const {
    return gates(all, which, which + 1);
  }
  [[nodiscard]] UnaryFunction function(std::size_t which) const {
    return shape_.functions[index_ * shape_.functions.size() / shape_.directions + which];
  }
  [[nodiscard]] bool isBackward() const {
    return index_ == 1 || site_.textOf("direction", "forward") == "reverse";
  }
  [[nodiscard]] const OnnxMath& math() const { return math_; }

 private:
  /// One parameter then stands for both lists of biases.
  [[nodiscard]] bool isWeight(std::size_t operand) const {
    return site_.isSource(operand) && !site_.hasNumbers(operand);
  }

  const OnnxSite& site_;
  OnnxMath math_;
  const Recurrence& shape_;
  std::uint64_t index_;
  std::string name_;
};

/// What one direction gives: the states of all steps in their order, and the last ones.
struct Outputs {
  std::vector<NetworkTensorId> states;
  NetworkTensorId last;
  std::optional<NetworkTensorId> cell = std::nullopt;
};

/// Calls `next` with each step's input, the state before it, and gives the state behind it.
template <typename Next>
Outputs overSteps(const Direction& one, const Recurrence& shape, NetworkTensorId inputs,
                  const Next& next) {
  NetworkTensorId state = one.initial(5, "initial_state");
  std::vector<NetworkTensorId> states(shape.steps);
  for (std::uint64_t s = 0; s < shape.steps; ++s) {
    const std::uint64_t at = one.isBackward() ? shape.steps - 1 - s : s;
    state = next(one.step(inputs, at), state);
    states[at] = state;
  }
  return {states, state};
}

Outputs lstmDirection(const OnnxSite& site, const Recurrence& shape, const Direction& one,
                      NetworkTensorId x) {
  if (site.has(7)) throw OperandError("no peephole weights", "some");
  if (site.isSet("input_forget")) throw OperandError("input_forget 0", "1");
  const OnnxMath& math = one.math();
  const NetworkTensorId recurrent = one.weights(2, shape.hidden, "recurrent_weights");
  NetworkTensorId cell = one.initial(6, "initial_cell");
  Outputs outputs =
      overSteps(one, shape, one.inputs(x, true), [&](NetworkTensorId input, NetworkTensorId h) {
        const NetworkTensorId all =
            math.binary(one.part("gates"), BinaryOp::Add, input,
                        site.add(one.part("product"), matmul(), {h, recurrent}));
        // Gates stand in the order input, output, forget, cell.
        const NetworkTensorId open =
            math.unary(one.part("open"), one.function(0), one.gates(all, 0, 3));
        const NetworkTensorId fresh =
            math.unary(one.part("fresh"), one.function(1), one.gate(all, 3));
        cell = math.binary(
            one.part("cell"), BinaryOp::Add,
            math.binary(one.part("kept"), BinaryOp::Multiply, one.gate(open, 2), cell),
            math.binary(one.part("added"), BinaryOp::Multiply, one.gate(open, 0), fresh));
        return math.binary(one.part("state"), BinaryOp::Multiply, one.gate(open, 1),
                           math.unary(one.part("shown"), one.function(2), cell));
      });
  outputs.cell = cell;
  return outputs;
}

/// (1 - z) fresh + z h, as fresh + z (h - fresh).
NetworkTensorId mixed(const Direction& one, NetworkTensorId z, NetworkTensorId fresh,
                      NetworkTensorId h) {
  const OnnxMath& math = one.math();
  const NetworkTensorId change = math.binary(one.part("change"), BinaryOp::Subtract, h, fresh);
  return math.binary(one.part("state"), BinaryOp::Add, fresh,
                     math.binary(one.part("kept"), BinaryOp::Multiply, z, change));
}

/// What the steps of a GRU read besides the state.
struct GruOperands {
  NetworkTensorId inputs;
  std::optional<NetworkTensorId> bias;  ///< of the recurrent products
};

/// The form that resets the state before its product for the hidden gate, which is one of its own.
Outputs gruResetBefore(const OnnxSite& site, const Recurrence& shape, const Direction& one,
                       const GruOperands& operands) {
  const OnnxMath& math = one.math();
  const auto with_bias = [&](NetworkTensorId product, std::uint64_t first, std::uint64_t last) {
    if (!operands.bias) return product;
    const NetworkTensorId some =
        site.add(one.part("bias_part"), slice({0, first * shape.hidden, last * shape.hidden}),
                 {*operands.bias});
    return math.binary(one.part("add_bias"), BinaryOp::Add, product, some);
  };
  const NetworkTensorId of_gates = one.gateWeights(2, shape.hidden, 0, 2, "gate_weights");
  const NetworkTensorId of_hidden = one.gateWeights(2, shape.hidden, 2, 3, "hidden_weights");
  return overSteps(one, shape, operands.inputs, [&](NetworkTensorId input, NetworkTensorId h) {
    const NetworkTensorId product = site.add(one.part("product"), matmul(), {h, of_gates});
    const NetworkTensorId open =
        math.unary(one.part("open"), one.function(0),
                   math.binary(one.part("gates"), BinaryOp::Add, one.gates(input, 0, 2),
                               with_bias(product, 0, 2)));
    const NetworkTensorId reset =
        math.binary(one.part("reset"), BinaryOp::Multiply, one.gate(open, 1), h);
    const NetworkTensorId hidden =
        site.add(one.part("hidden_product"), matmul(), {reset, of_hidden});
    const NetworkTensorId fresh =
        math.unary(one.part("fresh"), one.function(1),
                   math.binary(one.part("hidden"), BinaryOp::Add, one.gate(input, 2),
                               with_bias(hidden, 2, 3)));
    return mixed(one, one.gate(open, 0), fresh, h);
  });
}

Outputs gruDirection(const OnnxSite& site, const Recurrence& shape, const Direction& one,
                     NetworkTensorId x) {
  const OnnxMath& math = one.math();
  const std::uint64_t width = shape.gates * shape.hidden;
  std::optional<NetworkTensorId> bias;
  if (site.has(3)) bias = one.listed(3, width, width, "recurrent_bias");
  if (!site.isSet("linear_before_reset")) {
    return gruResetBefore(site, shape, one, {one.inputs(x, false), bias});
  }
  const NetworkTensorId recurrent = one.weights(2, shape.hidden, "recurrent_weights");
  return overSteps(one, shape, one.inputs(x, false), [&](NetworkTensorId input, NetworkTensorId h) {
    NetworkTensorId product = site.add(one.part("product"), matmul(), {h, recurrent});
    if (bias) product = math.binary(one.part("add_bias"), BinaryOp::Add, product, *bias);
    // Gates stand in the order update, reset, hidden.
    const NetworkTensorId open =
        math.unary(one.part("open"), one.function(0),
                   math.binary(one.part("gates"), BinaryOp::Add, one.gates(input, 0, 2),
                               one.gates(product, 0, 2)));
    const NetworkTensorId reset =
        math.binary(one.part("reset"), BinaryOp::Multiply, one.gate(open, 1), one.gate(product, 2));
    const NetworkTensorId fresh =
        math.unary(one.part("fresh"), one.function(1),
                   math.binary(one.part("hidden"), BinaryOp::Add, one.gate(input, 2), reset));
    return mixed(one, one.gate(open, 0), fresh, h);
  });
}

Outputs rnnDirection(const OnnxSite& site, const Recurrence& shape, const Direction& one,
                     NetworkTensorId x) {
  const NetworkTensorId recurrent = one.weights(2, shape.hidden, "recurrent_weights");
  return overSteps(one, shape, one.inputs(x, true), [&](NetworkTensorId input, NetworkTensorId h) {
    const NetworkTensorId product = site.add(one.part("product"), matmul(), {h, recurrent});
    return one.math().unary(one.part("state"), one.function(0),
                            one.math().binary(one.part("sum"), BinaryOp::Add, input, product));
  });
}

/// The results (steps, directions, batch, hidden), and the last states (directions, batch, hidden).
Results joined(const OnnxSite& site, const Recurrence& shape,
               const std::vector<Outputs>& directions) {
  const Shape row{1, 1, shape.batch, shape.hidden};
  std::vector<NetworkTensorId> of_directions;
  std::vector<NetworkTensorId> last;
  std::vector<NetworkTensorId> cells;
  const auto join = [&](const std::vector<NetworkTensorId>& parts, std::size_t axis,
                        const char* part) {
    return parts.size() == 1 ? parts.front() : site.add(part, concat(axis), parts);
  };
  for (const Outputs& one : directions) {
    std::vector<NetworkTensorId> rows;
    for (const NetworkTensorId state : one.states) rows.push_back(site.shaped("row", state, row));
    of_directions.push_back(join(rows, 0, "steps"));
    const Shape state{1, shape.batch, shape.hidden};
    last.push_back(site.shaped("last", one.last, state));
    if (one.cell) cells.push_back(site.shaped("last_cell", *one.cell, state));
  }
  const auto batch_first = [&](NetworkTensorId tensor, const std::vector<std::size_t>& order) {
    return shape.has_batch_first ? site.add("batch_first", transpose(order), {tensor}) : tensor;
  };
  Results results{batch_first(join(of_directions, 1, ""), {2, 0, 1, 3}),
                  batch_first(join(last, 0, "last_states"), {1, 0, 2})};
  if (!cells.empty()) results.push_back(batch_first(join(cells, 0, "last_cells"), {1, 0, 2}));
  return results;
}

using AddDirection = Outputs (*)(const OnnxSite&, const Recurrence&, const Direction&,
                                 NetworkTensorId);

Results addRecurrence(const OnnxSite& site, std::uint64_t gates,
                      const std::vector<std::string>& functions, AddDirection add) {
  const Recurrence shape = readRecurrence(site, gates, functions);
  NetworkTensorId x = site.operand(0);
  if (shape.has_batch_first) x = site.add("steps_first", transpose({1, 0, 2}), {x});
  std::vector<Outputs> directions;
  for (std::uint64_t d = 0; d < shape.directions; ++d) {
    directions.push_back(add(site, shape, Direction(site, shape, d), x));
  }
  return joined(site, shape, directions);
}

Results addLstm(const OnnxSite& site) {
  return addRecurrence(site, 4, {"Sigmoid", "Tanh", "Tanh"}, lstmDirection);
}

Results addGru(const OnnxSite& site) {
  return addRecurrence(site, 3, {"Sigmoid", "Tanh"}, gruDirection);
}

Results addRnn(const OnnxSite& site) {
  return addRecurrence(site, 1, {"Tanh"}, rnnDirection);
}

}  // namespace

const std::vector<OnnxOperator>& onnxRecurrent() {
  static const std::vector<OnnxOperator> kOperators{
      {"GRU", addGru},
      {"LSTM", addLstm},
      {"RNN", addRnn},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
