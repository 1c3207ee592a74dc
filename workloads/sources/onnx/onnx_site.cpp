// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/message.h"
#include "workloads/sources/onnx/onnx_import.h"

namespace ipusim::workloads {

NetworkGraph& OnnxSite::graph() const {
  return import_.is_folding_ ? import_.folded_ : import_.graph_;
}

bool OnnxSite::isTraining() const {
  return import_.options_.is_training;
}

bool OnnxSite::isFolding() const {
  return import_.is_folding_;
}

std::int64_t OnnxSite::opset() const {
  return import_.model_.opset;
}

bool OnnxSite::has(std::size_t operand) const {
  return operand < operands() && !node_.input(static_cast<int>(operand)).empty();
}

NetworkTensorId OnnxSite::operand(std::size_t operand) const {
  if (!has(operand)) {
    throw OperandError(fmt::format("an operand {}", operand + 1),
                       fmt::format("{} operands", operands()));
  }
  return import_.tensorOf(node_.input(static_cast<int>(operand)));
}

NetworkTensorId OnnxSite::statistic(std::size_t operand) const {
  if (!has(operand)) return this->operand(operand);
  return import_.tensorOf(node_.input(static_cast<int>(operand)), TensorRole::State);
}

const Shape& OnnxSite::shape(std::size_t operand) const {
  if (!has(operand)) {
    throw OperandError(fmt::format("an operand {}", operand + 1),
                       fmt::format("{} operands", operands()));
  }
  return import_.valueOf(node_.input(static_cast<int>(operand))).type.shape;
}

std::vector<double> OnnxSite::reals(std::size_t operand) const {
  static_cast<void>(shape(operand));  // throws where there is no such operand
  const auto& value = import_.valueOf(node_.input(static_cast<int>(operand)));
  if (!value.numbers) {
    throw OperandError(fmt::format("an operand {} whose numbers the file has", operand + 1),
                       "one that is computed");
  }
  return *value.numbers;
}

std::vector<std::int64_t> OnnxSite::integers(std::size_t operand) const {
  constexpr double kLargest = 9e18;  // of what 64 bits hold
  std::vector<std::int64_t> integers;
  for (const double number : reals(operand)) {
    if (std::isnan(number)) {
      throw OperandError(fmt::format("whole numbers in operand {}", operand + 1), "nan");
    }
    integers.push_back(static_cast<std::int64_t>(std::min(std::max(number, -kLargest), kLargest)));
  }
  return integers;
}

bool OnnxSite::hasNumbers(std::size_t operand) const {
  return has(operand) &&
         import_.valueOf(node_.input(static_cast<int>(operand))).numbers.has_value();
}

double OnnxSite::constantValue() const {
  const onnx::AttributeProto* value = attribute("value");
  if (value == nullptr) return 0;
  const OnnxTensor tensor = onnxTensor(value->t());
  return tensor.values && !tensor.values->empty() ? tensor.values->front() : 0;
}

ElementType OnnxSite::constantType() const {
  const onnx::AttributeProto* value = attribute("value");
  return value == nullptr ? ElementType::Float : onnxElementType(value->t().data_type()).first;
}

std::optional<double> OnnxSite::scalar(std::size_t operand) const {
  if (!has(operand)) return std::nullopt;
  const auto& value = import_.valueOf(node_.input(static_cast<int>(operand)));
  if (!value.numbers || value.numbers->size() != 1) return std::nullopt;
  return value.numbers->front();
}

const onnx::AttributeProto* OnnxSite::attribute(const char* name) const {
  for (const onnx::AttributeProto& one : node_.attribute()) {
    if (one.name() == name) return &one;
  }
  return nullptr;
}

std::int64_t OnnxSite::integer(const char* name, std::int64_t otherwise) const {
  const onnx::AttributeProto* found = attribute(name);
  return found == nullptr ? otherwise : found->i();
}

double OnnxSite::realOf(const char* name, double otherwise) const {
  const onnx::AttributeProto* found = attribute(name);
  return found == nullptr ? otherwise : static_cast<double>(found->f());
}

std::string OnnxSite::textOf(const char* name, const char* otherwise) const {
  const onnx::AttributeProto* found = attribute(name);
  return found == nullptr ? otherwise : found->s();
}

std::optional<std::vector<std::int64_t>> OnnxSite::integersOf(const char* name) const {
  const onnx::AttributeProto* found = attribute(name);
  if (found == nullptr) return std::nullopt;
  return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::optional<std::vector<double>> OnnxSite::realsOf(const char* name) const {
  const onnx::AttributeProto* found = attribute(name);
  if (found == nullptr) return std::nullopt;
  return std::vector<double>(found->floats().begin(), found->floats().end());
}

std::vector<std::uint64_t> OnnxSite::sizes(const char* name, std::size_t count,
                                           std::uint64_t otherwise) const {
  constexpr std::int64_t kLargest = std::int64_t{1} << 30;
  const auto found = integersOf(name);
  if (!found) return std::vector<std::uint64_t>(count, otherwise);
  std::vector<std::uint64_t> sizes;
  for (const std::int64_t size : *found) {
    if (size < 0 || size > kLargest) {
      throw OperandError(fmt::format("{} from 0 to {}", name, kLargest), fmt::format("{}", size));
    }
    sizes.push_back(static_cast<std::uint64_t>(size));
  }
  if (sizes.size() != count) {
    throw OperandError(fmt::format("{} numbers in {}", count, name),
                       fmt::format("{}", sizes.size()));
  }
  return sizes;
}

std::size_t OnnxSite::axis(std::int64_t axis, std::size_t dimensions) const {
  const auto count = static_cast<std::int64_t>(dimensions);
  const std::int64_t counted = axis < 0 ? axis + count : axis;
  if (counted < 0 || counted >= count) {
    throw OperandError(fmt::format("an axis of {} dimensions", dimensions),
                       fmt::format("{}", axis));
  }
  return static_cast<std::size_t>(counted);
}

NetworkTensorId OnnxSite::add(OperationPointer operation,
                              const std::vector<NetworkTensorId>& operands) const {
  return graph().add(name_, std::move(operation), operands);
}

std::vector<NetworkTensorId> OnnxSite::addNode(OperationPointer operation,
                                               const std::vector<NetworkTensorId>& operands) const {
  return graph().addNode(name_, std::move(operation), operands);
}

NetworkTensorId OnnxSite::add(const std::string& part, OperationPointer operation,
                              const std::vector<NetworkTensorId>& operands) const {
  return graph().add(name_ + "/" + part, std::move(operation), operands);
}

}  // namespace ipusim::workloads
