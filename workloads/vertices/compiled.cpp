// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/compiled.h"

#include "base/error.h"
#include "models/ipu/cost/compiled.h"

namespace ipusim::workloads {

using models::ElementType;

namespace {

// A pointer a field, and a word for each size. Source: Graphcore, Writing vertices in C++.
constexpr std::uint64_t kProductStateBytes = 24;
constexpr std::uint64_t kAddStateBytes = 12;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 250;

}  // namespace

CompiledProduct::CompiledProduct(const Shape& shape) : shape_(shape) {
  check(shape.rows > 0 && shape.inner > 0 && shape.columns > 0, "a product of nothing");
  const auto field = [](const char* name, FieldDirection direction, std::uint64_t elements) {
    return Field{name, direction, ElementType::Float, {{1, elements}}};
  };
  fields_ = {field("a", FieldDirection::Input, shape.rows * shape.inner),
             field("b", FieldDirection::Input, shape.inner * shape.columns),
             field("out", FieldDirection::Output, shape.rows * shape.columns)};
}

Cycles CompiledProduct::cycles(const models::Machine& machine) const {
  const std::uint64_t outputs = shape_.rows * shape_.columns;
  return models::compiledCycles(machine, {outputs * shape_.inner, outputs});
}

Bytes CompiledProduct::stateBytes() const {
  return Bytes(kProductStateBytes);
}

Bytes CompiledProduct::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops CompiledProduct::flops() const {
  return Flops(2 * shape_.rows * shape_.inner * shape_.columns);
}

void CompiledProduct::compute(const VertexData& data) const {
  const auto* a = data.as<float>(0, 0);
  const auto* b = data.as<float>(1, 0);
  auto* out = data.as<float>(2, 0);
  for (std::uint64_t r = 0; r < shape_.rows; ++r) {
    for (std::uint64_t c = 0; c < shape_.columns; ++c) {
      float sum = 0;
      for (std::uint64_t i = 0; i < shape_.inner; ++i) {
        sum += a[r * shape_.inner + i] * b[i * shape_.columns + c];
      }
      out[r * shape_.columns + c] = sum;
    }
  }
}

CompiledAdd::CompiledAdd(std::uint64_t elements) : elements_(elements) {
  check(elements > 0, "a sum of nothing");
  fields_ = {{"sum", FieldDirection::InOut, ElementType::Float, {{1, elements}}},
             {"more", FieldDirection::Input, ElementType::Float, {{1, elements}}}};
}

Cycles CompiledAdd::cycles(const models::Machine& machine) const {
  return models::compiledCycles(machine, {elements_, 1});
}

Bytes CompiledAdd::stateBytes() const {
  return Bytes(kAddStateBytes);
}

Bytes CompiledAdd::codeBytes() const {
  return Bytes(kCodeBytes);
}

void CompiledAdd::compute(const VertexData& data) const {
  auto* sum = data.as<float>(0, 0);
  const auto* more = data.as<float>(1, 0);
  for (std::uint64_t i = 0; i < elements_; ++i) sum[i] += more[i];
}

}  // namespace ipusim::workloads
