// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/onnx/onnx_builder.h"
#include "tests/support/thrown.h"

// What a file has besides operands of its nodes is on tiles what it is in the graph.

namespace ipusim::workloads {
namespace {

/// The name of the test, as part of that of a file.
std::string fileName() {
  std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

/// The numbers of a model, of the forward pass or of two steps of training.
void expectNumbersOf(const std::string& bytes) {
  const std::string file = testing::TempDir() + "ipusim_numbers_" + fileName() + ".onnx";
  std::ofstream(file, std::ios::binary) << bytes;
  for (const char* train : {"", "train = {loss = 'squared_error', steps = 2}\n"}) {
    const run::Experiment experiment = run::prepare(ConfigReader::fromText(
        fmt::format("machine = 'gc200'\n[workload]\nkind = 'onnx'\nfile = '{}'\n{}", file, train),
        "test"));
    const executor::CheckResult found = run::checkNumbers(experiment).found;
    EXPECT_TRUE(found.ok) << train << found.output << " " << found.relative;
  }
}

/// What a check of the numbers says that it cannot do, or nothing.
std::string messageOfCheck(const std::string& bytes) {
  const std::string file = testing::TempDir() + "ipusim_numbers_" + fileName() + ".onnx";
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    const run::Experiment experiment = run::prepare(ConfigReader::fromText(
        fmt::format("machine = 'gc200'\n[workload]\nkind = 'onnx'\nfile = '{}'\n", file), "test"));
    return run::checkNumbers(experiment).found.ok ? "" : "the numbers are wrong";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(OnnxBatch, IsRefusedWhereTheFileHasAllSizes) {
  OnnxBuilder b;
  const std::string file = testing::TempDir() + "ipusim_batch.onnx";
  std::ofstream(file, std::ios::binary) << b.bytes(b.node("Relu", {b.input("x", {8, 3})}));
  const auto prepare = [&](const std::string& more) {
    return run::prepare(ConfigReader::fromText(
        fmt::format("machine = 'gc200'\n[workload]\nkind = 'onnx'\nfile = '{}'\n{}", file, more),
        "test"));
  };
  EXPECT_EQ(prepare("").workload.samples, 8U);
  EXPECT_EQ(configErrorOf([&] { prepare("batch = 4\n"); }),
            "test:5: workload.batch: wanted no batch beside a file whose inputs have all their "
            "sizes, the first one 8, found 4");
}

TEST(OnnxNumbers, ALayerNormMayHaveNoBias) {
  OnnxBuilder b(17);
  const std::string x = b.node("MatMul", {b.input("x", {3, 5}), b.weights({5, 6})});
  const std::string y = b.node("LayerNormalization", {x, b.weights({6})});
  expectNumbersOf(b.bytes(b.node("MatMul", {y, b.weights({6, 4})})));
}

/// The sum may not be written over the constant, which the second step needs again. The constant is
/// too large to be computed while the file is read.
TEST(OnnxNumbers, ConstantsStayAsTheyAre) {
  OnnxBuilder b;
  const std::string ones = b.node("ConstantOfShape", {b.integers({3, 22000})});
  const std::string sum = b.node("Add", {ones, b.weights({22000})});
  const std::string mean = b.node("ReduceMean", {sum}, {{"axes", std::vector<std::int64_t>{1}}});
  expectNumbersOf(b.bytes(b.node("Add", {b.input("x", {3, 1}), mean})));
}

TEST(OnnxNumbers, AllOutputsAreResults) {
  OnnxBuilder b;
  const std::string x = b.node("MatMul", {b.input("x", {3, 5}), b.weights({5, 6})});
  const std::string y = b.node("MatMul", {b.node("Relu", {x}), b.weights({6, 4})});
  const std::string bytes = b.bytes({y, b.node("Sigmoid", {x}), y});
  EXPECT_EQ(networkOf(bytes).results.size(), 2U);
  expectNumbersOf(bytes);
}

TEST(OnnxNumbers, WhatNothingReadsIsLeftOut) {
  OnnxBuilder b;
  const std::string x = b.node("MatMul", {b.input("x", {3, 5}), b.weights({5, 6})});
  b.node("Tanh", {x});
  b.node("MatMul", {x, b.weights({6, 7})});
  const std::vector<std::string> parts =
      b.nodes("Split", {x, b.integers({2, 4})}, {{"axis", std::int64_t{1}}}, 2);
  expectNumbersOf(b.bytes(b.node("MatMul", {parts[1], b.weights({4, 2})})));
}

/// Whole numbers on tiles have no sign.
TEST(OnnxNumbers, WholeNumbersMayBeBelowZero) {
  for (const bool is_one_hot : {false, true}) {
    OnnxBuilder b;
    const std::string x = b.node("MatMul", {b.input("x", {3, 5}), b.weights({5, 6})});
    const std::string largest = b.node("ArgMax", {x}, {{"axis", std::int64_t{1}}});
    const std::string below = b.node("Sub", {largest, b.integers({is_one_hot ? 3 : 7})});
    const std::string hot = is_one_hot ? b.node("OneHot", {below, b.integers({3}), b.reals({0, 1})})
                                       : b.node("Cast", {b.node("Mod", {below, b.integers({5})})},
                                                {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
    const std::string row = b.node("Reshape", {hot, b.integers({3, is_one_hot ? 3 : 1})});
    expectNumbersOf(b.bytes(b.node("MatMul", {row, b.weights({is_one_hot ? 3 : 1, 2})})));
  }
}

TEST(OnnxNumbers, ANumberMayStandOnTheLeft) {
  for (const char* type : {"Sub", "Div", "Add", "Mul", "Pow"}) {
    OnnxBuilder b;
    const std::string y = b.node(type, {b.scalar(1.5), b.input("x", {3, 5})});
    expectNumbersOf(b.bytes(b.node("MatMul", {y, b.weights({5, 2})})));
  }
}

/// Operands are made up for which results are numbers.
TEST(OnnxNumbers, OperandsAreWithinTheDomain) {
  for (const char* type : {"Log", "Sqrt", "Reciprocal"}) {
    OnnxBuilder b;
    expectNumbersOf(
        b.bytes(b.node("MatMul", {b.node(type, {b.input("x", {3, 5})}), b.weights({5, 2})})));
  }
  OnnxBuilder b;
  std::string x = b.input("x", {3, 5});
  for (int e = 0; e < 4; ++e) x = b.node("Exp", {x});
  EXPECT_EQ(messageOfCheck(b.bytes(x)), "");
}

/// A model can compute any number, so an index is looked at before it is used.
TEST(OnnxNumbers, AComputedIndexIsWithinItsTable) {
  OnnxBuilder b;
  const std::string large = b.node("Mul", {b.input("x", {4}), b.scalar(3e6)});
  const std::string rows =
      b.node("Cast", {large}, {{"to", std::int64_t{onnx::TensorProto::INT64}}});
  EXPECT_THAT(messageOfCheck(b.bytes(b.node("Gather", {b.weights({10, 2}), rows}))),
              testing::HasSubstr("wanted an index below 10, found"));
  OnnxBuilder of_floats;
  const std::string x = of_floats.input("x", {4});
  const std::string y = of_floats.node("Gather", {of_floats.weights({10, 2}), x});
  EXPECT_THAT(messageOfCheck(of_floats.bytes(y)),
              testing::HasSubstr("type of whole numbers, found"));
}

TEST(OnnxNumbers, ArithmeticThatWantsRealsNamesItsNode) {
  for (const char* type : {"Abs", "Neg", "Relu", "Sqrt", "Softmax", "ReduceSum", "ReduceMax"}) {
    OnnxBuilder b;
    const std::string x = b.input("x", {4, 3}, onnx::TensorProto::INT64);
    EXPECT_THAT(messageOfCheck(b.bytes(b.node(type, {x}))),
                testing::HasSubstr("wanted halves or floats"))
        << type;
  }
}

/// An operator between two products, so that a gradient goes through it.
struct NumbersCase {
  std::string name;
  std::function<std::string(OnnxBuilder&, const std::string&)> build;  ///< of (3, 4, 6)
  std::int64_t columns;                                                ///< of its result
  std::int64_t opset = 13;
};

void PrintTo(const NumbersCase& one, std::ostream* out) {
  *out << one.name;
}

class OnnxOperatorNumbers : public testing::TestWithParam<NumbersCase> {};

TEST_P(OnnxOperatorNumbers, AreThoseOfTheGraph) {
  OnnxBuilder b(GetParam().opset);
  const std::string x = b.node("MatMul", {b.input("x", {3, 4, 5}), b.weights({5, 6})});
  const std::string y = GetParam().build(b, x);
  expectNumbersOf(b.bytes(b.node("MatMul", {y, b.weights({GetParam().columns, 2})})));
}

using Ints = std::vector<std::int64_t>;

std::vector<NumbersCase> functionCases() {
  return {
      {"Clip",
       [](OnnxBuilder& b, const std::string& x) {
         return b.node("Clip", {x, b.scalar(-0.25), b.scalar(0.5)});
       },
       6},
      {"Clip_of_one_bound",
       [](OnnxBuilder& b, const std::string& x) {
         return b.node("Clip", {x, b.scalar(0.125)});
       },
       6},
      {"Pow",
       [](OnnxBuilder& b, const std::string& x) {
         return b.node("Pow", {b.node("Sigmoid", {x}), b.scalar(2.5)});
       },
       6},
      {"Pow_of_a_row",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string exponents = b.node("Exp", {b.input("e", {6})});
         return b.node("Pow", {b.node("Sigmoid", {x}), exponents});
       },
       6},
      {"Where",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string is_less = b.node("Less", {x, b.weights({4, 1})});
         return b.node("Where", {is_less, b.node("Neg", {x}), b.weights({6})});
       },
       6},
      {"Where_of_a_mask",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string mask = b.input("m", {4, 6}, onnx::TensorProto::BOOL);
         return b.node("Where", {mask, x, b.scalar(0.5)});
       },
       6},
  };
}

std::vector<NumbersCase> logicCases() {
  return {
      {"Cast",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string half =
             b.node("Cast", {x}, {{"to", std::int64_t{onnx::TensorProto::FLOAT16}}});
         return b.node("Cast", {half}, {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
       },
       6},
      {"LargestAndLeast",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string high = b.node("Max", {x, b.weights({6}), b.scalar(-0.5)});
         return b.node("Min", {high, b.node("Mul", {x, x})});
       },
       6},
      {"Logic",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string above = b.node("Greater", {x, b.scalar(-0.3)});
         const std::string below = b.node("Less", {x, b.scalar(0.3)});
         const std::string far = b.node("Equal", {x, b.node("Clip", {x, b.scalar(0.8)})});
         const std::string is_so = b.node("Or", {b.node("And", {above, below}), far});
         return b.node("Cast", {is_so}, {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
       },
       6},
      {"Comparisons",
       [](OnnxBuilder& b, const std::string& x) {
         std::string y = x;
         for (const char* one : {"Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Equal"}) {
           const std::string is_so = b.node(one, {x, b.node("Clip", {x, b.scalar(0.1)})});
           const std::string number =
               b.node("Cast", {is_so}, {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
           y = b.node("Add", {b.node("Mul", {y, b.scalar(0.5)}), number});
         }
         return y;
       },
       6},
  };
}

std::vector<NumbersCase> shapeCases() {
  const auto field = [](OnnxBuilder& b, const std::string& x) {
    return b.node("Reshape", {x, b.integers({1, 3, 4, 6})});
  };
  return {
      {"ReduceMax",
       [](OnnxBuilder& b, const std::string& x) {
         return b.node("ReduceMax", {x}, {{"axes", Ints{1}}});
       },
       6},
      {"ReduceMin",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string least =
             b.node("ReduceMin", {x}, {{"axes", Ints{0, 2}}, {"keepdims", std::int64_t{0}}});
         return b.node("Reshape", {least, b.integers({2, 2})});
       },
       2},
      {"Softmax_along_another_dimension",
       [](OnnxBuilder& b, const std::string& x) {
         return b.node("Softmax", {x}, {{"axis", std::int64_t{1}}});
       },
       6},
      {"LogSoftmax_along_the_first_dimension",
       [](OnnxBuilder& b, const std::string& x) {
         return b.node("LogSoftmax", {x}, {{"axis", std::int64_t{0}}});
       },
       6},
      {"MatMul_of_broadcast_groups",
       [](OnnxBuilder& b, const std::string& x) {
         const std::string left = b.node("Reshape", {x, b.integers({3, 1, 4, 6})});
         return b.node("MatMul", {left, b.weights({2, 6, 3})});
       },
       3},
      {"Resize",
       [=](OnnxBuilder& b, const std::string& x) {
         return b.node("Resize", {field(b, x), "", "", b.integers({1, 3, 12, 6})});
       },
       6},
      {"Upsample",
       [=](OnnxBuilder& b, const std::string& x) {
         return b.node("Upsample", {field(b, x)}, {{"scales", std::vector<double>{1, 1, 2, 3}}});
       },
       18, 8},
  };
}

std::string nameOfNumbers(const testing::TestParamInfo<NumbersCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Functions, OnnxOperatorNumbers, testing::ValuesIn(functionCases()),
                         nameOfNumbers);
INSTANTIATE_TEST_SUITE_P(Logic, OnnxOperatorNumbers, testing::ValuesIn(logicCases()),
                         nameOfNumbers);
INSTANTIATE_TEST_SUITE_P(Shapes, OnnxOperatorNumbers, testing::ValuesIn(shapeCases()),
                         nameOfNumbers);

}  // namespace
}  // namespace ipusim::workloads
