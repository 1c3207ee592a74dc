// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/reference.h"
#include "ipusim/tensor.h"
#include "ipusim/units.h"
#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::gpu {
struct Operator;
}

namespace ipusim::workloads {

class NetworkGraph;
class NodeLowering;
class RoundingProbe;
struct GpuNode;
struct NodeSite;

/// A tensor of a NetworkGraph.
enum class NetworkTensorId : std::uint32_t {};

/// Shape and element type of a tensor of a network. Shapes have the batch first and the channels
/// second, as ONNX has them: (batch, channels, height, width).
struct TensorType {
  Shape shape;
  ElementType type = ElementType::Float;
};

using TensorTypes = std::vector<TensorType>;

/// A tensor with its elements in row-major order.
struct NumberedTensor {
  TensorType type;
  TensorValues values;
};
using NumberedTensors = std::vector<NumberedTensor>;

/// Operands that an operation cannot take. The text says what was wanted and what was found.
class OperandError : public std::runtime_error {
 public:
  OperandError(const std::string& wanted, const std::string& found)
      : std::runtime_error("wanted " + wanted + ", found " + found) {}
  /// `error` with the place in front.
  OperandError(const std::string& place, const OperandError& error)
      : std::runtime_error(place + ": " + error.what()) {}
};

/// How the matrix products and convolutions of a network are planned. None: as the vendor's library
/// plans them without options.
struct ProductSettings {
  std::optional<ElementType> partials = std::nullopt;      ///< type of partial sums
  std::optional<double> memory_proportion = std::nullopt;  ///< of a tile, for temporary data
  std::optional<ConvMethod> method = std::nullopt;         ///< the only one to try
  SerialSplits serial = SerialSplits::Allowed;
};

/// What a gradient is built from: a node of the forward pass, and the gradients of its results.
struct GradientSite {
  NetworkGraph& graph;
  std::string name;  ///< prefix of the names of all nodes that the gradient adds
  std::vector<NetworkTensorId> operands;  ///< of the node
  std::vector<NetworkTensorId> results;   ///< of the node
  /// The gradient of the loss by each result. None for a result that the loss does not depend on.
  std::vector<std::optional<NetworkTensorId>> result_gradients;
  std::vector<bool> wanted;  ///< one entry per operand: whether its gradient is needed

  [[nodiscard]] const TensorType& operandType(std::size_t operand) const;
};

/// One entry per operand. None where the gradient is not wanted, or always zero.
using OperandGradients = std::vector<std::optional<NetworkTensorId>>;

/// What an operation needs of an operand that is only nearly right, as after lossy compression.
enum class OperandNeed : std::uint8_t {
  Value,  ///< the result is nearly right too
  Sign,   ///< the result depends on which elements are positive, and on nothing else of it
  Exact,  ///< the result would be wrong, as where a gradient goes to the largest element
};

/// What a node of a network computes. Operations have no state: many nodes may share one.
class Operation {
 public:
  virtual ~Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  /// The field's name for the operation, such as "conv" or "max_pool".
  [[nodiscard]] virtual std::string kind() const = 0;

  /// What the types of the operands leave open about an operation of this kind(), as text. On equal
  /// operands, two operations of one kind and one text take equal steps on tiles. None: an
  /// operation is known to equal itself only.
  [[nodiscard]] virtual std::optional<std::string> settings() const { return std::nullopt; }

  /// The types of the results. Throws OperandError.
  [[nodiscard]] virtual TensorTypes infer(const TensorTypes& operands) const = 0;

  /// Useful work: a multiply-add counts two, any other arithmetic on an element one. Moving
  /// elements is no work.
  [[nodiscard]] virtual Flops flops(const TensorTypes& operands) const = 0;

  /// Adds the nodes that compute the gradients of the operands. The default is an InternalError:
  /// gradients have no gradients of their own, unless they are operations of forward passes too.
  [[nodiscard]] virtual OperandGradients addGradient(const GradientSite& site) const;

  /// Whether this is a loss: its gradient needs no gradient by its result, which is taken for one.
  [[nodiscard]] virtual bool isLoss() const { return false; }

  /// Whether all results hold the elements of the operand 0 in its order, so that nothing moves.
  [[nodiscard]] virtual bool isView() const { return false; }

  /// Whether the results on tiles are views of the operands' memory.
  [[nodiscard]] virtual bool sharesMemory() const { return isView(); }

  /// Whether the first result may be written over the operand 0 where nothing else reads it.
  [[nodiscard]] virtual bool mayOverwrite() const { return false; }

  /// Whether an operand is never negative, as a variance is.
  [[nodiscard]] virtual bool isNeverNegative(std::size_t /*operand*/) const { return false; }

  /// For an operand whose elements are indices: what they are below. None for other operands.
  [[nodiscard]] virtual std::optional<std::uint64_t> indicesBelow(
      std::size_t /*operand*/, const TensorTypes& /*operands*/) const {
    return std::nullopt;
  }

  /// Whether operands may be whole numbers or bools. The steps of arithmetic want halves or floats.
  [[nodiscard]] virtual bool takesWhole() const { return false; }

  /// Whether some operands have results that are no numbers, or beyond the largest one.
  [[nodiscard]] virtual bool hasDomain() const { return false; }

  [[nodiscard]] virtual OperandNeed needOf(std::size_t /*operand*/) const {
    return OperandNeed::Value;
  }

  /// The share of its old value that an updated tensor, `result`, keeps: less than 1 for a mean
  /// that forgets.
  [[nodiscard]] virtual double keptShare(std::size_t /*result*/) const { return 1; }

  /// Whether numbers become levels, so that roundings before them may decide another level.
  [[nodiscard]] virtual bool choosesLevels() const { return false; }

  /// Starts to lower a node to tiles. Throws NotLowered, which is also the default.
  [[nodiscard]] virtual std::unique_ptr<NodeLowering> lowering(NodeSite site) const;

  /// What a GPU's framework runs for a node. The default is one pass over the tensors.
  [[nodiscard]] virtual gpu::Operator gpuOperator(const GpuNode& node) const;

  /// Whether a GPU's framework only changes how the operand 0 is read.
  [[nodiscard]] virtual bool isFreeOnGpu() const { return false; }

  /// Computes the results in doubles. Throws OperandError for an index that is out of range.
  [[nodiscard]] virtual std::vector<TensorValues> compute(
      const NumberedTensors& operands) const = 0;

  /// compute(), with the roundings inside the steps on tiles that results depend on most. The
  /// default has none.
  [[nodiscard]] virtual std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const {
    return compute(operands);
  }

  /// computeRounded(), where chance moves what the steps keep inside by as much as rounding may.
  [[nodiscard]] virtual std::vector<TensorValues> computeProbed(const NumberedTensors& operands,
                                                                RoundingProbe& /*probe*/) const {
    return computeRounded(operands);
  }

  /// Whether results may be small differences of large numbers. One computation that rounds then
  /// says little of how far another one may be off.
  [[nodiscard]] virtual bool mayCancel() const { return false; }

 protected:
  Operation() = default;
};

using OperationPointer = std::shared_ptr<const Operation>;

/// Throws OperandError unless there are `wanted` operands.
void expectOperands(const TensorTypes& operands, std::size_t wanted);

/// Throws OperandError unless operands [first, last) are of one type.
void expectOneType(const TensorTypes& operands, std::size_t first, std::size_t last);

/// Work of `per_element` operations on each element of a tensor.
Flops elementwiseFlops(const TensorType& tensor, std::uint64_t per_element = 1);

}  // namespace ipusim::workloads
