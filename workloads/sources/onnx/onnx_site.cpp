// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/message.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_import.h"

namespace ipusim::workloads {

namespace {

OperandError leftOut(const OnnxSite& site, std::size_t operand) {
  return {fmt::format("an operand {}", operand + 1), fmt::format("{} operands", site.operands())};
}

}  // namespace

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
  return import_.opset_;
}

NetworkTensorId OnnxSite::operand(std::size_t operand) const {
  if (!has(operand)) throw leftOut(*this, operand);
  return import_.tensorOf(node().input(static_cast<int>(operand)));
}

NetworkTensorId OnnxSite::statistic(std::size_t operand) const {
  if (!has(operand)) throw leftOut(*this, operand);
  return import_.tensorOf(node().input(static_cast<int>(operand)), TensorRole::State);
}

const Shape& OnnxSite::shape(std::size_t operand) const {
  if (!has(operand)) throw leftOut(*this, operand);
  return import_.valueOf(node().input(static_cast<int>(operand))).shape;
}

ElementType OnnxSite::type(std::size_t operand) const {
  if (!has(operand)) throw leftOut(*this, operand);
  const auto& value = import_.valueOf(node().input(static_cast<int>(operand)));
  return value.tensor ? graph()[*value.tensor].type.type : import_.elementType(value.type);
}

std::vector<double> OnnxSite::reals(std::size_t operand) const {
  static_cast<void>(shape(operand));  // throws where there is no such operand
  const auto& value = import_.valueOf(node().input(static_cast<int>(operand)));
  if (!value.numbers) {
    throw OperandError(fmt::format("an operand {} whose numbers the file has", operand + 1),
                       "one that is computed");
  }
  return value.numbers->reals();
}

std::vector<std::int64_t> OnnxSite::integers(std::size_t operand) const {
  static_cast<void>(reals(operand));
  const auto& numbers = *import_.valueOf(node().input(static_cast<int>(operand))).numbers;
  if (std::any_of(numbers.real.begin(), numbers.real.end(),
                  [](double number) { return std::isnan(number); })) {
    throw OperandError(fmt::format("whole numbers in operand {}", operand + 1), "nan");
  }
  return numbers.wholes();
}

bool OnnxSite::hasNumbers(std::size_t operand) const {
  return has(operand) &&
         import_.valueOf(node().input(static_cast<int>(operand))).numbers != nullptr;
}

bool OnnxSite::isSource(std::size_t operand) const {
  return has(operand) && import_.valueOf(node().input(static_cast<int>(operand))).is_source;
}

std::optional<double> OnnxSite::scalar(std::size_t operand) const {
  if (!hasNumbers(operand)) return std::nullopt;
  const auto& numbers = *import_.valueOf(node().input(static_cast<int>(operand))).numbers;
  return numbers.size() == 1 ? std::make_optional(numbers.realAt(0)) : std::nullopt;
}

std::optional<double> OnnxSite::uniform(std::size_t operand) const {
  if (!hasNumbers(operand)) return std::nullopt;
  const std::vector<double> numbers = reals(operand);
  const bool is_uniform =
      !numbers.empty() && std::all_of(numbers.begin(), numbers.end(),
                                      [&](double number) { return number == numbers.front(); });
  return is_uniform ? std::make_optional(numbers.front()) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> OnnxSite::axes(std::size_t operand,
                                                        const char* attribute) const {
  if (has(operand)) return integers(operand);
  return integersOf(attribute);
}

ElementType OnnxSite::tileType(std::int32_t type) const {
  return import_.elementType(type);
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
  return graph().add(part.empty() ? name_ : name_ + "/" + part, std::move(operation), operands);
}

NetworkTensorId OnnxSite::numbers(const std::string& part, const TensorType& type,
                                  TensorValues values) const {
  return graph().addConstant(name_ + "/" + part, type, std::move(values));
}

std::optional<NetworkTensorId> OnnxSite::relaid(const std::string& part, std::size_t operand,
                                                const Shape& shape) const {
  if (!has(operand) || isFolding()) return std::nullopt;
  const auto& value = import_.valueOf(node().input(static_cast<int>(operand)));
  const auto readers = import_.readers_.find(node().input(static_cast<int>(operand)));
  const bool is_shared = readers != import_.readers_.end() && readers->second > 1;
  if (!value.is_weight || value.tensor || is_shared) return std::nullopt;
  return graph().addSource(name_ + "/" + part, {shape, import_.elementType(value.type)},
                           TensorRole::Parameter);
}

NetworkTensorId OnnxSite::shaped(const std::string& part, NetworkTensorId tensor,
                                 const Shape& shape) const {
  return shapeOf(tensor) == shape ? tensor : add(part, reshape(shape), {tensor});
}

}  // namespace ipusim::workloads
