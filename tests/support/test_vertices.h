// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ipusim/vertex_type.h"

// Vertex types that are easy to count by hand, with float fields. A vertex takes 10 issue slots, 8
// bytes of state and 16 of code.

namespace ipusim::workloads {

inline VertexType testVertex(std::string name, std::vector<Field> fields, ComputeFunction compute) {
  VertexType type;
  type.name = std::move(name);
  type.kind = VertexKind::Worker;
  type.fields = std::move(fields);
  type.sizes = {Bytes(8), Bytes(0), Bytes(16)};
  type.work = workOn(type.fields, Flops(0));
  type.cost = [](const Architecture& /*architecture*/) { return Cycles(10); };
  type.compute = std::move(compute);
  return type;
}

inline Field floatField(const std::string& name, FieldDirection direction,
                        const EdgeGroups& groups) {
  return {name, direction, ElementType::Float, groups};
}

/// out[i] = a[i] + b[i]. Fields: 0 "a", 1 "b", 2 "out".
inline VertexType addVectorsVertex(std::uint64_t elements) {
  return testVertex("AddVectors",
                    {floatField("a", FieldDirection::Input, {{1, elements}}),
                     floatField("b", FieldDirection::Input, {{1, elements}}),
                     floatField("out", FieldDirection::Output, {{1, elements}})},
                    [elements](const VertexData& data) {
                      const auto* a = data.as<float>(0, 0);
                      const auto* b = data.as<float>(1, 0);
                      auto* out = data.as<float>(2, 0);
                      for (std::uint64_t i = 0; i < elements; ++i) out[i] = a[i] + b[i];
                    });
}

/// out[i] = factor * in[i]. Fields: 0 "in", 1 "out".
inline VertexType scaleVertex(float factor, std::uint64_t elements) {
  return testVertex("Scale",
                    {floatField("in", FieldDirection::Input, {{1, elements}}),
                     floatField("out", FieldDirection::Output, {{1, elements}})},
                    [factor, elements](const VertexData& data) {
                      const auto* in = data.as<float>(0, 0);
                      auto* out = data.as<float>(1, 0);
                      for (std::uint64_t i = 0; i < elements; ++i) out[i] = factor * in[i];
                    });
}

/// sum[i] += in[i]. Fields: 0 "sum", 1 "in".
inline VertexType accumulateVertex(std::uint64_t elements) {
  return testVertex("Accumulate",
                    {floatField("sum", FieldDirection::InOut, {{1, elements}}),
                     floatField("in", FieldDirection::Input, {{1, elements}})},
                    [elements](const VertexData& data) {
                      auto* sum = data.as<float>(0, 0);
                      const auto* in = data.as<float>(1, 0);
                      for (std::uint64_t i = 0; i < elements; ++i) sum[i] += in[i];
                    });
}

/// out = sum over edges e of (e + 1) * sum of the edge's elements. The factors make an edge out of
/// its place show. Fields: 0 "in", 1 "out".
inline VertexType weightedSumVertex(const EdgeGroups& groups) {
  const auto compute = [groups](const VertexData& data) {
    float sum = 0;
    std::uint64_t edge = 0;
    for (const EdgeGroup& group : groups) {
      for (std::uint64_t i = 0; i < group.count; ++i, ++edge) {
        const auto* in = data.as<float>(0, edge);
        for (std::uint64_t e = 0; e < group.elements; ++e) {
          sum += static_cast<float>(edge + 1) * in[e];
        }
      }
    }
    *data.as<float>(1, 0) = sum;
  };
  return testVertex("WeightedSum",
                    {floatField("in", FieldDirection::Input, groups),
                     floatField("out", FieldDirection::Output, {{1, 1}})},
                    compute);
}

}  // namespace ipusim::workloads
