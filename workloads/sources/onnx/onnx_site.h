// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/sources/onnx/onnx_attributes.h"

namespace ipusim::workloads {

class OnnxImport;

/// A node of a file while it is added to a network.
class OnnxSite : public OnnxAttributes {
 public:
  OnnxSite(OnnxImport& import, const onnx::NodeProto& node, std::string name)
      : OnnxAttributes(node), import_(import), name_(std::move(name)) {}

  [[nodiscard]] NetworkGraph& graph() const;
  [[nodiscard]] bool isTraining() const;
  /// Whether the node is computed while the file is read, and takes no steps.
  [[nodiscard]] bool isFolding() const;
  [[nodiscard]] std::int64_t opset() const;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// An operand as a tensor of the network. Throws OperandError for one that is left out.
  [[nodiscard]] NetworkTensorId operand(std::size_t operand) const;
  /// A statistic of a norm, which training does not learn.
  [[nodiscard]] NetworkTensorId statistic(std::size_t operand) const;
  [[nodiscard]] const Shape& shape(std::size_t operand) const;
  /// The element type of an operand on tiles.
  [[nodiscard]] ElementType type(std::size_t operand) const;
  /// The elements of an operand that the file has, as whole numbers or as real ones. Throws
  /// OperandError for others.
  [[nodiscard]] std::vector<std::int64_t> integers(std::size_t operand) const;
  [[nodiscard]] std::vector<double> reals(std::size_t operand) const;
  /// Whether the file has the numbers of an operand.
  [[nodiscard]] bool hasNumbers(std::size_t operand) const;
  /// Whether an operand stands in the file, or is computed while it is read.
  [[nodiscard]] bool isSource(std::size_t operand) const;
  /// The value of an operand of one element, if the file has it.
  [[nodiscard]] std::optional<double> scalar(std::size_t operand) const;
  /// The numbers of an operand where they are all one; none for others.
  [[nodiscard]] std::optional<double> uniform(std::size_t operand) const;
  /// Axes: an operand from some version on, an attribute before that.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> axes(std::size_t operand,
                                                              const char* attribute) const;

  /// The type of tiles for an onnx::TensorProto::DataType. Throws OperandError.
  [[nodiscard]] ElementType tileType(std::int32_t type) const;

  /// Adds a node with the name of this one.
  [[nodiscard]] NetworkTensorId add(OperationPointer operation,
                                    const std::vector<NetworkTensorId>& operands) const;
  [[nodiscard]] std::vector<NetworkTensorId> addNode(
      OperationPointer operation, const std::vector<NetworkTensorId>& operands) const;
  /// Adds a node with the name of this one and of its part, if that has one.
  [[nodiscard]] NetworkTensorId add(const std::string& part, OperationPointer operation,
                                    const std::vector<NetworkTensorId>& operands) const;
  /// Adds a constant with numbers, by the name of this node and of its part.
  [[nodiscard]] NetworkTensorId numbers(const std::string& part, const TensorType& type,
                                        TensorValues values) const;
  /// A weight of the file, or `count` of them, as one parameter with another shape and order of
  /// elements: nothing tells their numbers. For operands that are no weights, none.
  [[nodiscard]] std::optional<NetworkTensorId> relaid(const std::string& part, std::size_t operand,
                                                      const Shape& shape) const;
  /// The tensor, in another shape.
  [[nodiscard]] NetworkTensorId shaped(const std::string& part, NetworkTensorId tensor,
                                       const Shape& shape) const;
  [[nodiscard]] const Shape& shapeOf(NetworkTensorId tensor) const {
    return graph().shapeOf(tensor);
  }
  [[nodiscard]] ElementType typeOf(NetworkTensorId tensor) const {
    return graph()[tensor].type.type;
  }

 private:
  OnnxImport& import_;
  std::string name_;
};

/// Adds a node; returns its results, in their order. Those that nothing reads may be left out.
using AddOnnxNode = std::function<std::vector<NetworkTensorId>(const OnnxSite& site)>;

struct OnnxOperator {
  const char* name;
  AddOnnxNode add;
};

/// The operators by family: products and norms, functions of single elements, those made of
/// several, views, and the others by what they do.
const std::vector<OnnxOperator>& onnxLayers();
const std::vector<OnnxOperator>& onnxElementwise();
const std::vector<OnnxOperator>& onnxActivations();
const std::vector<OnnxOperator>& onnxShaping();
const std::vector<OnnxOperator>& onnxReducing();
const std::vector<OnnxOperator>& onnxResizing();
const std::vector<OnnxOperator>& onnxIndexing();
const std::vector<OnnxOperator>& onnxSorting();
const std::vector<OnnxOperator>& onnxEinsum();
const std::vector<OnnxOperator>& onnxRecurrent();
const std::vector<OnnxOperator>& onnxAttention();

}  // namespace ipusim::workloads
