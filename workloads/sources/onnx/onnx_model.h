// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/networks/graph/operation.h"

// The structure of an ONNX file. Numbers of large tensors stay on disk.

namespace ipusim::workloads {

/// A tensor of a file: an initialiser, or the value of a Constant.
struct OnnxTensor {
  TensorType type;
  bool is_integer = false;  ///< also bool
  /// The elements. None for those of large tensors and of external data.
  std::optional<TensorValues> values;
  std::int32_t stored = 0;  ///< the type in the file, an onnx::TensorProto::DataType; 0: as `type`
};

/// A model without the numbers of its large tensors.
struct OnnxModel {
  std::int64_t opset = 0;  ///< of the operators without a domain
  onnx::GraphProto graph;  ///< nodes, inputs, outputs and types of values
  std::map<std::string, OnnxTensor> initialisers;
};

/// Reads a file. External data are never opened. Throws ConfigError for what is no ONNX model.
OnnxModel readOnnxModel(const std::filesystem::path& file);
/// Reads bytes in place of a file; `name` stands for it in messages.
OnnxModel parseOnnxModel(std::string_view bytes, const std::string& name);

/// The tensor of a Constant. Throws OperandError for a type that no operation has.
OnnxTensor onnxTensor(const onnx::TensorProto& tensor);

/// The element type for a number of onnx::TensorProto::DataType, and whether it is an integer.
/// Integers become UInt32, other numbers Half or Float. Throws OperandError for others. Numbers
/// that are computed while a file is read may have any of these types.
std::pair<ElementType, bool> onnxElementType(std::int32_t type);

/// onnxElementType() of a tensor on tiles, which have no doubles, no bfloat16, and no integers of
/// 8, of 16 and of unsigned 64 bits: as another type they would take other memory and time. The
/// indices that are int64 in every file have 32 bits. Throws OperandError.
std::pair<ElementType, bool> onnxTileType(std::int32_t type);

}  // namespace ipusim::workloads
