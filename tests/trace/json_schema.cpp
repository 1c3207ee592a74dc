// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/json_schema.h"

#include <algorithm>
#include <stdexcept>

namespace ipusim {

using nlohmann::json;

namespace {

bool isOfType(const std::string& type, const json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  throw std::logic_error("a type that this does not know: " + type);
}

}  // namespace

bool JsonSchema::allows(const json& schema, const json& value) const {
  return std::all_of(schema.items().begin(), schema.items().end(),
                     [&](const auto& item) { return allows(item.key(), schema, value); });
}

bool JsonSchema::allows(const std::string& word, const json& schema, const json& value) const {
  const json& of = schema.at(word);
  if (word == "$schema" || word == "title" || word == "description" || word == "definitions") {
    return true;
  }
  if (word == "$ref") {
    return allows(root_.at(json::json_pointer(of.get<std::string>().substr(1))), value);
  }
  if (word == "anyOf") {
    return std::any_of(of.begin(), of.end(), [&](const json& one) { return allows(one, value); });
  }
  if (word == "type") return isOfType(of, value);
  if (word == "enum") return std::find(of.begin(), of.end(), value) != of.end();
  if (word == "minimum") return !value.is_number() || value >= of;
  if (word == "maximum") return !value.is_number() || value <= of;
  if (word == "minItems") return !value.is_array() || value.size() >= of.get<std::size_t>();
  if (word == "maxItems") return !value.is_array() || value.size() <= of.get<std::size_t>();
  if (word == "items") {
    return !value.is_array() || std::all_of(value.begin(), value.end(),
                                            [&](const json& item) { return allows(of, item); });
  }
  if (word == "required") {
    return !value.is_object() || std::all_of(of.begin(), of.end(), [&](const json& key) {
      return value.contains(key.get<std::string>());
    });
  }
  if (word == "properties" || word == "additionalProperties") {
    return !value.is_object() || allowsProperties(schema, value);
  }
  throw std::logic_error("a word of JSON Schema that this does not know: " + word);
}

bool JsonSchema::allowsProperties(const json& schema, const json& value) const {
  const json none = json::object();
  const json& known = schema.contains("properties") ? schema.at("properties") : none;
  const bool others = schema.value("additionalProperties", true);
  return std::all_of(value.items().begin(), value.items().end(), [&](const auto& item) {
    if (!known.contains(item.key())) return others;
    return allows(known.at(item.key()), item.value());
  });
}

}  // namespace ipusim
