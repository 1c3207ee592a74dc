// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/codelet_vertex.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

namespace codelets = ipusim::codelets;
using ipusim::Bytes;
using ipusim::ElementType;

namespace {

graph_connection_error fault(const Vertex& vertex, const std::string& field,
                             const std::string& what) {
  return graph_connection_error(
      fmt::format("vertex {}.{} on tile {}: {}", vertex.type, field, vertex.tile, what).c_str());
}

/// The element type of the host's name for a type of C++; None for a struct.
TypeId typeNamed(const codelets::Element& element) {
  for (auto id = static_cast<int>(TypeId::Bool); id <= static_cast<int>(TypeId::Quarter); ++id) {
    if (element.name == spellingOf(static_cast<TypeId>(id))) return static_cast<TypeId>(id);
  }
  if (element.kind == codelets::ElementKind::Struct) return TypeId::None;
  return element.kind == codelets::ElementKind::Signed ? signedType(element.bytes)
                                                       : unsignedType(element.bytes);
}

/// The data of an edge field, row by row.
class FieldData {
 public:
  FieldData(const Vertex& vertex, const codelets::Field& field, ExecutableData& data)
      : vertex_(vertex), field_(field), data_(data) {}

  void add(const FieldSetting& setting) {
    if (setting.kind == FieldSetting::Kind::Size) return;
    if (setting.kind == FieldSetting::Kind::Rows) {
      const ipusim::Tensor& matrix = setting.tensors.front()->view;
      addRows(matrix, matrix.shape().front());
    } else if (setting.kind == FieldSetting::Kind::Tensors) {
      for (const Ref<TensorData>& tensor : setting.tensors) addRows(tensor->view, 1);
    } else {
      addConstants(setting.values);
    }
  }

  [[nodiscard]] ipusim::View takeView() { return std::move(view_); }
  [[nodiscard]] ipusim::Field field() const {
    const auto direction = field_.kind == codelets::FieldKind::Input ? ipusim::FieldDirection::Input
                           : field_.kind == codelets::FieldKind::Output
                               ? ipusim::FieldDirection::Output
                               : ipusim::FieldDirection::InOut;
    return {field_.name, direction, type_, groups_,
            field_.interleaved ? ipusim::FieldMemory::Interleaved : ipusim::FieldMemory::Any};
  }

 private:
  /// Adds the elements of the tensor as `rows` rows of one size.
  void addRows(const ipusim::Tensor& tensor, std::uint64_t rows) {
    if (rows == 0) return;
    if (rows_ > 0 && ipusim::sizeOf(tensor.type()) != ipusim::sizeOf(type_)) {
      throw fault(vertex_, field_.name, "wanted rows of one type, found two");
    }
    type_ = tensor.type();
    rows_ += rows;
    const std::uint64_t elements = tensor.elements() / rows;
    if (!groups_.empty() && groups_.back().elements == elements) {
      groups_.back().count += rows;
    } else {
      groups_.push_back({rows, elements});
    }
    if (elements == 0) return;
    const ipusim::View view = tensor.view();
    view_.insert(view_.end(), view.begin(), view.end());
  }

  /// Puts the values into a variable on the tile of the vertex.
  void addConstants(const StoredValues& values) {
    const TypeId type = typeNamed(field_.element);
    if (type == TypeId::None) {
      throw fault(vertex_, field_.name,
                  "wanted a tensor, found values for a " + field_.element.name);
    }
    const Storage storage = storageOf(type);
    const auto view =
        data_.graph.addVariable(storage.type, {values.count * storage.unit},
                                vertex_.type + "." + field_.name, ipusim::Lifetime::Always);
    if (values.count > 0) data_.graph.setTileMapping(view, ipusim::TileId(vertex_.tile));
    data_.edge_values.push_back({view, converted(values.view(), type)});
    addRows(view, 1);
  }

  const Vertex& vertex_;
  const codelets::Field& field_;
  ExecutableData& data_;
  ElementType type_ = ElementType::Float;
  ipusim::EdgeGroups groups_;
  ipusim::View view_;
  std::uint64_t rows_ = 0;
};

/// The settings of a field, those of rows in the order of the rows.
std::vector<const FieldSetting*> settingsOf(const Vertex& vertex, const codelets::Field& field) {
  std::vector<const FieldSetting*> found;
  for (const FieldSetting& setting : vertex.settings) {
    if (setting.field == field.name) found.push_back(&setting);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FieldSetting* a, const FieldSetting* b) { return a->row < b->row; });
  return found;
}

/// The edges of a field in elements of the codelet, which may be larger than those of the variable.
ipusim::EdgeGroups inElementsOf(const codelets::Field& field, const ipusim::Field& stored) {
  ipusim::EdgeGroups edges = stored.groups;
  for (ipusim::EdgeGroup& group : edges) {
    group.elements = group.elements * ipusim::sizeOf(stored.type).value() / field.element.bytes;
  }
  return edges;
}

ipusim::VertexKind kindOf(codelets::VertexClass kind) {
  return kind == codelets::VertexClass::Vertex ? ipusim::VertexKind::Worker
                                               : ipusim::VertexKind::Supervisor;
}

}  // namespace

BoundCodelet bindCodelet(const GraphState& state, const Vertex& vertex, ExecutableData& data) {
  const codelets::VertexType& codelet = *state.codelet(vertex.type);
  ipusim::VertexType type;
  type.name = codelet.name;
  type.origin = ipusim::Origin::User;
  type.kind = kindOf(codelet.kind);
  type.sizes = {Bytes(codelet.bytes), Bytes(0), codelet.code_bytes};
  BoundCodelet bound;
  for (const codelets::Field& field : codelet.fields) {
    if (field.kind == codelets::FieldKind::State) continue;
    FieldData of_field(vertex, field, data);
    const std::vector<const FieldSetting*> settings = settingsOf(vertex, field);
    if (settings.empty()) throw fault(vertex, field.name, "wanted a connection, found none");
    for (const FieldSetting* setting : settings) of_field.add(*setting);
    type.fields.push_back(of_field.field());
    bound.views.push_back(of_field.takeView());
    bound.edges.push_back(inElementsOf(field, type.fields.back()));
    if (field.shape == codelets::FieldShape::VectorList) {
      type.sizes.field_data += Bytes(kRowBytes) * type.fields.back().edges();
    }
  }
  bound.type = data.shared_types.of(std::move(type));
  return bound;
}

std::shared_ptr<const ipusim::VertexType> SharedTypes::of(ipusim::VertexType type) {
  auto& alike = by_name_[type.name];
  for (const auto& known : alike) {
    if (*known == type) return known;
  }
  alike.push_back(ipusim::shared(std::move(type)));
  return alike.back();
}

}  // namespace poplar::detail
