// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_attributes.h"

#include <fmt/format.h>

#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

const onnx::AttributeProto* OnnxAttributes::find(const char* name) const {
  for (const onnx::AttributeProto& one : node_.attribute()) {
    if (one.name() == name) return &one;
  }
  return nullptr;
}

std::int64_t OnnxAttributes::integer(const char* name, std::int64_t otherwise) const {
  const onnx::AttributeProto* found = find(name);
  return found == nullptr ? otherwise : found->i();
}

double OnnxAttributes::realOf(const char* name, double otherwise) const {
  const onnx::AttributeProto* found = find(name);
  return found == nullptr ? otherwise : static_cast<double>(found->f());
}

std::string OnnxAttributes::textOf(const char* name, const char* otherwise) const {
  const onnx::AttributeProto* found = find(name);
  return found == nullptr ? otherwise : found->s();
}

std::optional<std::vector<std::int64_t>> OnnxAttributes::integersOf(const char* name) const {
  const onnx::AttributeProto* found = find(name);
  if (found == nullptr) return std::nullopt;
  return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::optional<std::vector<double>> OnnxAttributes::realsOf(const char* name) const {
  const onnx::AttributeProto* found = find(name);
  if (found == nullptr) return std::nullopt;
  return std::vector<double>(found->floats().begin(), found->floats().end());
}

std::vector<std::string> OnnxAttributes::textsOf(const char* name) const {
  const onnx::AttributeProto* found = find(name);
  if (found == nullptr) return {};
  return {found->strings().begin(), found->strings().end()};
}

std::vector<std::uint64_t> OnnxAttributes::sizes(const char* name, std::size_t count,
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

std::size_t onnxAxis(std::int64_t axis, std::size_t dimensions) {
  const auto count = static_cast<std::int64_t>(dimensions);
  const std::int64_t counted = axis < 0 ? axis + count : axis;
  if (counted < 0 || counted >= count) {
    throw OperandError(fmt::format("an axis of {} dimensions", dimensions),
                       fmt::format("{}", axis));
  }
  return static_cast<std::size_t>(counted);
}

}  // namespace ipusim::workloads
