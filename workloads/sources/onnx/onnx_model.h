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
#include "workloads/sources/onnx/constants/array.h"

// The structure of an ONNX file. Numbers of large tensors stay on disk.

namespace ipusim::workloads {

/// A tensor of a file: an initialiser, or the value of a Constant.
struct OnnxTensor {
  std::int32_t type = onnx::TensorProto::FLOAT;  ///< an onnx::TensorProto::DataType
  Shape shape;
  std::optional<OnnxArray> numbers;  ///< none for those of large tensors and of external data
};

/// A model without the numbers of its large tensors.
struct OnnxModel {
  std::map<std::string, std::int64_t> opsets;  ///< by domain; that of ONNX itself is ""
  onnx::GraphProto graph;                      ///< nodes, inputs, outputs and types of values
  std::vector<onnx::FunctionProto> functions;  ///< operators that the file defines
  std::map<std::string, OnnxTensor> initialisers;

  /// The version of ONNX's own operators; 0 where the file has none.
  [[nodiscard]] std::int64_t opset() const;
};

/// The domain of ONNX's own operators has two names; this is the empty one.
std::string onnxDomain(const std::string& domain);

/// Reads a file. External data are never opened. Throws ConfigError for what is no ONNX model.
OnnxModel readOnnxModel(const std::filesystem::path& file);
/// Reads bytes in place of a file; `name` stands for it in messages.
OnnxModel parseOnnxModel(std::string_view bytes, const std::string& name);

/// The tensor of a Constant. Throws OperandError for a type that no operation has.
OnnxTensor onnxTensor(const onnx::TensorProto& tensor);

/// Whether a number of onnx::TensorProto::DataType is of whole numbers or bools.
bool isOnnxWhole(std::int32_t type);

/// The element type for a number of onnx::TensorProto::DataType in computations that no tile does:
/// integers become UInt32, other numbers Half or Float. Throws OperandError for what is no number.
ElementType onnxElementType(std::int32_t type);

/// onnxElementType() of a tensor on tiles, which have no doubles, no bfloat16, and no integers of
/// 8, of 16 and of unsigned 64 bits: as another type they would take other memory and time. The
/// indices that are int64 in every file have 32 bits. Throws OperandError.
ElementType onnxTileType(std::int32_t type);

}  // namespace ipusim::workloads
