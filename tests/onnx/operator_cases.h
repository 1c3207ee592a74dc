// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/onnx/onnx_builder.h"

// One model per operator: the shape of its result, and the operations that it becomes.

namespace ipusim::workloads {

struct OperatorCase {
  std::string name;  ///< of the operator, and after a '_' what is special
  Shape shape;
  std::vector<std::string> kinds;
  std::function<std::string(OnnxBuilder&)> build;  ///< gives the output
  std::int64_t opset = 13;
};

/// The cases of all lists, one list after the other.
inline std::vector<OperatorCase> joined(const std::vector<std::vector<OperatorCase>>& lists) {
  std::vector<OperatorCase> cases;
  for (const auto& list : lists) cases.insert(cases.end(), list.begin(), list.end());
  return cases;
}

std::vector<OperatorCase> layerCases();
std::vector<OperatorCase> elementwiseCases();
std::vector<OperatorCase> shapingCases();

}  // namespace ipusim::workloads
