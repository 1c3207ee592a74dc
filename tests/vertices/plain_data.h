// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "ipusim/vertex_type.h"
#include "sim/execute/element_value.h"

namespace ipusim::workloads {

using Numbers = std::vector<double>;

/// The data of a vertex without a tile: every edge has its own array.
class PlainData : public VertexData {
 public:
  /// `fields[f]` are the elements of field f, one edge after the other. Missing elements are 0.
  PlainData(const VertexType& type, const std::vector<Numbers>& fields) {
    for (const Field& field : type.fields) {
      edges_.emplace_back();
      const std::size_t index = edges_.size() - 1;
      const Numbers values = index < fields.size() ? fields[index] : Numbers();
      std::size_t next = 0;
      for (const EdgeGroup& group : field.groups) {
        for (std::uint64_t e = 0; e < group.count; ++e) {
          edges_.back().push_back(edgeOf(field.type, group.elements, values, next));
          next += group.elements;
        }
      }
    }
  }

  [[nodiscard]] std::byte* edge(std::size_t field, std::uint64_t edge) const override {
    return edges_.at(field).at(edge).data();
  }

  /// The elements of a field, one edge after the other.
  [[nodiscard]] Numbers values(const VertexType& type, std::size_t field) const {
    const ElementType element = type.fields[field].type;
    const std::size_t bytes = sizeOf(element).value();
    Numbers values;
    for (const std::vector<std::byte>& edge : edges_.at(field)) {
      for (std::size_t at = 0; at < edge.size(); at += bytes) {
        values.push_back(executor::loadElement(element, edge.data() + at));
      }
    }
    return values;
  }

 private:
  static std::vector<std::byte> edgeOf(ElementType type, std::uint64_t elements,
                                       const Numbers& values, std::size_t first) {
    const std::size_t bytes = sizeOf(type).value();
    std::vector<std::byte> edge(elements * bytes);
    for (std::uint64_t i = 0; i < elements && first + i < values.size(); ++i) {
      executor::storeElement(type, values[first + i], edge.data() + i * bytes);
    }
    return edge;
  }

  mutable std::vector<std::vector<std::vector<std::byte>>> edges_;
};

/// The values that `type` leaves in field `result` when its fields begin as `fields`.
inline Numbers computed(const VertexType& type, const std::vector<Numbers>& fields,
                        std::size_t result) {
  const PlainData data(type, fields);
  type.compute(data);
  return data.values(type, result);
}

}  // namespace ipusim::workloads
