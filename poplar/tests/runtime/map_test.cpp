// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "poplar/tests/runtime/library_fixture.h"
#include "popops/ElementWise.hpp"

namespace {

using namespace popops::expr;
using poplar::Tensor;
using testing::ElementsAre;
using testing::FloatEq;
using testing::Pointwise;

class Map : public LibraryProgram {
 protected:
  const std::vector<float> a_{-2.5F, -1, -0.25F, 0, 0.5F, 1, 2, 3.75F, 7, 10};
  const std::vector<float> b_{1, 2, 3, 4, 5, -6, 7, 0.5F, 9, 10};

  /// The values of an operator, by the host.
  template <typename Result, typename Function>
  std::vector<Result> byHost(const Function& function) const {
    std::vector<Result> values;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      values.push_back(static_cast<Result>(function(a_[i], b_[i])));
    }
    return values;
  }
};

TEST_F(Map, AnExpressionIsOneComputeSet) {
  const Tensor x = spread({10}, a_);
  const Tensor y = spread({10}, b_);
  const Tensor z =
      popops::map(graph, Sqrt(Add(Square(_1), Mul(_2, Const(2)) * _2)), {x, y}, program);
  EXPECT_THAT(after<float>(z), Pointwise(FloatEq(), byHost<float>([](float p, float q) {
                                           return std::sqrt(p * p + q * 2 * q);
                                         })));
}

TEST_F(Map, InPlaceTheFirstOperandTakesTheResult) {
  const Tensor counts = spread<unsigned>({10}, std::vector<unsigned>(10, 7));
  const Tensor x = spread({10}, a_);
  popops::mapInPlace(graph, Add(_1, Cast(Lte(_2 * _2, Const(1.0F)), poplar::UNSIGNED_INT)),
                     {counts, x}, program);
  EXPECT_THAT(after<unsigned>(counts), ElementsAre(7, 8, 8, 8, 8, 8, 7, 7, 7, 7));
}

TEST_F(Map, OperandsOfFewerElementsAreRepeated) {
  const Tensor x = spread<int>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor row = spread<int>({3}, {10, 20, 30});
  const Tensor one = spread<int>({}, {100});
  EXPECT_THAT(after<int>(popops::map(graph, (_1 + _2) % _3, {x, row, one}, program)),
              ElementsAre(11, 22, 33, 14, 25, 36));
}

TEST_F(Map, TheResultOfAHalfIsRoundedAfterEachOperator) {
  const Tensor x = graph.addVariable(poplar::HALF, {1}, "half");
  graph.setTileMapping(x, 1);
  graph.setInitialValue(x, 2048.0F);
  // 2048 + 1 rounds to 2048 in a half, 2048 + 2 does not.
  const Tensor y = popops::map(graph, Cast(_1 + Const(1) + Const(2), poplar::FLOAT), {x}, program);
  EXPECT_THAT(after<float>(y), ElementsAre(2050));
}

TEST_F(Map, SelectAndClamp) {
  const Tensor x = spread({10}, a_);
  const Tensor y = spread({10}, b_);
  const Tensor z =
      popops::map(graph, Select(Clamp(_1, Const(-1.0F), Const(1.0F)), _2, Gt(_2, Const(2.0F))),
                  {x, y}, program);
  EXPECT_THAT(after<float>(z), Pointwise(FloatEq(), byHost<float>([](float p, float q) {
                                           return q > 2 ? std::min(std::max(p, -1.0F), 1.0F) : q;
                                         })));
}

TEST_F(Map, WrongTypesAreNamed) {
  const Tensor x = spread({10}, a_);
  const Tensor y = spread<int>({10}, std::vector<int>(10));
  try {
    popops::map(graph, _1 + _2, {x, y}, program);
    FAIL();
  } catch (const poputil::poplibs_error& error) {
    EXPECT_STREQ(error.what(), "map: wanted operands of one type for add, found float and int");
  }
}

TEST_F(Map, APlaceHolderWithoutAnOperandIsNamed) {
  EXPECT_THROW(popops::map(graph, _1 + _2, {spread({10}, a_)}, program), poputil::poplibs_error);
}

struct UnaryCase {
  UnaryOpType op;
  float (*host)(float);
};
const std::vector<UnaryCase> kUnary = {
    {UnaryOpType::ABSOLUTE, [](float x) { return std::fabs(x); }},
    {UnaryOpType::ASIN, [](float x) { return std::asin(x); }},
    {UnaryOpType::CBRT, [](float x) { return std::cbrt(x); }},
    {UnaryOpType::CEIL, [](float x) { return std::ceil(x); }},
    {UnaryOpType::COS, [](float x) { return std::cos(x); }},
    {UnaryOpType::ERF, [](float x) { return std::erf(x); }},
    {UnaryOpType::EXPONENT, [](float x) { return std::exp(x); }},
    {UnaryOpType::EXPONENT2, [](float x) { return std::exp2(x); }},
    {UnaryOpType::EXPONENT_MINUS_ONE, [](float x) { return std::expm1(x); }},
    {UnaryOpType::FLOOR, [](float x) { return std::floor(x); }},
    {UnaryOpType::INVERSE, [](float x) { return 1 / x; }},
    {UnaryOpType::LOGARITHM, [](float x) { return std::log(x); }},
    {UnaryOpType::LOGARITHM_ONE_PLUS, [](float x) { return std::log1p(x); }},
    {UnaryOpType::NEGATE, [](float x) { return -x; }},
    {UnaryOpType::RELU, [](float x) { return x > 0 ? x : 0; }},
    {UnaryOpType::ROUND, [](float x) { return std::round(x); }},
    {UnaryOpType::RSQRT, [](float x) { return 1 / std::sqrt(x); }},
    {UnaryOpType::SIGMOID, [](float x) { return 1 / (1 + std::exp(-x)); }},
    {UnaryOpType::SIGNUM, [](float x) { return x == 0 ? x : std::copysign(1.0F, x); }},
    {UnaryOpType::SIN, [](float x) { return std::sin(x); }},
    {UnaryOpType::SQRT, [](float x) { return std::sqrt(x); }},
    {UnaryOpType::SQUARE, [](float x) { return x * x; }},
    {UnaryOpType::TAN, [](float x) { return std::tan(x); }},
    {UnaryOpType::TANH, [](float x) { return std::tanh(x); }},
    {UnaryOpType::TRUNC, [](float x) { return std::trunc(x); }}};

TEST_F(Map, EachFunctionOfOneFloatIsThatOfTheHost) {
  std::vector<float> some(a_.size());
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = 0.09F * static_cast<float>(i + 1);
  const Tensor x = spread({10}, some);
  std::vector<Tensor> results;
  std::vector<float> expected;
  for (const UnaryCase& each : kUnary) {
    results.push_back(popops::map(graph, each.op, x, program));
    for (const float value : some) expected.push_back(each.host(value));
  }
  EXPECT_THAT(after<float>(poplar::concat(results)),
              Pointwise(testing::FloatNear(1e-6F), expected));
}

struct BinaryCase {
  BinaryOpType op;
  int (*host)(int, int);
};
const std::vector<BinaryCase> kBinary = {
    {BinaryOpType::ADD, [](int x, int y) { return x + y; }},
    {BinaryOpType::BITWISE_AND, [](int x, int y) { return x & y; }},
    {BinaryOpType::BITWISE_OR, [](int x, int y) { return x | y; }},
    {BinaryOpType::BITWISE_XNOR, [](int x, int y) { return ~(x ^ y); }},
    {BinaryOpType::BITWISE_XOR, [](int x, int y) { return x ^ y; }},
    {BinaryOpType::DIVIDE, [](int x, int y) { return x / y; }},
    {BinaryOpType::MAXIMUM, [](int x, int y) { return std::max(x, y); }},
    {BinaryOpType::MINIMUM, [](int x, int y) { return std::min(x, y); }},
    {BinaryOpType::MULTIPLY, [](int x, int y) { return x * y; }},
    {BinaryOpType::REMAINDER, [](int x, int y) { return x % y; }},
    {BinaryOpType::SHIFT_LEFT, [](int x, int y) { return x << y; }},
    {BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND, [](int x, int y) { return x >> y; }},
    {BinaryOpType::SUBTRACT, [](int x, int y) { return x - y; }}};

TEST_F(Map, EachFunctionOfTwoWholeNumbersIsThatOfTheHost) {
  const std::vector<int> left{5, 17, 1000, 3, 64, 99};
  const std::vector<int> right{1, 2, 3, 4, 5, 6};
  const Tensor x = spread({6}, left);
  const Tensor y = spread({6}, right);
  std::vector<Tensor> results;
  std::vector<int> expected;
  for (const BinaryCase& each : kBinary) {
    results.push_back(popops::map(graph, each.op, x, y, program));
    for (std::size_t i = 0; i < 6; ++i) expected.push_back(each.host(left[i], right[i]));
  }
  EXPECT_EQ(after<int>(poplar::concat(results)), expected);
}

TEST_F(Map, BoolsAreJoined) {
  const Tensor x = spread({10}, a_);
  const Tensor small = popops::lt(graph, x, 1.0F, program);
  const Tensor positive = popops::gt(graph, x, 0.0F, program);
  const Tensor both = popops::logicalAnd(graph, small, positive, program);
  const Tensor none =
      popops::logicalNot(graph, popops::logicalOr(graph, small, positive, program), program);
  const Tensor all = popops::map(graph, Cast(Or(_1, _2), poplar::INT), {both, none}, program);
  EXPECT_THAT(after<int>(all), ElementsAre(0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
}

TEST_F(Map, ANumberMayStandOnTheLeft) {
  const Tensor x = spread<float>({3}, {1, 2, 4});
  EXPECT_THAT(after<float>(popops::sub(graph, 10.0F, x, program)), ElementsAre(9, 8, 6));
}

}  // namespace
