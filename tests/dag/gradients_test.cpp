// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <tuple>

#include "workloads/networks/dag/backward.h"
#include "workloads/networks/dag/convolution.h"
#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/evaluate.h"
#include "workloads/networks/dag/normalisation.h"
#include "workloads/networks/dag/pooling.h"
#include "workloads/networks/dag/product.h"
#include "workloads/networks/dag/reduction.h"
#include "workloads/networks/dag/shaping.h"
#include "workloads/networks/dag/softmax.h"
#include "workloads/networks/dag/structured.h"

// The gradient of each operation against differences of the loss, in doubles.

namespace ipusim::workloads {
namespace {

/// Adds learnt tensors and inputs to a graph, with values for all of them.
class GradientCase {
 public:
  NetworkTensorId learnt(const Shape& shape, double low = -2, double high = 2) {
    return source(shape, TensorRole::Parameter, low, high);
  }
  NetworkTensorId input(const Shape& shape, double low = -2, double high = 2) {
    return source(shape, TensorRole::Input, low, high);
  }
  /// An input whose elements all have one value.
  NetworkTensorId number(const Shape& shape, double value) { return input(shape, value, value); }
  NetworkTensorId classes(const Shape& shape, std::uint64_t count) {
    const NetworkTensorId labels = source(shape, TensorRole::Input, 0, 0);
    double next = 1;
    for (double& label : sources_[indexOf(labels)]) {
      label = std::fmod(next, static_cast<double>(count));
      next += 2;
    }
    return labels;
  }
  NetworkTensorId add(OperationPointer operation, const std::vector<NetworkTensorId>& operands) {
    return graph_.add("node", std::move(operation), operands);
  }
  NetworkGraph& graph() { return graph_; }

  /// The loss that ends in the last result, and its gradients.
  void expectGradientsOf(NetworkTensorId result) {
    NetworkTensorId loss = result;
    if (elementsOf(graph_.shapeOf(result)) > 1) {
      loss = add(squaredErrorLoss(), {result, input(graph_.shapeOf(result))});
    }
    const TensorGradients gradients = addBackward(graph_, loss);
    for (const NetworkTensorId parameter : graph_.tensorsOf(TensorRole::Parameter)) {
      ASSERT_TRUE(gradients[indexOf(parameter)]);
      expectDifferences(parameter, *gradients[indexOf(parameter)], loss);
    }
  }

 private:
  NetworkTensorId source(const Shape& shape, TensorRole role, double low, double high) {
    const NetworkTensorId id = graph_.addSource("source", {shape}, role);
    std::uniform_real_distribution<double> draw(low, high);
    TensorValues& values = sources_[indexOf(id)];
    for (std::uint64_t e = 0; e < elementsOf(shape); ++e) values.push_back(draw(random_));
    return id;
  }

  void expectDifferences(NetworkTensorId parameter, NetworkTensorId gradient,
                         NetworkTensorId loss) {
    const TensorValues found = evaluate(graph_, sources_)[indexOf(gradient)];
    ASSERT_EQ(found.size(), elementsOf(graph_.shapeOf(parameter)));
    for (std::size_t e = 0; e < found.size(); ++e) {
      constexpr double kStep = 1e-5;
      const double above = lossAfter(parameter, e, kStep, loss);
      const double below = lossAfter(parameter, e, -kStep, loss);
      const double slope = (above - below) / (2 * kStep);
      EXPECT_NEAR(found[e], slope, 1e-7 + 1e-6 * std::abs(slope)) << "element " << e;
    }
  }

  double lossAfter(NetworkTensorId parameter, std::size_t element, double step,
                   NetworkTensorId loss) {
    double& value = sources_[indexOf(parameter)][element];
    const double before = value;
    value += step;
    const double result = evaluate(graph_, sources_)[indexOf(loss)].front();
    value = before;
    return result;
  }

  NetworkGraph graph_;
  std::unordered_map<std::size_t, TensorValues> sources_;
  std::mt19937_64 random_{7};
};

struct NamedCase {
  std::string name;
  std::function<NetworkTensorId(GradientCase&)> build;
};

class OperationGradient : public testing::TestWithParam<NamedCase> {};

TEST_P(OperationGradient, EqualsDifferences) {
  GradientCase gradients;
  const NetworkTensorId result = GetParam().build(gradients);
  gradients.expectGradientsOf(result);
}

std::string nameOfCase(const testing::TestParamInfo<NamedCase>& info) {
  return info.param.name;
}

std::vector<NamedCase> unaryCases() {
  std::vector<NamedCase> cases;
  for (const auto& [function, word] : kUnaryFunctions) {
    const bool is_positive =
        function == UnaryFunction::Logarithm || function == UnaryFunction::SquareRoot;
    const UnaryFunction f = function;
    cases.push_back({word, [=](GradientCase& c) {
                       const double low = is_positive || f == UnaryFunction::Reciprocal ? 0.5 : -7;
                       return c.add(unary(f), {c.learnt({3, 5}, low, 7)});
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Unary, OperationGradient, testing::ValuesIn(unaryCases()), nameOfCase);

std::vector<NamedCase> binaryCases() {
  std::vector<NamedCase> cases;
  for (const auto& [function, word] : kBinaryFunctions) {
    const BinaryFunction f = function;
    cases.push_back({std::string(word) + "_of_equal_shapes", [=](GradientCase& c) {
                       const bool is_power = f == BinaryFunction::Power;
                       const NetworkTensorId left = c.learnt({2, 3}, 0.5, 2);
                       return c.add(binary(f), {left, is_power ? c.input({2, 3}, 0.5, 2)
                                                               : c.learnt({2, 3}, 0.5, 2)});
                     }});
    if (f == BinaryFunction::Power) continue;
    cases.push_back(
        {std::string(word) + "_of_a_row", [=](GradientCase& c) {
           return c.add(binary(f), {c.learnt({2, 1, 4}, 0.5, 2), c.learnt({3, 1}, 0.5, 2)});
         }});
  }
  cases.push_back(
      {"power_at_zero", [](GradientCase& c) {
         const NetworkTensorId exponents = c.graph().add(
             "exponents", concat(0), {c.number({1}, 0), c.number({1}, 1), c.number({1}, 2)});
         return c.add(binary(BinaryFunction::Power), {c.learnt({2, 3}, 0, 0), exponents});
       }});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Binary, OperationGradient, testing::ValuesIn(binaryCases()), nameOfCase);

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

INSTANTIATE_TEST_SUITE_P(Matmul, OperationGradient, testing::ValuesIn(productCases()), nameOfCase);

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

INSTANTIATE_TEST_SUITE_P(Conv, OperationGradient, testing::ValuesIn(convolutionCases()),
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

INSTANTIATE_TEST_SUITE_P(Pooling, OperationGradient, testing::ValuesIn(poolingCases()), nameOfCase);

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

INSTANTIATE_TEST_SUITE_P(Norm, OperationGradient, testing::ValuesIn(normCases()), nameOfCase);

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

INSTANTIATE_TEST_SUITE_P(Softmax, OperationGradient, testing::ValuesIn(softmaxCases()), nameOfCase);

std::vector<NamedCase> shapingCases() {
  return {
      {"reshape",
       [](GradientCase& c) {
         return c.add(reshape({3, 4}), {c.learnt({2, 6})});
       }},
      {"transpose",
       [](GradientCase& c) {
         return c.add(transpose({2, 0, 1}), {c.learnt({2, 3, 4})});
       }},
      {"slice",
       [](GradientCase& c) {
         return c.add(slice({1, 1, 3}), {c.learnt({2, 4, 2})});
       }},
      {"pad",
       [](GradientCase& c) {
         return c.add(zeroPad({1, 1, 2}), {c.learnt({2, 3, 2})});
       }},
      {"concat",
       [](GradientCase& c) {
         return c.add(concat(1), {c.learnt({2, 1, 2}), c.learnt({2, 3, 2})});
       }},
      {"embedding",
       [](GradientCase& c) {
         return c.add(embedding(), {c.learnt({4, 3}), c.classes({2, 3}, 4)});
       }},
      {"dropout",
       [](GradientCase& c) {
         return c.graph().addNode("drop", dropout(0.4, 3), {c.learnt({4, 5})}).front();
       }},
      {"broadcast",
       [](GradientCase& c) {
         return c.add(broadcastTo({2, 3, 4}), {c.learnt({3, 1})});
       }},
      {"scale",
       [](GradientCase& c) {
         return c.add(scale(-1.5), {c.learnt({3, 2})});
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(Shaping, OperationGradient, testing::ValuesIn(shapingCases()), nameOfCase);

std::vector<NamedCase> reductionCases() {
  std::vector<NamedCase> cases;
  for (const auto& [function, word] : kReductionFunctions) {
    const ReductionFunction f = function;
    cases.push_back({word, [=](GradientCase& c) {
                       return c.add(reduce(f, {0, 2}, ReducedAxes::Removed), {c.learnt({2, 3, 4})});
                     }});
    cases.push_back({std::string(word) + "_kept", [=](GradientCase& c) {
                       return c.add(reduce(f, {1}, ReducedAxes::Kept), {c.learnt({2, 3, 4})});
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Reduction, OperationGradient, testing::ValuesIn(reductionCases()),
                         nameOfCase);

std::vector<NamedCase> structuredCases() {
  std::vector<NamedCase> cases;
  for (const auto& [name, twiddles, order] :
       {std::tuple{"butterfly_tied", Twiddles::Tied, StageOrder::Increasing},
        std::tuple{"butterfly_untied", Twiddles::Untied, StageOrder::Decreasing}}) {
    const ButterflyShape shape{8, twiddles, order};
    cases.push_back({name, [=](GradientCase& c) {
                       return c.graph()
                           .addNode("node", butterflyStages(shape),
                                    {c.learnt({2, 3, 8}), c.learnt(twiddleShape(shape))})
                           .front();
                     }});
  }
  cases.push_back({"hadamard", [](GradientCase& c) {
                     return c.add(hadamard(), {c.learnt({3, 8})});
                   }});
  cases.push_back({"look_up", [](GradientCase& c) {
                     return c.add(lookUpRows({3, 0, 3}), {c.learnt({4, 2})});
                   }});
  for (const auto& [name, sum] :
       {std::pair{"bags", BagSum::Bags}, std::pair{"bags_of_one_gather", BagSum::OneGather}}) {
    const Bags bags{3, 2, 4, sum};
    cases.push_back({name, [=](GradientCase& c) {
                       return c.add(sumBags(bags, {3, 0, 1, 2, 0, 1}), {c.learnt({4, 5})});
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Structured, OperationGradient, testing::ValuesIn(structuredCases()),
                         nameOfCase);

std::vector<NamedCase> choiceCases() {
  return {
      {"clip",
       [](GradientCase& c) {
         return c.add(clip({-0.5, 1}), {c.learnt({4, 5})});
       }},
      {"select",
       [](GradientCase& c) {
         const NetworkTensorId is_less =
             c.add(compare(Comparison::Less), {c.input({3, 4}), c.input({4})});
         return c.add(select(), {is_less, c.learnt({3, 1}), c.learnt({4})});
       }},
      {"upsample",
       [](GradientCase& c) {
         return c.add(upsample({2, 3}), {c.learnt({2, 2, 3, 2})});
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(Choice, OperationGradient, testing::ValuesIn(choiceCases()), nameOfCase);

std::vector<NamedCase> pathCases() {
  return {
      {"read_twice",
       [](GradientCase& c) {
         const NetworkTensorId x = c.learnt({2, 3});
         const NetworkTensorId y = c.add(unary(UnaryFunction::Tanh), {x});
         return c.add(binary(BinaryFunction::Multiply), {c.add(scale(2), {y}), y});
       }},
      {"square",
       [](GradientCase& c) {
         const NetworkTensorId x = c.learnt({2, 3});
         return c.add(binary(BinaryFunction::Multiply), {x, x});
       }},
      {"attention",
       [](GradientCase& c) {
         const NetworkTensorId q = c.learnt({2, 3, 4});
         const NetworkTensorId k = c.learnt({2, 3, 4});
         const NetworkTensorId scores =
             c.add(matmul({ProductOperand::Plain, ProductOperand::Transposed}), {q, k});
         const NetworkTensorId likely = c.add(softmax(2), {c.add(scale(0.5), {scores})});
         return c.add(matmul(), {likely, c.learnt({2, 3, 4})});
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(Path, OperationGradient, testing::ValuesIn(pathCases()), nameOfCase);

}  // namespace
}  // namespace ipusim::workloads
