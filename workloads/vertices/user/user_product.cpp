// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/compiled.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

// One word per pointer and per size.
// Source: Graphcore, Writing vertices in C++.
constexpr Bytes kUserProductStateBytes(24);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kUserProductCodeBytes(250);

Cycles userProductCost(const UserProductShape& shape, const Architecture& machine) {
  const std::uint64_t outputs = shape.rows * shape.columns;
  return models::compiledCycles(machine, {outputs * shape.inner, outputs});
}

void computeUserProduct(const UserProductShape& shape, const VertexData& data) {
  const auto* a = data.as<float>(0, 0);
  const auto* b = data.as<float>(1, 0);
  auto* out = data.as<float>(2, 0);
  for (std::uint64_t r = 0; r < shape.rows; ++r) {
    for (std::uint64_t c = 0; c < shape.columns; ++c) {
      float sum = 0;
      for (std::uint64_t i = 0; i < shape.inner; ++i) {
        sum += a[r * shape.inner + i] * b[i * shape.columns + c];
      }
      out[r * shape.columns + c] = sum;
    }
  }
}

/// Scalar loops load both operands of every product.
VertexWork workFor(const UserProductShape& shape) {
  const std::uint64_t outputs = shape.rows * shape.columns;
  const std::uint64_t products = outputs * shape.inner;
  const Bytes element = sizeOf(ElementType::Float);
  return allMacs({Flops(2 * products), element * (2 * products), element * outputs},
                 ElementType::Float);
}

VertexType readUserProduct(const ConfigReader& config, const Architecture& /*machine*/) {
  return userProductVertex(
      {readCount(config, "rows"), readCount(config, "inner"), readCount(config, "columns")});
}

Field field(const char* name, FieldDirection direction, std::uint64_t elements) {
  return {name, direction, ElementType::Float, {{1, elements}}};
}

}  // namespace

VertexType userProductVertex(const UserProductShape& shape) {
  check(shape.rows > 0 && shape.inner > 0 && shape.columns > 0, "a product of nothing");
  VertexType type;
  type.name = "CompiledProduct";
  type.maker = kUserProductEntry.name;
  type.params = {{"rows", shape.rows}, {"inner", shape.inner}, {"columns", shape.columns}};
  type.origin = Origin::User;
  type.kind = VertexKind::Worker;
  type.fields = {field("a", FieldDirection::Input, shape.rows * shape.inner),
                 field("b", FieldDirection::Input, shape.inner * shape.columns),
                 field("out", FieldDirection::Output, shape.rows * shape.columns)};
  type.sizes = {kUserProductStateBytes, Bytes(0), kUserProductCodeBytes};
  type.work = workFor(shape);
  return withFunctions<UserProductShape>(std::move(type), shape,
                                         {userProductCost, computeUserProduct});
}

const VertexEntry kUserProductEntry{
    "user_product", "matrix product in a user's C++: rows, inner, columns", readUserProduct};

}  // namespace ipusim::workloads
