// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "workloads/sources/onnx/onnx_import.h"

namespace ipusim::workloads {

/// A float tensor with dimensions is learnt; a number without dimensions is an epsilon or a factor.
void OnnxImport::addInitialiser(const std::string& name, const OnnxTensor& tensor) {
  Value value{tensor.type, tensor.shape};
  if (tensor.numbers) value.numbers = std::make_shared<const OnnxArray>(*tensor.numbers);
  value.is_source = true;
  value.is_weight = isOnnxReal(tensor.type) && !tensor.shape.empty();
  value.is_stored = true;
  values_.insert_or_assign(name, std::move(value));
}

void OnnxImport::keepNumbers(const std::string& name, OnnxArray numbers, bool is_weight) {
  Value value{numbers.type, numbers.shape};
  value.numbers = std::make_shared<const OnnxArray>(std::move(numbers));
  value.is_source = true;
  value.is_weight = is_weight;
  values_.insert_or_assign(name, std::move(value));
}

const std::string& OnnxImport::resolved(const std::string& name) const {
  const std::string* found = &name;
  for (auto next = aliases_.find(name); next != aliases_.end(); next = aliases_.find(*found)) {
    found = &next->second;
  }
  return *found;
}

OnnxImport::Value& OnnxImport::valueOf(const std::string& name) {
  const auto found = values_.find(resolved(name));
  if (found == values_.end()) {
    throw OperandError("a value that an earlier node or the file has", inQuotes(name));
  }
  return found->second;
}

/// `is_folding_`: what no tile does may have any type of numbers.
ElementType OnnxImport::elementType(std::int32_t type) const {
  if (is_folding_) return onnxElementType(type);
  if (options_.real_type && isOnnxReal(type)) return *options_.real_type;
  return onnxTileType(type);
}

NetworkTensorId OnnxImport::tensorOf(const std::string& name, TensorRole initialiser) {
  Value& value = valueOf(name);
  if (elementsOf(value.shape) == 0) {
    throw OperandError("a tensor with elements", textOf(value.shape));
  }
  if (is_folding_) {
    const NetworkTensorId id =
        folded_.addSource(name, {value.shape, elementType(value.type)}, TensorRole::Constant);
    if (value.numbers) folded_numbers_.emplace(indexOf(id), value.numbers->reals());
    return id;
  }
  if (value.tensor) return *value.tensor;
  const bool may_change = !value.is_stored && isOnnxNumber(value.type);
  const ElementType type = translateErrors<OperandError>(
      [&] {
        const bool is_forced = options_.real_type && isOnnxReal(value.type);
        return may_change && !is_forced ? onnxElementType(value.type) : elementType(value.type);
      },
      [&](const OperandError& error) { return OperandError("tensor " + inQuotes(name), error); });
  const TensorType tensor{value.shape, type};
  if (value.is_weight || !value.numbers) {
    value.tensor = graph_.addSource(oneLine(name), tensor,
                                    value.is_weight ? initialiser : TensorRole::Constant);
  } else {
    value.tensor = graph_.addConstant(oneLine(name), tensor, value.numbers->reals());
  }
  return *value.tensor;
}

}  // namespace ipusim::workloads
