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

std::vector<OperatorCase> layerCases();
std::vector<OperatorCase> elementwiseCases();
std::vector<OperatorCase> shapingCases();

}  // namespace ipusim::workloads
