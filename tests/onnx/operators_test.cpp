// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/onnx/operator_cases.h"

namespace ipusim::workloads {
namespace {

std::vector<OperatorCase> allCases() {
  std::vector<OperatorCase> cases = layerCases();
  for (const auto& list : {elementwiseCases(), shapingCases()}) {
    cases.insert(cases.end(), list.begin(), list.end());
  }
  return cases;
}

class OnnxOperator : public testing::TestWithParam<OperatorCase> {};

TEST_P(OnnxOperator, BecomesOperations) {
  OnnxBuilder builder(GetParam().opset);
  const std::string output = GetParam().build(builder);
  const OnnxNetwork network = networkOf(builder.bytes(output));
  EXPECT_EQ(network.graph.shapeOf(network.results.front()), GetParam().shape);
  std::vector<std::string> kinds;
  for (const NetworkNode& node : network.graph.nodes()) kinds.push_back(node.operation->kind());
  EXPECT_EQ(kinds, GetParam().kinds);
}

INSTANTIATE_TEST_SUITE_P(All, OnnxOperator, testing::ValuesIn(allCases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace ipusim::workloads
