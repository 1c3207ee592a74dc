// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/elementwise/uniform.h"

#include "models/ipu/cost/elementwise/random.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/random_hash.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// A pointer, the length, the scale, the offset and the shift.
// Source: poplibs lib/poprand/codelets/codelets.cpp.
constexpr Bytes kUniformStateBytes(20);
constexpr std::uint64_t kUniformLargestSeed = std::uint64_t{1} << 32U;

Cycles uniformCost(const UniformShape& shape, const Architecture& machine) {
  return models::randomCycles(machine,
                              {models::RandomVertex::Uniform, ElementType::Float, shape.elements});
}

void computeUniform(const UniformShape& shape, const VertexData& data) {
  const std::uint64_t first = *data.as<std::uint32_t>(0, 0);
  auto* out = data.as<float>(1, 0);
  for (std::uint64_t e = 0; e < shape.elements; ++e) {
    out[e] = static_cast<float>(shape.rule.number(first + e));
  }
}

VertexType readUniform(const ConfigReader& config, const Architecture& /*machine*/) {
  return uniformVertex(
      {readCount(config, "elements"), {config.whole("seed", 0, kUniformLargestSeed, 0)}});
}

}  // namespace

double UniformRule::number(std::uint64_t element) const {
  constexpr std::uint64_t kDroppedBits = 40;
  return static_cast<double>(mixedBits(mixedBits(seed) + element) >> kDroppedBits) * 0x1p-24;
}

VertexType uniformVertex(const UniformShape& shape) {
  VertexType type;
  type.name = "poprand::Uniform<float>";
  type.maker = kUniformEntry.name;
  type.params = {{"elements", shape.elements}, {"seed", shape.rule.seed}};
  type.kind = VertexKind::Supervisor;
  type.fields = {{"first", FieldDirection::Input, ElementType::UInt32, {{1, 1}}},
                 {"out", FieldDirection::Output, ElementType::Float, {{1, shape.elements}}}};
  type.sizes = {kUniformStateBytes, Bytes(0), kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(0));
  return withFunctions<UniformShape>(std::move(type), shape, {uniformCost, computeUniform});
}

const VertexEntry kUniformEntry{"uniform", "random numbers from 0 to 1, Uniform: elements, seed",
                                readUniform};

}  // namespace ipusim::workloads
