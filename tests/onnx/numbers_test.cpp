// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sim/run/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/onnx/onnx_builder.h"

// What a file has besides operands of its nodes is on tiles what it is in the graph.

namespace ipusim::workloads {
namespace {

/// The numbers of a model, of the forward pass or of two steps of training.
void expectNumbersOf(const std::string& bytes) {
  const std::string file = testing::TempDir() + "ipusim_numbers_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".onnx";
  std::ofstream(file, std::ios::binary) << bytes;
  for (const char* train : {"", "train = {loss = 'squared_error', steps = 2}\n"}) {
    const run::Experiment experiment = run::prepare(ConfigReader::fromText(
        fmt::format("machine = 'gc200'\n[workload]\nkind = 'onnx'\nfile = '{}'\n{}", file, train),
        "test"));
    const checker::CheckResult found = run::checkNumbers(experiment).found;
    EXPECT_TRUE(found.ok) << train << found.output << " " << found.relative;
  }
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

}  // namespace
}  // namespace ipusim::workloads
