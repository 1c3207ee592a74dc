// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/field_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "base/text/message.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

namespace codelets = ipusim::codelets;

const codelets::Field& fieldOf(const GraphState& state, const Vertex& vertex,
                               const std::string& name) {
  const codelets::VertexType& type = *state.codelet(vertex.type);
  if (const codelets::Field* field = type.field(name)) return *field;
  std::vector<std::string> names;
  for (const codelets::Field& field : type.fields) names.push_back(field.name);
  throw unknown_field(fmt::format("vertex {}: wanted one of its fields ({}), found {}{}",
                                  vertex.type, fmt::join(names, ", "), name,
                                  ipusim::didYouMean(name, names))
                          .c_str());
}

void checkShape(const Vertex& vertex, const codelets::Field& field, const TensorData& tensor,
                std::uint64_t row) {
  const auto fault = [&](const char* wanted) {
    return graph_connection_error(fmt::format("vertex {}.{}: wanted {}, found {}", vertex.type,
                                              field.name, wanted, tensor.text())
                                      .c_str());
  };
  if (field.shape == codelets::FieldShape::Scalar && tensor.elements() != 1) {
    throw fault("one element");
  }
  const std::size_t most = hasRows(field) && row == kWholeField ? 2 : 1;
  if (tensor.rank() > most && field.shape != codelets::FieldShape::Scalar) {
    throw fault(most == 2 ? "a tensor of two dimensions" : "a tensor of one dimension");
  }
}

namespace {

/// A field takes elements of its own type, or of another name for it.
void checkType(const Vertex& vertex, const codelets::Field& field, const TensorData& tensor) {
  const std::string found = spellingOf(tensor.type);
  if (found == field.element.name) return;
  const bool is_bool = tensor.type == TypeId::Bool;
  const codelets::ElementKind kind = field.element.kind;
  const bool is_alike =
      field.element.bytes == bytesOf(tensor.type) && !isFraction(tensor.type) && !is_bool &&
      (kind == codelets::ElementKind::Signed || kind == codelets::ElementKind::Unsigned);
  const bool same_sign =
      (kind == codelets::ElementKind::Unsigned) == (found.rfind("unsigned", 0) == 0);
  if (is_alike && (same_sign || field.element.bytes == 1)) return;
  if (kind == codelets::ElementKind::Struct) return;  // a struct edge takes bytes of any type
  throw type_error(fmt::format("vertex {}.{}: wanted a tensor of {}, found {} of {}", vertex.type,
                               field.name, field.element.name, tensor.text(), found)
                       .c_str());
}

/// An array of a vertex lies on its tile.
void checkSize(const GraphState& state, const Vertex& vertex, const codelets::Field& field,
               const StoredValues& values) {
  std::uint64_t size = 0;
  std::memcpy(&size, values.bytes.data(), sizeof size);
  if (size <= state.target.bytes_per_tile / std::max(1U, field.element.bytes)) return;
  throw graph_object_creation_error(
      fmt::format("vertex {}.{}: wanted a size that a tile has room for, found {} elements",
                  vertex.type, field.name, size)
          .c_str());
}

}  // namespace

void checkSetting(const GraphState& state, const Vertex& vertex, const FieldSetting& setting) {
  const codelets::Field& field = fieldOf(state, vertex, setting.field);
  const bool is_state = field.kind == codelets::FieldKind::State;
  const bool is_edge =
      setting.kind <= FieldSetting::Kind::Constants || setting.kind == FieldSetting::Kind::Rows;
  if (is_state && is_edge) {
    throw graph_connection_error(fmt::format("vertex {}.{}: wanted a field that is an edge, found "
                                             "one of the vertex's own",
                                             vertex.type, field.name)
                                     .c_str());
  }
  for (const Ref<TensorData>& tensor : setting.tensors) checkType(vertex, field, *tensor);
  if (setting.kind == FieldSetting::Kind::Size) checkSize(state, vertex, field, setting.values);
}

}  // namespace poplar::detail
