// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/chakra/trace.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "sim/interop/chakra/words.h"

namespace ipusim::interop::chakra {

namespace {

/// A field of the protocol buffers as JSON names it: "ctrl_deps" becomes "ctrlDeps".
std::string camelCase(const std::string& field) {
  std::string name;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const bool starts_word = i > 0 && field[i - 1] == '_';
    if (field[i] == '_') continue;
    name += starts_word && field[i] >= 'a' ? static_cast<char>(field[i] - 'a' + 'A') : field[i];
  }
  return name;
}

/// 64 bits are written as text, because a number of JSON is a double in many programs.
Json longWhole(const Json& value) {
  return value.is_number() ? Json(value.dump()) : value;
}

Json valueJson(const Attribute& attribute) {
  const std::optional<ValueField> field = valueField(attribute.kind);
  const bool is_long = field && field->form == ValueForm::LongWhole;
  if (!attribute.value.is_array()) return is_long ? longWhole(attribute.value) : attribute.value;
  Json values = Json::array();
  for (const Json& value : attribute.value) values.push_back(is_long ? longWhole(value) : value);
  return {{"values", std::move(values)}};
}

Json attributesJson(const Attributes& attributes) {
  Json list = Json::array();
  for (const Attribute& attribute : attributes) {
    Json json = {{"name", attribute.name}};
    if (!attribute.doc.empty()) json["docString"] = attribute.doc;
    json[camelCase(attribute.kind)] = valueJson(attribute);
    list.push_back(std::move(json));
  }
  return list;
}

Json idsJson(const std::vector<std::uint64_t>& ids) {
  Json list = Json::array();
  for (const std::uint64_t id : ids) list.push_back(std::to_string(id));
  return list;
}

void addInfo(const char* key, const IoInfo& info, Json& json) {
  if (info == IoInfo()) return;
  json[key] = {{"values", info.values}, {"shapes", info.shapes}, {"types", info.types}};
}

Json nodeJson(const Node& node) {
  Json json = {{"id", std::to_string(node.id)}, {"name", node.name}, {"type", nameOf(node.type)}};
  if (!node.ctrl_deps.empty()) json["ctrlDeps"] = idsJson(node.ctrl_deps);
  if (!node.data_deps.empty()) json["dataDeps"] = idsJson(node.data_deps);
  if (node.start_time_micros > 0) json["startTimeMicros"] = std::to_string(node.start_time_micros);
  if (node.duration_micros > 0) json["durationMicros"] = std::to_string(node.duration_micros);
  addInfo("inputs", node.inputs, json);
  addInfo("outputs", node.outputs, json);
  if (!node.attributes.empty()) json["attr"] = attributesJson(node.attributes);
  return json;
}

}  // namespace

const char* nameOf(NodeType type) {
  return kNodeTypes.at(static_cast<std::size_t>(type));
}

std::optional<ValueField> valueField(std::string_view field) {
  const std::size_t end = field.rfind('_');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view base = field.substr(0, end);
  const std::string_view suffix = field.substr(end);
  const auto* const kind = std::find_if(kValueKinds.begin(), kValueKinds.end(),
                                        [&](const ValueKind& known) { return known.base == base; });
  if (kind == kValueKinds.end() || (suffix != "_val" && suffix != "_list")) return std::nullopt;
  return ValueField{kind->form, suffix == "_list"};
}

std::optional<std::uint64_t> Node::count(std::string_view wanted) const {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == wanted && attribute.value.is_number_unsigned()) {
      return attribute.value.get<std::uint64_t>();
    }
  }
  return std::nullopt;
}

bool operator==(const Node& a, const Node& b) {
  return a.id == b.id && a.name == b.name && a.type == b.type && a.ctrl_deps == b.ctrl_deps &&
         a.data_deps == b.data_deps && a.start_time_micros == b.start_time_micros &&
         a.duration_micros == b.duration_micros && a.inputs == b.inputs && a.outputs == b.outputs &&
         a.attributes == b.attributes;
}

std::string textOf(const Trace& trace) {
  Json metadata = Json::object();
  if (!trace.version.empty()) metadata["version"] = trace.version;
  if (!trace.attributes.empty()) metadata["attr"] = attributesJson(trace.attributes);
  std::string text = metadata.dump() + '\n';
  for (const Node& node : trace.nodes) text += nodeJson(node).dump() + '\n';
  return text;
}

}  // namespace ipusim::interop::chakra
