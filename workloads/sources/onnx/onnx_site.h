// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

class OnnxImport;

/// A node of a file while it is added to a network.
class OnnxSite {
 public:
  OnnxSite(OnnxImport& import, const onnx::NodeProto& node, std::string name)
      : import_(import), node_(node), name_(std::move(name)) {}

  [[nodiscard]] NetworkGraph& graph() const;
  [[nodiscard]] bool isTraining() const;
  /// Whether the node is computed while the file is read, and takes no steps.
  [[nodiscard]] bool isFolding() const;
  [[nodiscard]] std::int64_t opset() const;
  [[nodiscard]] const std::string& operatorName() const { return node_.op_type(); }
  [[nodiscard]] std::size_t operands() const {
    return static_cast<std::size_t>(node_.input_size());
  }
  [[nodiscard]] std::size_t results() const {
    return static_cast<std::size_t>(node_.output_size());
  }

  /// Whether there is an operand; one that may be left out has an empty name.
  [[nodiscard]] bool has(std::size_t operand) const;
  /// An operand as a tensor of the network. Throws OperandError for one that is left out.
  [[nodiscard]] NetworkTensorId operand(std::size_t operand) const;
  /// A statistic of a norm, which training does not learn.
  [[nodiscard]] NetworkTensorId statistic(std::size_t operand) const;
  [[nodiscard]] const Shape& shape(std::size_t operand) const;
  /// The elements of an operand that the file has, as whole numbers or as real ones. Throws
  /// OperandError for others.
  [[nodiscard]] std::vector<std::int64_t> integers(std::size_t operand) const;
  [[nodiscard]] std::vector<double> reals(std::size_t operand) const;
  /// Whether the file has the numbers of an operand.
  [[nodiscard]] bool hasNumbers(std::size_t operand) const;
  /// The value of an operand of one element, if the file has it.
  [[nodiscard]] std::optional<double> scalar(std::size_t operand) const;

  /// The one element of the attribute `value`; 0 without one.
  [[nodiscard]] double constantValue() const;
  /// The type of that element; Float without one.
  [[nodiscard]] ElementType constantType() const;
  [[nodiscard]] std::int64_t integer(const char* attribute, std::int64_t otherwise) const;
  [[nodiscard]] double realOf(const char* attribute, double otherwise) const;
  [[nodiscard]] std::string textOf(const char* attribute, const char* otherwise) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integersOf(const char* attribute) const;
  [[nodiscard]] std::optional<std::vector<double>> realsOf(const char* attribute) const;
  /// Sizes from an attribute, one per dimension. Throws OperandError for a negative one or another
  /// number of them.
  [[nodiscard]] std::vector<std::uint64_t> sizes(const char* attribute, std::size_t count,
                                                 std::uint64_t otherwise) const;
  /// A dimension, counted from the last one where it is negative. Throws OperandError.
  [[nodiscard]] std::size_t axis(std::int64_t axis, std::size_t dimensions) const;

  /// Adds a node with the name of this one.
  [[nodiscard]] NetworkTensorId add(OperationPointer operation,
                                    const std::vector<NetworkTensorId>& operands) const;
  [[nodiscard]] std::vector<NetworkTensorId> addNode(
      OperationPointer operation, const std::vector<NetworkTensorId>& operands) const;
  [[nodiscard]] NetworkTensorId add(const std::string& part, OperationPointer operation,
                                    const std::vector<NetworkTensorId>& operands) const;

 private:
  [[nodiscard]] const onnx::AttributeProto* attribute(const char* name) const;

  OnnxImport& import_;
  const onnx::NodeProto& node_;
  std::string name_;
};

/// Adds a node; returns its results, in their order. Those that nothing reads may be left out.
using AddOnnxNode = std::function<std::vector<NetworkTensorId>(const OnnxSite& site)>;

struct OnnxOperator {
  const char* name;
  AddOnnxNode add;
};

/// The operators of layers, of single elements, and of shapes.
const std::vector<OnnxOperator>& onnxLayers();
const std::vector<OnnxOperator>& onnxElementwise();
const std::vector<OnnxOperator>& onnxShaping();

}  // namespace ipusim::workloads
