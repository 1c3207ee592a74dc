// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "workloads/sources/onnx/onnx_import.h"

namespace ipusim::workloads {

/// An attribute of a node.
using OnnxAttribute =
    std::pair<std::string,
              std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, onnx::GraphProto>>;

/// Makes ONNX models as exporters write them.
class OnnxBuilder {
 public:
  explicit OnnxBuilder(std::int64_t opset = 13);

  /// An input; a negative size is a symbolic dimension of that name: -1 is "d1".
  std::string input(const std::string& name, const std::vector<std::int64_t>& dimensions,
                    std::int32_t type = onnx::TensorProto::FLOAT);
  /// A float initialiser, whose numbers are left out where there are more than 64.
  std::string weights(const std::vector<std::int64_t>& dimensions);
  std::string integers(const std::vector<std::int64_t>& values);
  std::string scalar(double value);
  std::string reals(const std::vector<double>& values);
  /// Adds a node with one result, or more. Returns the first, or all.
  std::string node(const std::string& type, const std::vector<std::string>& operands,
                   const std::vector<OnnxAttribute>& attributes = {});
  std::vector<std::string> nodes(const std::string& type, const std::vector<std::string>& operands,
                                 const std::vector<OnnxAttribute>& attributes, std::size_t results);
  /// A node as a file has it.
  static onnx::NodeProto nodeOf(const std::string& type, const std::vector<std::string>& operands,
                                const std::vector<OnnxAttribute>& attributes, std::size_t results);
  /// Declares the shape of a value, as shape inference does.
  void declare(const std::string& value, const std::vector<std::int64_t>& dimensions);
  /// The model with an output, or several, as bytes.
  std::string bytes(const std::string& output);
  std::string bytes(const std::vector<std::string>& outputs);

 private:
  std::string fresh(const std::string& base) { return base + std::to_string(++names_); }

  onnx::ModelProto model_;
  std::size_t names_ = 0;
};

/// The network of a model.
OnnxNetwork networkOf(const std::string& bytes, const OnnxOptions& options = {});

}  // namespace ipusim::workloads
