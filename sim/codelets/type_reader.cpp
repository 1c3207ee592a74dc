// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/type_reader.h"

#include <algorithm>
#include <charconv>

namespace ipusim::codelets {

namespace {

constexpr std::uint32_t kPointerBytes = 4;
constexpr std::uint32_t kTypeReaderByteBits = 8;
/// The widest load of the tile.
constexpr std::uint32_t kTypeReaderMostAlignment = 8;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The number after the type in `i32 7`, or of `i1 true`.
std::uint64_t valueOf(std::string_view text) {
  const std::string_view digits = text.substr(text.rfind(' ') + 1);
  if (digits == "true") return 1;
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

ElementKind kindOf(std::string_view encoding) {
  if (encoding == "DW_ATE_boolean") return ElementKind::Bool;
  if (encoding == "DW_ATE_float") return ElementKind::Floating;
  if (isOneOf(encoding, {"DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF"})) {
    return ElementKind::Unsigned;
  }
  return ElementKind::Signed;
}

}  // namespace

std::string_view TypeReader::plain(std::string_view type) const {
  while (isOneOf(metadata_.at(type)["tag"],
                 {"DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type"})) {
    type = metadata_.at(type)["baseType"];
  }
  return type;
}

std::string TypeReader::scopeOf(std::string_view type) const {
  const std::string_view scope = metadata_.at(type)["scope"];
  const MetadataNode& node = metadata_.at(scope);
  if (node.kind == "DINamespace") return scopeOf(scope) + std::string(node["name"]) + "::";
  if (node.kind == "DICompositeType") return nameOf(scope) + "::";
  return {};
}

std::string TypeReader::valueName(const MetadataNode& parameter) const {
  const std::string_view type = plain(parameter["type"]);
  const MetadataNode& node = metadata_.at(type);
  const std::string_view text = parameter["value"];
  if (node["encoding"] == "DW_ATE_boolean") return valueOf(text) != 0 ? "true" : "false";
  std::string name(text.substr(text.rfind(' ') + 1));
  if (node["tag"] != "DW_TAG_enumeration_type") return name;
  forEachMember(type, [&](const MetadataNode& enumerator) {
    if (enumerator["value"] != text.substr(text.rfind(' ') + 1)) return;
    name = nameOf(type) + "::" + std::string(enumerator["name"]);
  });
  return name;
}

std::string TypeReader::parametersOf(std::string_view list) const {
  std::string names;
  for (const std::string_view item : metadata_.at(list).items) {
    const MetadataNode& parameter = metadata_.at(item);
    std::string name;
    if (parameter["tag"] == "DW_TAG_GNU_template_parameter_pack") {
      name = parametersOf(parameter["value"]);
    } else if (parameter.kind == "DITemplateTypeParameter") {
      name = nameOf(parameter["type"]);
    } else {
      name = valueName(parameter);
    }
    names += (names.empty() || name.empty() ? "" : ",") + name;
  }
  return names;
}

std::string TypeReader::nameOf(std::string_view type) const {
  type = plain(type);
  const MetadataNode& node = metadata_.at(type);
  if (node["tag"] == "DW_TAG_pointer_type") return nameOf(node["baseType"]) + " *";
  const std::string_view name = node["name"];
  if (name == "_Float16") return "half";
  std::string whole = scopeOf(type) + std::string(name.substr(0, name.find('<')));
  const std::string_view parameters = node["templateParams"];
  if (!parameters.empty()) whole += "<" + parametersOf(parameters) + ">";
  return whole;
}

std::uint32_t TypeReader::bytesOf(std::string_view type) const {
  return static_cast<std::uint32_t>(metadata_.at(plain(type)).number("size")) / kTypeReaderByteBits;
}

std::uint32_t TypeReader::alignmentOf(std::string_view type) const {
  const auto stated =
      static_cast<std::uint32_t>(metadata_.at(type).number("align")) / kTypeReaderByteBits;
  if (stated != 0) return stated;
  const MetadataNode& node = metadata_.at(type);
  const std::string_view tag = node["tag"];
  if (node.kind == "DIBasicType") return std::max(bytesOf(type), 1U);
  if (tag == "DW_TAG_pointer_type" || tag == "DW_TAG_reference_type") return kPointerBytes;
  if (tag == "DW_TAG_array_type" && node["flags"].find("DIFlagVector") != std::string_view::npos) {
    return std::min(bytesOf(type), kTypeReaderMostAlignment);
  }
  if (tag != "DW_TAG_class_type" && tag != "DW_TAG_structure_type" && tag != "DW_TAG_union_type") {
    const std::string_view base = node["baseType"];
    return base.empty() || base == "null" ? 1 : alignmentOf(base);
  }
  std::uint32_t most = 1;
  forEachMember(type, [&](const MetadataNode& member) {
    const bool is_static = member["flags"].find("DIFlagStaticMember") != std::string_view::npos;
    if (member.kind != "DIDerivedType" || is_static) return;
    most = std::max(most, alignmentOf(member["baseType"]));
  });
  return most;
}

Element TypeReader::elementOf(std::string_view type) const {
  type = plain(type);
  while (metadata_.at(type)["tag"] == "DW_TAG_enumeration_type" &&
         !metadata_.at(type)["baseType"].empty()) {
    type = plain(metadata_.at(type)["baseType"]);
  }
  Element element{nameOf(type), ElementKind::Struct, bytesOf(type)};
  const MetadataNode& node = metadata_.at(type);
  if (node.kind == "DIBasicType") element.kind = kindOf(node["encoding"]);
  if (node["tag"] == "DW_TAG_pointer_type") element.bytes = kPointerBytes;
  return element;
}

bool TypeReader::isPoplar(std::string_view type, std::string_view name) const {
  const MetadataNode& node = metadata_.at(type);
  const std::string_view whole = node["name"];
  return whole.substr(0, whole.find('<')) == name && scopeOf(type) == "poplar::";
}

const MetadataNode* TypeReader::parameter(std::string_view type, std::string_view name) const {
  for (const std::string_view item : metadata_.at(metadata_.at(type)["templateParams"]).items) {
    const MetadataNode& each = metadata_.at(item);
    if (each["name"] == name) return &each;
  }
  return nullptr;
}

std::string_view TypeReader::typeParameter(std::string_view type, std::string_view name) const {
  const MetadataNode* found = parameter(type, name);
  return found == nullptr ? std::string_view{} : plain((*found)["type"]);
}

std::uint64_t TypeReader::valueParameter(std::string_view type, std::string_view name) const {
  const MetadataNode* found = parameter(type, name);
  return found == nullptr ? 0 : valueOf((*found)["value"]);
}

}  // namespace ipusim::codelets
