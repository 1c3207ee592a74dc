// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/onnx/composed_cases.h"

namespace ipusim::workloads {

namespace {

using Names = std::vector<std::string>;
using Attributes = std::vector<OnnxAttribute>;

std::function<std::string(OnnxBuilder&, const Names&)> nodeOf(const std::string& type,
                                                              const Attributes& attributes = {}) {
  return [=](OnnxBuilder& b, const Names& names) { return b.node(type, names, attributes); };
}

double sigmoidOf(double x) {
  return 1 / (1 + std::exp(-x));
}

// One hidden number, two steps, weights that tell the gates apart.
const TensorValues kSteps{0.5, -1};

/// Gates in the order input, output, forget, cell; all with the weight 0.5 of the input, and the
/// recurrent weights 0.1, 0.2, 0.3, 0.4.
TensorValues lstmStates() {
  TensorValues states;
  double h = 0;
  double c = 0;
  for (const double x : kSteps) {
    const double in = sigmoidOf(0.5 * x + 0.1 * h);
    const double out = sigmoidOf(0.5 * x + 0.2 * h);
    const double forget = sigmoidOf(0.5 * x + 0.3 * h);
    c = forget * c + in * std::tanh(0.5 * x + 0.4 * h);
    h = out * std::tanh(c);
    states.push_back(h);
  }
  return states;
}

/// Gates in the order update, reset, hidden, with recurrent biases of 0.1.
TensorValues gruStates() {
  TensorValues states;
  double h = 0;
  for (const double x : kSteps) {
    const double update = sigmoidOf(0.5 * x + 0.1 * h + 0.1);
    const double reset = sigmoidOf(0.5 * x + 0.2 * h + 0.1);
    const double fresh = std::tanh(0.5 * x + reset * (0.3 * h + 0.1));
    h = (1 - update) * fresh + update * h;
    states.push_back(h);
  }
  return states;
}

/// As gruStates(), with the state reset before the product of the hidden gate.
TensorValues gruStatesResetBefore() {
  TensorValues states;
  double h = 0;
  for (const double x : kSteps) {
    const double update = sigmoidOf(0.5 * x + 0.1 * h + 0.1);
    const double reset = sigmoidOf(0.5 * x + 0.2 * h + 0.1);
    const double fresh = std::tanh(0.5 * x + 0.3 * reset * h + 0.1);
    h = (1 - update) * fresh + update * h;
    states.push_back(h);
  }
  return states;
}

/// From the last step to the first.
TensorValues reversedRnnStates() {
  const double last = std::tanh(0.5 * kSteps[1]);
  return {std::tanh(0.5 * kSteps[0] + 0.25 * last), last};
}

std::vector<ComposedCase> recurrentCases() {
  const NumberedTensor x = tensor({2, 1, 1}, kSteps);
  const Attributes one{{"hidden_size", std::int64_t{1}}};
  return {
      {"LSTM",
       {x, tensor({1, 4, 1}, {0.5, 0.5, 0.5, 0.5}), tensor({1, 4, 1}, {0.1, 0.2, 0.3, 0.4})},
       nodeOf("LSTM", one),
       tensor({2, 1, 1, 1}, lstmStates())},
      {"GRU",
       {x, tensor({1, 3, 1}, {0.5, 0.5, 0.5}), tensor({1, 3, 1}, {0.1, 0.2, 0.3}),
        tensor({1, 6}, {0, 0, 0, 0.1, 0.1, 0.1})},
       nodeOf("GRU", {{"hidden_size", std::int64_t{1}}, {"linear_before_reset", std::int64_t{1}}}),
       tensor({2, 1, 1, 1}, gruStates())},
      {"GRU_reset_before",
       {x, tensor({1, 3, 1}, {0.5, 0.5, 0.5}), tensor({1, 3, 1}, {0.1, 0.2, 0.3}),
        tensor({1, 6}, {0, 0, 0, 0.1, 0.1, 0.1})},
       nodeOf("GRU", one),
       tensor({2, 1, 1, 1}, gruStatesResetBefore())},
      {"RNN",
       {x, tensor({1, 1, 1}, {0.5}), tensor({1, 1, 1}, {0.25})},
       nodeOf("RNN", {{"hidden_size", std::int64_t{1}}, {"direction", std::string("reverse")}}),
       tensor({2, 1, 1, 1}, reversedRnnStates())},
  };
}

std::vector<ComposedCase> einsumCases() {
  const NumberedTensor a = tensor({2, 2}, {1, 2, 3, 4});
  const auto equation = [](const std::string& text) {
    return nodeOf("Einsum", {{"equation", text}});
  };
  return {
      {"Einsum", {a, a}, equation("ij,jk->ki"), tensor({2, 2}, {7, 15, 10, 22})},
      {"Einsum_sum", {a}, equation("ij->j"), tensor({2}, {4, 6})},
      {"Einsum_outer",
       {tensor({2}, {1, 2}), tensor({2}, {3, 4})},
       equation("i,j->ij"),
       tensor({2, 2}, {3, 4, 6, 8})},
      {"Einsum_ellipsis",
       {tensor({1, 2, 2}, {1, 2, 3, 4}), a},
       equation("...ij,jk"),
       tensor({1, 2, 2}, {7, 10, 15, 22})},
      {"Einsum_elements", {a, a}, equation("ij,ij->i"), tensor({2}, {5, 25})},
  };
}

std::vector<ComposedCase> attentionCases() {
  // Two equal keys share, so that the result is the mean of the values.
  const NumberedTensor q = tensor({1, 1, 1, 1}, {2});
  const NumberedTensor k = tensor({1, 1, 2, 1}, {1, 1});
  const NumberedTensor v = tensor({1, 1, 2, 1}, {3, 5});
  const double angle = 0.5;
  return {
      {"Attention", {q, k, v}, nodeOf("Attention"), tensor({1, 1, 1, 1}, {4})},
      {"Attention_mask",
       {q, k, v, tensor({1, 2}, {0, std::log(3.0)})},
       nodeOf("Attention"),
       tensor({1, 1, 1, 1}, {4.5})},
      {"RotaryEmbedding",
       {tensor({1, 1, 1, 2}, {1, 2}), tensor({1, 1, 1}, {std::cos(angle)}),
        tensor({1, 1, 1}, {std::sin(angle)})},
       nodeOf("RotaryEmbedding"),
       tensor({1, 1, 1, 2},
              {std::cos(angle) - 2 * std::sin(angle), std::sin(angle) + 2 * std::cos(angle)})},
      {"DFT",
       {tensor({1, 4, 1}, {1, 2, 3, 4})},
       nodeOf("DFT", {{"onesided", std::int64_t{1}}}),
       tensor({1, 3, 2}, {10, 0, -2, 2, -2, 0})},
  };
}

}  // namespace

std::vector<ComposedCase> composedSequenceCases() {
  std::vector<ComposedCase> cases;
  for (const auto& list : {recurrentCases(), einsumCases(), attentionCases()}) {
    cases.insert(cases.end(), list.begin(), list.end());
  }
  return cases;
}

}  // namespace ipusim::workloads
