// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/vertex_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/codelets/codelets.h"
#include "sim/codelets/ir_metadata.h"
#include "sim/codelets/type_reader.h"

namespace ipusim::codelets {

namespace {

constexpr std::uint64_t kVertexReaderByteBits = 8;

/// In the order of poplar::VectorLayout in device/include/poplar/InOutTypes.hpp.
constexpr std::array kVectorLayouts{VectorLayout::NotVector,    VectorLayout::Span,
                                    VectorLayout::ShortSpan,    VectorLayout::OnePtr,
                                    VectorLayout::ScaledPtr32,  VectorLayout::ScaledPtr64,
                                    VectorLayout::ScaledPtr128, VectorLayout::CompactPtr};
/// In the order of poplar::VectorListLayout there.
constexpr std::array kListLayouts{VectorLayout::NotVector,      VectorLayout::OnePtr,
                                  VectorLayout::ScaledPtr32,    VectorLayout::ScaledPtr64,
                                  VectorLayout::ScaledPtr128,   VectorLayout::DeltaN,
                                  VectorLayout::DeltaNElements, VectorLayout::CompactDeltaN};

class VertexReader {
 public:
  explicit VertexReader(std::string_view ir) : metadata_(ir), types_(metadata_) {
    for (const DefinedFunction& function : metadata_.functions()) noteCompute(function);
  }

  [[nodiscard]] std::vector<VertexType> read() const {
    refuseAssembly();
    std::vector<VertexType> found;
    for (const std::string_view reference : metadata_.references()) {
      if (auto vertex = readClass(reference)) found.push_back(std::move(*vertex));
    }
    std::sort(found.begin(), found.end(), [](const VertexType& a, const VertexType& b) {
      return std::tie(a.file, a.line, a.name) < std::tie(b.file, b.line, b.name);
    });
    return found;
  }

 private:
  struct Compute {
    std::string symbol;
    bool returns_value = true;
  };

  void noteCompute(const DefinedFunction& function) {
    const MetadataNode& definition = metadata_.at(function.subprogram);
    if (definition["name"] != "compute") return;
    const MetadataNode& types = metadata_.at(metadata_.at(definition["type"])["types"]);
    const bool returns = !types.items.empty() && types.items.front() != "null";
    const MetadataNode& declaration = metadata_.at(definition["declaration"]);
    const std::string_view owner =
        declaration.attributes.empty() ? definition["scope"] : declaration["scope"];
    computes_.emplace(owner, Compute{std::string(function.symbol), returns});
  }

  void refuseAssembly() const {
    if (metadata_.assembly().empty()) return;
    const auto [file, line] = placeOf(metadata_.at(metadata_.assembly().front().location));
    throw CompileError(fmt::format(
        "{}:{}: inline assembly of the tile is not executed here; wanted C++", file, line));
  }

  [[nodiscard]] std::string fileOf(std::string_view reference) const {
    return std::string(metadata_.at(reference)["filename"]);
  }

  [[nodiscard]] std::pair<std::string, std::uint64_t> placeOf(const MetadataNode& location) const {
    const MetadataNode* scope = &metadata_.at(location["scope"]);
    while ((*scope)["file"].empty() && !(*scope)["scope"].empty()) {
      scope = &metadata_.at((*scope)["scope"]);
    }
    return {fileOf((*scope)["file"]), location.number("line")};
  }

  /// What the class derives from; none where it is no vertex.
  [[nodiscard]] std::optional<VertexClass> kindOf(std::string_view type) const {
    if (types_.isPoplar(type, "Vertex")) return VertexClass::Vertex;
    if (types_.isPoplar(type, "MultiVertex")) return VertexClass::MultiVertex;
    if (types_.isPoplar(type, "SupervisorVertex")) return VertexClass::Supervisor;
    std::optional<VertexClass> kind;
    types_.forEachMember(type, [&](const MetadataNode& member) {
      if (kind || member["tag"] != "DW_TAG_inheritance") return;
      kind = kindOf(types_.plain(member["baseType"]));
    });
    return kind;
  }

  /// The compute() of the class, or else of the first base that has one.
  [[nodiscard]] const Compute* computeOf(std::string_view type) const {
    const auto own = computes_.find(type);
    if (own != computes_.end()) return &own->second;
    const Compute* inherited = nullptr;
    types_.forEachMember(type, [&](const MetadataNode& member) {
      if (inherited != nullptr || member["tag"] != "DW_TAG_inheritance") return;
      inherited = computeOf(types_.plain(member["baseType"]));
    });
    return inherited;
  }

  [[nodiscard]] std::optional<VertexType> readClass(std::string_view reference) const {
    const MetadataNode& node = metadata_.at(reference);
    const std::string_view tag = node["tag"];
    if (node.kind != "DICompositeType" ||
        (tag != "DW_TAG_class_type" && tag != "DW_TAG_structure_type") ||
        node["flags"].find("DIFlagFwdDecl") != std::string_view::npos) {
      return std::nullopt;
    }
    const auto kind = kindOf(reference);
    if (!kind) return std::nullopt;
    const Compute* compute = computeOf(reference);
    if (compute == nullptr) return std::nullopt;
    VertexType vertex;
    vertex.name = types_.nameOf(reference);
    vertex.kind = *kind;
    vertex.bytes = types_.bytesOf(reference);
    vertex.alignment = types_.alignmentOf(reference);
    readFields(reference, 0, vertex.fields);
    vertex.file = fileOf(node["file"]);
    vertex.line = static_cast<std::uint32_t>(node.number("line"));
    vertex.symbol = compute->symbol;
    vertex.returns_value = compute->returns_value;
    return vertex;
  }

  void readFields(std::string_view type, std::uint64_t offset_bits,
                  std::vector<Field>& fields) const {
    types_.forEachMember(type, [&](const MetadataNode& member) {
      const std::uint64_t at = offset_bits + member.number("offset");
      if (member["tag"] == "DW_TAG_inheritance") {
        readFields(types_.plain(member["baseType"]), at, fields);
        return;
      }
      const bool is_static = member["flags"].find("DIFlagStaticMember") != std::string_view::npos;
      if (member["tag"] != "DW_TAG_member" || is_static) return;
      Field field = readField(member["baseType"]);
      field.name = member["name"];
      field.offset = static_cast<std::uint32_t>(at / kVertexReaderByteBits);
      fields.push_back(std::move(field));
    });
  }

  [[nodiscard]] Field readField(std::string_view type) const {
    type = types_.plain(type);
    Field field;
    field.bytes = types_.bytesOf(type);
    field.kind = edgeKind(type);
    const std::string_view inside =
        field.kind == FieldKind::State ? type : types_.typeParameter(type, "T");
    if (types_.isPoplar(inside, "Vector")) {
      readVector(inside, field);
    } else if (types_.isPoplar(inside, "VectorList")) {
      readAttributes(inside, field);
      field.shape = FieldShape::VectorList;
      field.layout = kListLayouts.at(types_.valueParameter(inside, "Layout"));
      field.rows = VectorLayout::Span;
    } else if (field.kind == FieldKind::State) {
      readMember(type, field);
    } else {
      field.element = types_.elementOf(inside);
      field.min_align = types_.alignmentOf(inside);
    }
    return field;
  }

  [[nodiscard]] FieldKind edgeKind(std::string_view type) const {
    if (types_.isPoplar(type, "Input")) return FieldKind::Input;
    if (types_.isPoplar(type, "Output")) return FieldKind::Output;
    if (types_.isPoplar(type, "InOut")) return FieldKind::InOut;
    return FieldKind::State;
  }

  void readAttributes(std::string_view vector, Field& field) const {
    field.element = types_.elementOf(types_.typeParameter(vector, "T"));
    field.min_align = static_cast<std::uint32_t>(types_.valueParameter(vector, "MinAlign"));
    field.interleaved = types_.valueParameter(vector, "Interleaved") != 0;
  }

  /// A vector of elements, or of edges that are its rows.
  void readVector(std::string_view vector, Field& field) const {
    field.layout = kVectorLayouts.at(types_.valueParameter(vector, "Layout"));
    const std::string_view inner = types_.typeParameter(vector, "T");
    const FieldKind row_kind = edgeKind(inner);
    if (row_kind == FieldKind::State) {
      field.shape = FieldShape::Vector;
      readAttributes(vector, field);
      return;
    }
    field.kind = row_kind;
    field.shape = FieldShape::VectorList;
    const std::string_view row = types_.typeParameter(inner, "T");
    if (types_.isPoplar(row, "Vector")) {
      readAttributes(row, field);
      field.rows = kVectorLayouts.at(types_.valueParameter(row, "Layout"));
    } else {
      field.element = types_.elementOf(row);
      field.min_align = types_.alignmentOf(row);
      field.rows = VectorLayout::OnePtr;
    }
  }

  void readMember(std::string_view type, Field& field) const {
    field.min_align = types_.alignmentOf(type);
    if (metadata_.at(type)["tag"] == "DW_TAG_array_type") {
      field.element = types_.elementOf(metadata_.at(type)["baseType"]);
      field.extent = field.element.bytes == 0 ? 0 : field.bytes / field.element.bytes;
      return;
    }
    field.element = types_.elementOf(type);
    if (field.bytes == 0) field.bytes = field.element.bytes;
  }

  IrMetadata metadata_;
  TypeReader types_;
  std::unordered_map<std::string_view, Compute> computes_;  ///< by class
};

}  // namespace

std::vector<VertexType> readVertices(std::string_view ir) {
  return VertexReader(ir).read();
}

}  // namespace ipusim::codelets
