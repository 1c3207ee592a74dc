// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ipusim::workloads {

/// The attributes of a node. They must outlive this object.
class OnnxAttributes {
 public:
  explicit OnnxAttributes(const onnx::NodeProto& node) : node_(node) {}

  [[nodiscard]] const std::string& operatorName() const { return node_.op_type(); }
  [[nodiscard]] std::size_t operands() const {
    return static_cast<std::size_t>(node_.input_size());
  }
  [[nodiscard]] std::size_t results() const {
    return static_cast<std::size_t>(node_.output_size());
  }
  /// Whether the node gives an operand; one that may be left out has an empty name.
  [[nodiscard]] bool has(std::size_t operand) const {
    return operand < operands() && !node_.input(static_cast<int>(operand)).empty();
  }
  /// Whether anything may read a result.
  [[nodiscard]] bool hasResult(std::size_t result) const {
    return result < results() && !node_.output(static_cast<int>(result)).empty();
  }

  [[nodiscard]] const onnx::AttributeProto* find(const char* name) const;
  [[nodiscard]] std::int64_t integer(const char* name, std::int64_t otherwise) const;
  [[nodiscard]] bool isSet(const char* name, bool otherwise = false) const {
    return integer(name, otherwise ? 1 : 0) != 0;
  }
  [[nodiscard]] double realOf(const char* name, double otherwise) const;
  [[nodiscard]] std::string textOf(const char* name, const char* otherwise) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integersOf(const char* name) const;
  [[nodiscard]] std::optional<std::vector<double>> realsOf(const char* name) const;
  [[nodiscard]] std::vector<std::string> textsOf(const char* name) const;
  /// Sizes, one per dimension. Throws OperandError for a negative one or another number of them.
  [[nodiscard]] std::vector<std::uint64_t> sizes(const char* name, std::size_t count,
                                                 std::uint64_t otherwise) const;

 protected:
  [[nodiscard]] const onnx::NodeProto& node() const { return node_; }

 private:
  const onnx::NodeProto& node_;
};

/// A dimension, counted from the last one where it is negative. Throws OperandError.
std::size_t onnxAxis(std::int64_t axis, std::size_t dimensions);

}  // namespace ipusim::workloads
