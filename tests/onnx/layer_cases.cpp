// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/operator_cases.h"

namespace ipusim::workloads {

namespace {

using Ints = std::vector<std::int64_t>;

std::vector<OperatorCase> denseCases() {
  const auto field = [](OnnxBuilder& b) { return b.input("x", {2, 4, 8, 8}); };
  const auto sequence = [](OnnxBuilder& b) { return b.input("x", {2, 5, 6}); };
  return {
      {"Conv",
       {2, 6, 4, 4},
       {"conv"},
       [=](OnnxBuilder& b) {
         return b.node("Conv", {field(b), b.weights({6, 4, 3, 3})},
                       {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
       }},
      {"Conv_bias_groups_same",
       {2, 4, 4, 4},
       {"conv", "reshape", "add"},
       [=](OnnxBuilder& b) {
         return b.node("Conv", {field(b), b.weights({4, 1, 3, 3}), b.weights({4})},
                       {{"strides", Ints{2, 2}},
                        {"group", std::int64_t{4}},
                        {"auto_pad", std::string("SAME_UPPER")}});
       }},
      {"ConvTranspose",
       {2, 3, 16, 16},
       {"conv_transpose"},
       [=](OnnxBuilder& b) {
         return b.node("ConvTranspose", {field(b), b.weights({4, 3, 2, 2})},
                       {{"strides", Ints{2, 2}}});
       }},
      {"MatMul",
       {2, 5, 7},
       {"matmul"},
       [=](OnnxBuilder& b) {
         return b.node("MatMul", {sequence(b), b.weights({6, 7})});
       }},
      {"Gemm",
       {3, 7},
       {"matmul", "scale", "add"},
       [](OnnxBuilder& b) {
         return b.node("Gemm", {b.input("x", {3, 5}), b.weights({7, 5}), b.weights({7})},
                       {{"transB", std::int64_t{1}}, {"alpha", 0.5}});
       }},
  };
}

std::vector<OperatorCase> windowCases() {
  const auto field = [](OnnxBuilder& b) { return b.input("x", {2, 4, 8, 8}); };
  return {
      {"MaxPool",
       {2, 4, 4, 4},
       {"max_pool"},
       [=](OnnxBuilder& b) {
         return b.node(
             "MaxPool", {field(b)},
             {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
       }},
      {"AveragePool",
       {2, 4, 7, 7},
       {"average_pool"},
       [=](OnnxBuilder& b) {
         return b.node("AveragePool", {field(b)}, {{"kernel_shape", Ints{2, 2}}});
       }},
      {"GlobalAveragePool",
       {2, 4, 1, 1},
       {"reduce_mean"},
       [=](OnnxBuilder& b) { return b.node("GlobalAveragePool", {field(b)}); }},
      {"GlobalMaxPool",
       {2, 4, 1, 1},
       {"reduce_max"},
       [=](OnnxBuilder& b) { return b.node("GlobalMaxPool", {field(b)}); }},
  };
}

std::vector<OperatorCase> rowCases() {
  const auto field = [](OnnxBuilder& b) { return b.input("x", {2, 4, 8, 8}); };
  const auto sequence = [](OnnxBuilder& b) { return b.input("x", {2, 5, 6}); };
  return {
      {"BatchNormalization",
       {2, 4, 8, 8},
       {"batch_norm_inference"},
       [=](OnnxBuilder& b) {
         return b.node("BatchNormalization",
                       {field(b), b.weights({4}), b.weights({4}), b.weights({4}), b.weights({4})});
       }},
      {"InstanceNormalization",
       {2, 4, 8, 8},
       {"group_norm"},
       [=](OnnxBuilder& b) {
         return b.node("InstanceNormalization", {field(b), b.weights({4}), b.weights({4})});
       }},
      {"LayerNormalization",
       {2, 5, 6},
       {"layer_norm"},
       [=](OnnxBuilder& b) {
         return b.node("LayerNormalization", {sequence(b), b.weights({6}), b.weights({6})});
       },
       17},
      {"LayerNormalization_without_bias",
       {2, 5, 6},
       {"constant", "layer_norm"},
       [=](OnnxBuilder& b) {
         return b.node("LayerNormalization", {sequence(b), b.weights({6})});
       },
       17},
      {"Softmax",
       {2, 5, 6},
       {"softmax"},
       [=](OnnxBuilder& b) { return b.node("Softmax", {sequence(b)}); }},
      {"Softmax_before_13",
       {2, 5, 6},
       {"reshape", "softmax", "reshape"},
       [=](OnnxBuilder& b) { return b.node("Softmax", {sequence(b)}); },
       11},
      {"LogSoftmax",
       {2, 5, 6},
       {"log_softmax"},
       [=](OnnxBuilder& b) { return b.node("LogSoftmax", {sequence(b)}); }},
      {"Dropout",
       {2, 5, 6},
       {"relu"},
       [=](OnnxBuilder& b) { return b.node("Relu", {b.node("Dropout", {sequence(b)})}); }},
  };
}

std::vector<OperatorCase> operatorCases() {
  std::vector<OperatorCase> cases;
  const std::vector<std::pair<std::string, std::string>> unaries{{"Abs", "abs"},
                                                                 {"Erf", "erf"},
                                                                 {"Exp", "exp"},
                                                                 {"HardSwish", "hard_swish"},
                                                                 {"LeakyRelu", "leaky_relu"},
                                                                 {"Log", "log"},
                                                                 {"Neg", "negate"},
                                                                 {"Reciprocal", "reciprocal"},
                                                                 {"Relu", "relu"},
                                                                 {"Sigmoid", "sigmoid"},
                                                                 {"Softsign", "softsign"},
                                                                 {"Sqrt", "sqrt"},
                                                                 {"Tanh", "tanh"}};
  for (const auto& [name, kind] : unaries) {
    const std::string operator_name = name;
    cases.push_back({name, {2, 3}, {kind}, [=](OnnxBuilder& b) {
                       return b.node(operator_name, {b.input("x", {2, 3})});
                     }});
  }
  const std::vector<std::pair<std::string, std::string>> binaries{
      {"Add", "add"},      {"Div", "divide"}, {"Max", "maximum"}, {"Min", "minimum"},
      {"Mul", "multiply"}, {"Pow", "power"},  {"Sub", "subtract"}};
  for (const auto& [name, kind] : binaries) {
    const std::string operator_name = name;
    cases.push_back({name, {2, 3}, {kind}, [=](OnnxBuilder& b) {
                       return b.node(operator_name, {b.input("x", {2, 3}), b.weights({3})});
                     }});
  }
  return cases;
}

std::vector<OperatorCase> numberCases() {
  return {
      {"Mul_scalar",
       {2, 3},
       {"scale"},
       [](OnnxBuilder& b) {
         return b.node("Mul", {b.input("x", {2, 3}), b.scalar(3)});
       }},
      {"Div_scalar",
       {2, 3},
       {"scale"},
       [](OnnxBuilder& b) {
         return b.node("Div", {b.input("x", {2, 3}), b.scalar(8)});
       }},
      {"Clip",
       {2, 3},
       {"relu6"},
       [](OnnxBuilder& b) {
         return b.node("Clip", {b.input("x", {2, 3}), b.scalar(0), b.scalar(6)});
       }},
      {"Clip_other_bounds",
       {2, 3},
       {"clip"},
       [](OnnxBuilder& b) {
         return b.node("Clip", {b.input("x", {2, 3}), b.scalar(-1)});
       }},
      {"HardSigmoid",
       {2, 3},
       {"hard_sigmoid"},
       [](OnnxBuilder& b) {
         return b.node("HardSigmoid", {b.input("x", {2, 3})}, {{"alpha", 1.0 / 6}});
       }},
      {"Cast",
       {2, 3},
       {"cast"},
       [](OnnxBuilder& b) {
         return b.node("Cast", {b.input("x", {2, 3}, onnx::TensorProto::INT64)},
                       {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
       }},
  };
}

std::vector<OperatorCase> selectionCases() {
  return {
      {"Identity",
       {2, 3},
       {"relu"},
       [](OnnxBuilder& b) {
         return b.node("Relu", {b.node("Identity", {b.input("x", {2, 3})})});
       }},
      {"Pow_square",
       {2, 3},
       {"multiply"},
       [](OnnxBuilder& b) {
         return b.node("Pow", {b.input("x", {2, 3}), b.scalar(2)});
       }},
      {"Pow_of_a_number",
       {2, 3},
       {"power_number"},
       [](OnnxBuilder& b) {
         return b.node("Pow", {b.input("x", {2, 3}), b.scalar(2.5)});
       }},
      {"Max_of_three",
       {2, 3},
       {"maximum", "maximum"},
       [](OnnxBuilder& b) {
         return b.node("Max", {b.input("x", {2, 3}), b.weights({3}), b.weights({2, 1})});
       }},
      {"Sum",
       {2, 3},
       {"add", "add"},
       [](OnnxBuilder& b) {
         return b.node("Sum", {b.input("x", {2, 3}), b.weights({3}), b.weights({2, 3})});
       }},
      {"Where",
       {2, 3},
       {"select"},
       [](OnnxBuilder& b) {
         return b.node("Where", {b.input("c", {2, 1}, onnx::TensorProto::BOOL),
                                 b.input("x", {2, 3}), b.scalar(0)});
       }},
  };
}

std::vector<OperatorCase> comparisonCases() {
  std::vector<OperatorCase> cases;
  const std::vector<std::pair<std::string, std::string>> comparisons{
      {"Equal", "equal"},
      {"Greater", "greater_than"},
      {"GreaterOrEqual", "greater_or_equal"},
      {"Less", "less_than"},
      {"LessOrEqual", "less_or_equal"}};
  for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{
           {"And", "logical_and"}, {"Or", "logical_or"}}) {
    const std::string type = name;
    cases.push_back({type, {2, 3}, {kind}, [type](OnnxBuilder& b) {
                       return b.node(type, {b.input("x", {2, 3}, onnx::TensorProto::BOOL),
                                            b.input("y", {2, 1}, onnx::TensorProto::BOOL)});
                     }});
  }
  for (const auto& [name, kind] : comparisons) {
    const std::string type = name;
    cases.push_back({type, {2, 3}, {kind + "_number"}, [type](OnnxBuilder& b) {
                       return b.node(type, {b.input("x", {2, 3}), b.scalar(0.5)});
                     }});
  }
  return cases;
}

}  // namespace

std::vector<OperatorCase> layerCases() {
  return joined({denseCases(), windowCases(), rowCases()});
}

std::vector<OperatorCase> elementwiseCases() {
  return joined({operatorCases(), numberCases(), selectionCases(), comparisonCases()});
}

}  // namespace ipusim::workloads
