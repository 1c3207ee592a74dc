// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <tuple>

#include "tests/networks/gradient_case.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/networks/operations/windows/pooling.h"
#include "workloads/vertices/elementwise/operators.h"

// Operations that compute.

namespace ipusim::workloads {
namespace {

class ArithmeticGradient : public OperationGradient {};

TEST_P(ArithmeticGradient, EqualsDifferences) {
  expectDifferences();
}

std::vector<NamedCase> unaryCases() {
  std::vector<NamedCase> cases;
  for (const UnaryRow& row : unaryRows()) {
    const UnaryFunction f = row.function;
    const bool is_positive = f == UnaryFunction::Logarithm || f == UnaryFunction::LogOnePlus ||
                             f == UnaryFunction::SquareRoot;
    cases.push_back({row.word, [=](GradientCase& c) {
                       const double low = is_positive || f == UnaryFunction::Reciprocal ? 0.5 : -7;
                       // The arc of a sine is of numbers between -1 and 1.
                       if (f == UnaryFunction::ArcSine) {
                         return c.add(unary(f), {c.learnt({3, 5}, -0.8, 0.8)});
                       }
                       return c.add(unary(f), {c.learnt({3, 5}, low, 7)});
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Unary, ArithmeticGradient, testing::ValuesIn(unaryCases()), nameOfCase);

std::vector<NamedCase> binaryCases() {
  std::vector<NamedCase> cases;
  for (const BinaryOperator& row : binaryOperators()) {
    const models::BinaryOp f = row.op;
    const std::string word = row.word;
    if (row.result == ResultKind::Truth || f == models::BinaryOp::Remainder) continue;
    cases.push_back({word + "_of_equal_shapes", [=](GradientCase& c) {
                       const bool is_power = f == models::BinaryOp::Power;
                       const NetworkTensorId left = c.learnt({2, 3}, 0.5, 2);
                       return c.add(binary(f), {left, is_power ? c.input({2, 3}, 0.5, 2)
                                                               : c.learnt({2, 3}, 0.5, 2)});
                     }});
    if (f == models::BinaryOp::Power) continue;
    cases.push_back(
        {word + "_of_a_row", [=](GradientCase& c) {
           return c.add(binary(f), {c.learnt({2, 1, 4}, 0.5, 2), c.learnt({3, 1}, 0.5, 2)});
         }});
  }
  cases.push_back(
      {"power_at_zero", [](GradientCase& c) {
         const NetworkTensorId exponents = c.graph().add(
             "exponents", concat(0), {c.number({1}, 0), c.number({1}, 1), c.number({1}, 2)});
         return c.add(binary(models::BinaryOp::Power), {c.learnt({2, 3}, 0, 0), exponents});
       }});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Binary, ArithmeticGradient, testing::ValuesIn(binaryCases()), nameOfCase);

std::vector<NamedCase> productCases() {
  std::vector<NamedCase> cases;
  const auto add = [&cases](const std::string& name, const Shape& a, const Shape& b,
                            ProductOperand left, ProductOperand right) {
    cases.push_back({name, [=](GradientCase& c) {
                       return c.add(matmul({left, right}), {c.learnt(a), c.learnt(b)});
                     }});
  };
  const auto plain = ProductOperand::Plain;
  const auto transposed = ProductOperand::Transposed;
  add("of_matrices", {2, 3}, {3, 4}, plain, plain);
  add("left_transposed", {3, 2}, {3, 4}, transposed, plain);
  add("right_transposed", {2, 3}, {4, 3}, plain, transposed);
  add("both_transposed", {3, 2}, {4, 3}, transposed, transposed);
  add("of_rows_of_samples", {2, 3, 4}, {4, 5}, plain, plain);
  add("of_rows_of_samples_transposed", {2, 3, 4}, {5, 4}, plain, transposed);
  add("of_groups", {2, 2, 3, 4}, {2, 2, 4, 2}, plain, plain);
  add("of_groups_and_one_matrix", {2, 4, 3}, {4, 5}, transposed, plain);
  add("of_broadcast_groups", {2, 1, 3, 4}, {3, 4, 2}, plain, plain);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Matmul, ArithmeticGradient, testing::ValuesIn(productCases()), nameOfCase);

std::vector<NamedCase> convolutionCases() {
  std::vector<NamedCase> cases;
  const auto add = [&cases](const std::string& name, const Shape& x, const Shape& w,
                            const ConvolutionShape& shape) {
    cases.push_back({name, [=](GradientCase& c) {
                       return c.add(convolution(shape), {c.learnt(x), c.learnt(w)});
                     }});
  };
  add("of_one_dimension", {2, 3, 7}, {4, 3, 3}, {WindowMotion::plain(1)});
  add("with_stride_and_padding", {1, 2, 6, 5}, {3, 2, 3, 2}, {{{2, 1}, {1, 0}, {0, 1}, {1, 1}}});
  add("with_unused_rows", {1, 1, 6, 6}, {1, 1, 3, 3}, {{{2, 2}, {0, 0}, {0, 0}, {1, 1}}});
  add("with_dilation", {1, 2, 7, 7}, {2, 2, 3, 3}, {{{1, 2}, {2, 2}, {2, 2}, {2, 2}}});
  add("of_groups", {2, 4, 4, 4}, {6, 2, 3, 3}, {{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 2});
  add("of_each_channel", {1, 3, 4, 4}, {3, 1, 3, 3}, {{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 3});
  add("of_three_dimensions", {1, 1, 3, 3, 3}, {2, 1, 2, 2, 2}, {WindowMotion::plain(3)});
  cases.push_back({"transposed", [](GradientCase& c) {
                     const ConvolutionShape shape{{{2, 2}, {0, 0}, {0, 0}, {1, 1}}};
                     return c.add(transposedConvolution(shape, {6, 4}),
                                  {c.learnt({1, 3, 3, 2}), c.learnt({3, 2, 2, 2})});
                   }});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Conv, ArithmeticGradient, testing::ValuesIn(convolutionCases()),
                         nameOfCase);

std::vector<NamedCase> poolingCases() {
  std::vector<NamedCase> cases;
  const std::vector<std::pair<std::string, PoolingFunction>> functions{
      {"max", PoolingFunction::Maximum},
      {"average", PoolingFunction::Average},
      {"average_with_padding", PoolingFunction::AveragePadded}};
  for (const auto& [name, function] : functions) {
    const PoolingFunction f = function;
    cases.push_back({name, [=](GradientCase& c) {
                       return c.add(pooling({f, {3, 2}, {{2, 1}, {1, 0}, {1, 1}, {1, 1}}}),
                                    {c.learnt({2, 2, 5, 4})});
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Pooling, ArithmeticGradient, testing::ValuesIn(poolingCases()),
                         nameOfCase);

std::vector<NamedCase> normCases() {
  std::vector<NamedCase> cases;
  const auto add = [&cases](const std::string& name, NormShape norm, const Shape& x,
                            const Shape& scale) {
    cases.push_back({name, [=](GradientCase& c) {
                       const auto y =
                           c.graph().addNode("norm", normalisation(norm),
                                             {c.learnt(x), c.learnt(scale), c.learnt(scale)});
                       return y.front();
                     }});
  };
  add("batch", {NormKind::Batch}, {3, 2, 2, 2}, {2});
  add("batch_of_features", {NormKind::Batch}, {4, 3}, {3});
  add("group", {NormKind::Group, 2}, {2, 4, 3}, {4});
  add("layer", {NormKind::Layer}, {2, 3, 4}, {4});
  add("layer_of_two_dimensions", {NormKind::Layer}, {2, 3, 4}, {3, 4});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Norm, ArithmeticGradient, testing::ValuesIn(normCases()), nameOfCase);

std::vector<NamedCase> softmaxCases() {
  return {
      {"softmax",
       [](GradientCase& c) {
         return c.add(softmax(1), {c.learnt({2, 4, 3})});
       }},
      {"log_softmax",
       [](GradientCase& c) {
         return c.add(logSoftmax(2), {c.learnt({2, 4, 3})});
       }},
      {"cross_entropy",
       [](GradientCase& c) {
         return c.add(crossEntropyLoss(), {c.learnt({2, 3, 4}), c.classes({2, 3}, 4)});
       }},
      {"cross_entropy_times_a_number",
       [](GradientCase& c) {
         const NetworkTensorId loss =
             c.add(crossEntropyLoss(), {c.learnt({3, 4}), c.classes({3}, 4)});
         return c.add(scale(2.5), {loss});
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(Softmax, ArithmeticGradient, testing::ValuesIn(softmaxCases()),
                         nameOfCase);

}  // namespace
}  // namespace ipusim::workloads
