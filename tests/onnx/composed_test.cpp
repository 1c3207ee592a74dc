// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ipusim/ids.h"
#include "tests/onnx/composed_cases.h"
#include "tests/onnx/operator_cases.h"
#include "workloads/networks/graph/evaluate.h"

namespace ipusim::workloads {
namespace {

std::vector<ComposedCase> composedCases() {
  std::vector<ComposedCase> cases = composedElementwiseCases();
  for (const auto& list :
       {composedTensorCases(), composedSequenceCases(), composedControlCases()}) {
    cases.insert(cases.end(), list.begin(), list.end());
  }
  return cases;
}

std::int32_t storedTypeOf(ElementType type) {
  if (type == ElementType::UInt32) return onnx::TensorProto::INT64;
  if (type == ElementType::Bool) return onnx::TensorProto::BOOL;
  return type == ElementType::Half ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::FLOAT;
}

class ComposedOperator : public testing::TestWithParam<ComposedCase> {};

TEST_P(ComposedOperator, ComputesItsDefinition) {
  OnnxBuilder builder(GetParam().opset);
  std::vector<std::string> names;
  for (const NumberedTensor& input : GetParam().inputs) {
    const Shape& shape = input.type.shape;
    names.push_back(builder.input("x" + std::to_string(names.size()), {shape.begin(), shape.end()},
                                  storedTypeOf(input.type.type)));
  }
  const OnnxNetwork network = networkOf(builder.bytes(GetParam().build(builder, names)));
  const std::vector<NetworkTensorId> inputs = network.graph.tensorsOf(TensorRole::Input);
  std::unordered_map<std::size_t, TensorValues> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.emplace(indexOf(inputs[i]), GetParam().inputs[i].values);
  }
  const NetworkTensorId result = network.results.front();
  const TensorValues found = evaluate(network.graph, values)[indexOf(result)];
  EXPECT_EQ(network.graph.shapeOf(result), GetParam().expected.type.shape);
  EXPECT_EQ(network.graph[result].type.type, GetParam().expected.type.type);
  EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(1e-6), GetParam().expected.values));
}

INSTANTIATE_TEST_SUITE_P(All, ComposedOperator, testing::ValuesIn(composedCases()),
                         [](const auto& one) { return one.param.name; });

TEST(OnnxOperators, HaveATestEach) {
  std::set<std::string> tested;
  const auto add = [&](const std::string& name) { tested.insert(name.substr(0, name.find('_'))); };
  for (const auto& list : {layerCases(), elementwiseCases(), shapingCases()}) {
    for (const OperatorCase& one : list) add(one.name);
  }
  for (const ComposedCase& one : composedCases()) add(one.name);
  const std::vector<std::string> all = onnxOperators();
  for (const std::string& name : all) EXPECT_EQ(tested.count(name), 1U) << name;
}

}  // namespace
}  // namespace ipusim::workloads
