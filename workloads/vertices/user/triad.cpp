// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/scaled_add.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

// Three pointers, a length and the scale.
constexpr Bytes kTriadStateBytes(20);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kTriadCodeBytes(200);

Cycles triadCost(const TriadShape& shape, const Architecture& machine) {
  const models::ScaledAddKind add{models::ScaledOp::Add, ElementType::Float, ElementType::Float,
                                  models::OperandMemory::Apart};
  return models::scaledAddCycles(machine, {add, shape.elements});
}

void computeTriad(const TriadShape& shape, const VertexData& data) {
  const auto* b = data.as<float>(0, 0);
  const auto* c = data.as<float>(1, 0);
  auto* out = data.as<float>(2, 0);
  for (std::uint64_t i = 0; i < shape.elements; ++i) out[i] = b[i] + shape.scale * c[i];
}

VertexType readTriad(const ConfigReader& config, const Architecture& /*machine*/) {
  return triadVertex({readScale(config, 1), readCount(config, "elements")});
}

}  // namespace

VertexType triadVertex(const TriadShape& shape) {
  check(shape.elements > 0, "a triad of nothing");
  const EdgeGroups one_edge{{1, shape.elements}};
  VertexType type;
  type.name = "Triad";
  type.maker = kTriadEntry.name;
  type.params = {{"scale", shape.scale}, {"elements", shape.elements}};
  type.kind = VertexKind::Supervisor;
  type.fields = {
      {"b", FieldDirection::Input, ElementType::Float, one_edge},
      {"c", FieldDirection::Input, ElementType::Float, one_edge, FieldMemory::Any, 0},
      {"out", FieldDirection::Output, ElementType::Float, one_edge, FieldMemory::Any, 1}};
  type.sizes = {kTriadStateBytes, Bytes(0), kTriadCodeBytes};
  type.work = allMacs(workOn(type.fields, Flops(2 * shape.elements)), ElementType::Float);
  return withFunctions<TriadShape>(std::move(type), shape, {triadCost, computeTriad});
}

const VertexEntry kTriadEntry{"triad", "b + scale c of STREAM: elements, scale", readTriad};

}  // namespace ipusim::workloads
