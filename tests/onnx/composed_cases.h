// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/onnx/onnx_builder.h"

// Operators that become several operations: what they compute, against numbers of their definition.

namespace ipusim::workloads {

struct ComposedCase {
  std::string name;  ///< of the operator, and after a '_' what is special
  std::vector<NumberedTensor> inputs;
  /// Gives the output; `names` are those of the inputs.
  std::function<std::string(OnnxBuilder&, const std::vector<std::string>& names)> build;
  NumberedTensor expected;
  std::int64_t opset = 20;
};

/// A tensor with its numbers.
inline NumberedTensor tensor(const Shape& shape, const TensorValues& values,
                             ElementType type = ElementType::Float) {
  return {{shape, type}, values};
}

/// Functions of single elements, and operators on whole tensors.
std::vector<ComposedCase> composedElementwiseCases();
std::vector<ComposedCase> composedTensorCases();
/// Those on sequences: recurrent layers, attention, transforms, sums of products.
std::vector<ComposedCase> composedSequenceCases();
/// Those with a graph inside.
std::vector<ComposedCase> composedControlCases();

/// A graph inside a node.
onnx::GraphProto partOf(const std::vector<std::string>& inputs,
                        const std::vector<onnx::NodeProto>& nodes,
                        const std::vector<std::string>& outputs);

}  // namespace ipusim::workloads
