// SPDX-License-Identifier: Apache-2.0
#include "tests/networks/gradient_case.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/products/structured.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/networks/operations/windows/pooling.h"

// Operations that move and choose elements, structured layers, and paths that meet.

namespace ipusim::workloads {
namespace {

class MovingGradient : public OperationGradient {};

TEST_P(MovingGradient, EqualsDifferences) {
  expectDifferences();
}

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

INSTANTIATE_TEST_SUITE_P(Shaping, MovingGradient, testing::ValuesIn(shapingCases()), nameOfCase);

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

INSTANTIATE_TEST_SUITE_P(Reduction, MovingGradient, testing::ValuesIn(reductionCases()),
                         nameOfCase);

std::vector<NamedCase> structuredCasesForMovingGradients() {
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

INSTANTIATE_TEST_SUITE_P(Structured, MovingGradient,
                         testing::ValuesIn(structuredCasesForMovingGradients()), nameOfCase);

std::vector<NamedCase> choiceCases() {
  return {
      {"clip",
       [](GradientCase& c) {
         return c.add(clip({-0.5, 1}), {c.learnt({4, 5})});
       }},
      {"select",
       [](GradientCase& c) {
         const NetworkTensorId is_less =
             c.add(binary(models::BinaryOp::LessThan), {c.input({3, 4}), c.input({4})});
         return c.add(select(), {is_less, c.learnt({3, 1}), c.learnt({4})});
       }},
      {"upsample",
       [](GradientCase& c) {
         return c.add(upsample({2, 3}), {c.learnt({2, 2, 3, 2})});
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(Choice, MovingGradient, testing::ValuesIn(choiceCases()), nameOfCase);

std::vector<NamedCase> pathCases() {
  return {
      {"read_twice",
       [](GradientCase& c) {
         const NetworkTensorId x = c.learnt({2, 3});
         const NetworkTensorId y = c.add(unary(UnaryFunction::Tanh), {x});
         return c.add(binary(models::BinaryOp::Multiply), {c.add(scale(2), {y}), y});
       }},
      {"square",
       [](GradientCase& c) {
         const NetworkTensorId x = c.learnt({2, 3});
         return c.add(binary(models::BinaryOp::Multiply), {x, x});
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

INSTANTIATE_TEST_SUITE_P(Path, MovingGradient, testing::ValuesIn(pathCases()), nameOfCase);

}  // namespace
}  // namespace ipusim::workloads
