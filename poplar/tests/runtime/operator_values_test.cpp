// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "poplar/tests/runtime/library_fixture.h"
#include "poplin/MatMul.hpp"
#include "popops/ElementWise.hpp"
#include "popops/Pad.hpp"
#include "popops/Reduce.hpp"
#include "popops/ScaledAdd.hpp"

// Values of operators and products against the formulas of the host. Floats near 1 lie
// 1.2e-7 apart, and those near 7 four times as far: a result may be some twenty such steps off.

namespace {

using poplar::Tensor;
using popops::expr::BinaryOpType;
using popops::expr::UnaryOpType;
using testing::ElementsAre;

using OperatorValues = LibraryProgram;

struct UnaryCase {
  UnaryOpType op;
  double (*value)(double);
};

const std::vector<UnaryCase> kOperatorValuesUnary = {
    {UnaryOpType::ABSOLUTE, [](double x) { return std::fabs(x); }},
    {UnaryOpType::ASIN, [](double x) { return std::asin(x); }},
    {UnaryOpType::CBRT, [](double x) { return std::cbrt(x); }},
    {UnaryOpType::CEIL, [](double x) { return std::ceil(x); }},
    {UnaryOpType::COS, [](double x) { return std::cos(x); }},
    {UnaryOpType::ERF, [](double x) { return std::erf(x); }},
    {UnaryOpType::EXPONENT, [](double x) { return std::exp(x); }},
    {UnaryOpType::EXPONENT2, [](double x) { return std::exp2(x); }},
    {UnaryOpType::EXPONENT_MINUS_ONE, [](double x) { return std::expm1(x); }},
    {UnaryOpType::FLOOR, [](double x) { return std::floor(x); }},
    {UnaryOpType::GELU_ERF, [](double x) { return x * (1 + std::erf(x / std::sqrt(2.0))) / 2; }},
    {UnaryOpType::INVERSE, [](double x) { return 1 / x; }},
    {UnaryOpType::LOGARITHM, [](double x) { return std::log(x); }},
    {UnaryOpType::LOGARITHM_ONE_PLUS, [](double x) { return std::log1p(x); }},
    {UnaryOpType::NEARBY_INT, [](double x) { return std::nearbyint(x); }},
    {UnaryOpType::NEGATE, [](double x) { return -x; }},
    {UnaryOpType::RELU, [](double x) { return std::max(x, 0.0); }},
    {UnaryOpType::ROUND, [](double x) { return std::round(x); }},
    {UnaryOpType::RSQRT, [](double x) { return 1 / std::sqrt(x); }},
    {UnaryOpType::SIGMOID, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {UnaryOpType::SIGNUM, [](double x) { return x > 0 ? 1.0 : -1.0; }},
    {UnaryOpType::SIN, [](double x) { return std::sin(x); }},
    {UnaryOpType::SQRT, [](double x) { return std::sqrt(x); }},
    {UnaryOpType::SQUARE, [](double x) { return x * x; }},
    {UnaryOpType::TAN, [](double x) { return std::tan(x); }},
    {UnaryOpType::TANH, [](double x) { return std::tanh(x); }},
    {UnaryOpType::TRUNC, [](double x) { return std::trunc(x); }},
};

TEST_F(OperatorValues, UnaryOperatorsOfFloatsAreThoseOfTheHost) {
  const std::vector<float> inputs = {0.3F, 0.7F};
  const Tensor in = spread<float>({2}, inputs);
  std::vector<Tensor> results;
  results.reserve(kOperatorValuesUnary.size());
  for (const UnaryCase& each : kOperatorValuesUnary)
    results.push_back(popops::map(graph, each.op, in, program));
  const std::vector<float> found = after<float>(poplar::concat(results));
  for (std::size_t c = 0; c < kOperatorValuesUnary.size(); ++c) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_NEAR(found[2 * c + i], kOperatorValuesUnary[c].value(inputs[i]), 2e-6)
          << popops::detail::nameOf(kOperatorValuesUnary[c].op) << " of " << inputs[i];
    }
  }
}

struct BinaryCase {
  BinaryOpType op;
  double (*value)(double, double);
};

const std::vector<BinaryCase> kOperatorValuesBinary = {
    {BinaryOpType::ADD, [](double a, double b) { return a + b; }},
    {BinaryOpType::ATAN2, [](double a, double b) { return std::atan2(a, b); }},
    {BinaryOpType::DIVIDE, [](double a, double b) { return a / b; }},
    {BinaryOpType::INV_STD_DEV_TO_VARIANCE, [](double a, double b) { return 1 / (a * a) - b; }},
    {BinaryOpType::MAXIMUM, [](double a, double b) { return std::max(a, b); }},
    {BinaryOpType::MINIMUM, [](double a, double b) { return std::min(a, b); }},
    {BinaryOpType::MULTIPLY, [](double a, double b) { return a * b; }},
    {BinaryOpType::POWER, [](double a, double b) { return std::pow(a, b); }},
    {BinaryOpType::REMAINDER, [](double a, double b) { return std::fmod(a, b); }},
    {BinaryOpType::SUBTRACT, [](double a, double b) { return a - b; }},
    {BinaryOpType::VARIANCE_TO_INV_STD_DEV,
     [](double a, double b) { return 1 / std::sqrt(a + b); }},
};

TEST_F(OperatorValues, BinaryOperatorsOfFloatsAreThoseOfTheHost) {
  const Tensor a = spread<float>({2}, {0.75F, 3.5F});
  const Tensor b = spread<float>({2}, {1.25F, 0.5F});
  std::vector<Tensor> results;
  results.reserve(kOperatorValuesBinary.size());
  for (const BinaryCase& each : kOperatorValuesBinary) {
    results.push_back(popops::map(graph, each.op, a, b, program));
  }
  const std::vector<float> found = after<float>(poplar::concat(results));
  for (std::size_t c = 0; c < kOperatorValuesBinary.size(); ++c) {
    const char* const name = popops::detail::nameOf(kOperatorValuesBinary[c].op);
    EXPECT_NEAR(found[2 * c], kOperatorValuesBinary[c].value(0.75, 1.25), 2e-6) << name;
    EXPECT_NEAR(found[2 * c + 1], kOperatorValuesBinary[c].value(3.5, 0.5), 1e-5) << name;
  }
}

TEST_F(OperatorValues, OperatorsOfWholeNumbersAreThoseOfTheHost) {
  const Tensor a = spread<unsigned>({1}, {0x00F3});
  const Tensor b = spread<unsigned>({1}, {5});
  std::vector<Tensor> results = {popops::countLeadingZeros(graph, a, program),
                                 popops::popcount(graph, a, program),
                                 popops::bitwiseNot(graph, a, program)};
  for (const BinaryOpType op :
       {BinaryOpType::BITWISE_AND, BinaryOpType::BITWISE_OR, BinaryOpType::BITWISE_XNOR,
        BinaryOpType::BITWISE_XOR, BinaryOpType::SHIFT_LEFT, BinaryOpType::SHIFT_RIGHT}) {
    results.push_back(popops::map(graph, op, a, b, program));
  }
  EXPECT_THAT(after<unsigned>(poplar::concat(results)),
              ElementsAre(24U, 6U, ~0xF3U, 0xF3U & 5U, 0xF3U | 5U, ~(0xF3U ^ 5U), 0xF3U ^ 5U,
                          0xF3U << 5U, 0xF3U >> 5U));
}

TEST_F(OperatorValues, ComparisonsAreThoseOfTheHost) {
  const Tensor a = spread<int>({3}, {1, 2, 3});
  const Tensor b = spread<int>({3}, {2, 2, 2});
  std::vector<Tensor> results;
  for (const BinaryOpType op :
       {BinaryOpType::EQUAL, BinaryOpType::GREATER_THAN, BinaryOpType::GREATER_THAN_EQUAL,
        BinaryOpType::LESS_THAN, BinaryOpType::LESS_THAN_EQUAL, BinaryOpType::NOT_EQUAL}) {
    results.push_back(popops::map(graph, op, a, b, program));
  }
  EXPECT_THAT(after<bool>(poplar::concat(results)),
              ElementsAre(false, true, false, false, false, true, false, true, true, true, false,
                          false, true, true, false, true, false, true));
}

TEST_F(OperatorValues, AReductionOfNoElementIsTheNeutralOneOfEachOperation) {
  const Tensor none = graph.addVariable(poplar::FLOAT, {0, 1}, "none");
  const Tensor least = popops::reduce(graph, none, {0}, popops::Operation::MAX, program);
  const Tensor most = popops::reduce(graph, none, {0}, popops::Operation::MIN, program);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(after<float>(poplar::concat(least, most)), ElementsAre(-infinity, infinity));
}

TEST_F(OperatorValues, AScaledDifferenceOfTwoScalesScalesBoth) {
  const Tensor a = spread<float>({2}, {1, 2});
  const Tensor b = spread<float>({2}, {10, 20});
  popops::scaledSubtractFrom(graph, a, spread<float>({1}, {3}), b, spread<float>({1}, {0.5F}),
                             program);
  EXPECT_THAT(after<float>(a), ElementsAre(-2, -4));
}

TEST_F(OperatorValues, SelectedAndClampedElementsMayGoToATensorThatIsThere) {
  const Tensor a = spread<int>({3}, {1, 50, -7});
  const Tensor to = spread<int>({3}, {0, 0, 0});
  popops::clampWithOutput(graph, a, 0, 10, to, program);
  popops::selectWithOutput(graph, a, -1, popops::gt(graph, to, 0, program), a, program);
  popops::clampInPlace(graph, to, 2, 9, program);
  EXPECT_THAT(after<int>(poplar::concat(a, to)), ElementsAre(1, 50, -1, 2, 9, 2));
}

TEST_F(OperatorValues, AProductMayGoToATensorThatIsThere) {
  const Tensor a = spread<float>({2, 2}, {1, 2, 3, 4});
  const Tensor b = spread<float>({2, 1}, {10, 100});
  Tensor product = spread<float>({2, 1}, {0, 0});
  poplin::matMulWithOutput(graph, a, b, product, program);
  Tensor groups;
  poplin::matMulGroupedWithOutput(
      graph, a.expand({0}), poplin::transposeGroupedMatrix(b.expand({0}).dimShuffle({0, 2, 1})),
      groups, program);
  EXPECT_THAT(after<float>(poplar::concat(product.flatten(), groups.flatten())),
              ElementsAre(210, 430, 210, 430));
  Tensor turned = spread<float>({1, 2}, {0, 0});
  EXPECT_THROW(poplin::matMulWithOutput(graph, a, b, turned, program), poputil::poplibs_error);
}

TEST_F(OperatorValues, AProductOfAnArrangedOperandIsAddedWithAScale) {
  const Tensor a = spread<float>({2, 2}, {1, 2, 3, 4});
  const Tensor b = spread<float>({2, 1}, {10, 100});
  const Tensor arranged = poplin::preArrangeMatMulInputRHS(graph, a.shape(), b, program);
  const Tensor sum = spread<float>({2, 1}, {1, 2});
  poplin::matMulAcc(graph, sum, spread<float>({1}, {0.5F}), a, arranged, program);
  EXPECT_THAT(after<float>(sum), ElementsAre(106, 217));
}

TEST_F(OperatorValues, SizesOfAPaddingInBracesAreThoseOfEachDimension) {
  const Tensor a = spread<float>({2}, {1, 2});
  const Tensor to = spread<float>({5}, {9, 9, 9, 9, 9});
  program.add(poplar::program::Copy(popops::pad(graph, a, {1}, {2}, 0.5F), to));
  EXPECT_THAT(after<float>(to), ElementsAre(0.5F, 1, 2, 0.5F, 0.5F));
}

}  // namespace
