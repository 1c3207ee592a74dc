// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/json_schema.h"

#include <algorithm>
#include <map>
#include <regex>
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

bool hasAll(const json& value, const json& keys) {
  return std::all_of(keys.begin(), keys.end(),
                     [&](const json& key) { return value.contains(key.get<std::string>()); });
}

/// What a word of a schema says of a value, for words without schemas inside.
using Rule = bool (*)(const json& of, const json& value);

const std::map<std::string, Rule>& rules() {
  const auto any = [](const json& /*of*/, const json& /*value*/) { return true; };
  static const std::map<std::string, Rule> kRules = {
      {"$schema", any},
      {"title", any},
      {"description", any},
      {"definitions", any},
      {"type", [](const json& of, const json& value) { return isOfType(of, value); }},
      {"enum",
       [](const json& of, const json& value) {
         return std::find(of.begin(), of.end(), value) != of.end();
       }},
      {"minimum",
       [](const json& of, const json& value) { return !value.is_number() || value >= of; }},
      {"maximum",
       [](const json& of, const json& value) { return !value.is_number() || value <= of; }},
      {"pattern",
       [](const json& of, const json& value) {
         return !value.is_string() ||
                std::regex_search(value.get<std::string>(), std::regex(of.get<std::string>()));
       }},
      {"minItems",
       [](const json& of, const json& value) { return !value.is_array() || value.size() >= of; }},
      {"maxItems",
       [](const json& of, const json& value) { return !value.is_array() || value.size() <= of; }},
      {"required",
       [](const json& of, const json& value) { return !value.is_object() || hasAll(value, of); }},
      {"dependencies",
       [](const json& of, const json& value) {
         return !value.is_object() ||
                std::all_of(of.items().begin(), of.items().end(), [&](const auto& item) {
                  return !value.contains(item.key()) || hasAll(value, item.value());
                });
       }},
  };
  return kRules;
}

}  // namespace

bool JsonSchema::allows(const json& schema, const json& value) const {
  return std::all_of(schema.items().begin(), schema.items().end(),
                     [&](const auto& item) { return this->allows(item.key(), schema, value); });
}

bool JsonSchema::allows(const std::string& word, const json& schema, const json& value) const {
  const json& of = schema.at(word);
  const auto rule = rules().find(word);
  if (rule != rules().end()) return rule->second(of, value);
  if (word == "$ref") {
    return allows(root_.at(json::json_pointer(of.get<std::string>().substr(1))), value);
  }
  if (word == "not") return !allows(of, value);
  if (word == "anyOf") return countAllowing(of, value) > 0;
  if (word == "oneOf") return countAllowing(of, value) == 1;
  if (word == "allOf") return countAllowing(of, value) == of.size();
  if (word == "items" || word == "additionalItems") {
    return !value.is_array() || allowsItems(schema, value);
  }
  if (word == "properties" || word == "additionalProperties") {
    return !value.is_object() || allowsProperties(schema, value);
  }
  throw std::logic_error("a word of JSON Schema that this does not know: " + word);
}

std::size_t JsonSchema::countAllowing(const json& schemas, const json& value) const {
  return static_cast<std::size_t>(std::count_if(
      schemas.begin(), schemas.end(), [&](const json& one) { return allows(one, value); }));
}

/// `items` is one schema for all, or one for each of the first items.
bool JsonSchema::allowsItems(const json& schema, const json& value) const {
  const json any = json::object();
  const json& items = schema.at("items");
  const json& others = schema.contains("additionalItems") ? schema.at("additionalItems") : any;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const json& of = items.is_object() ? items : i < items.size() ? items[i] : others;
    if (!allows(of, value[i])) return false;
  }
  return true;
}

bool JsonSchema::allowsProperties(const json& schema, const json& value) const {
  const json none = json::object();
  const json& known = schema.contains("properties") ? schema.at("properties") : none;
  const json& others =
      schema.contains("additionalProperties") ? schema.at("additionalProperties") : none;
  return std::all_of(value.items().begin(), value.items().end(), [&](const auto& item) {
    if (known.contains(item.key())) return this->allows(known.at(item.key()), item.value());
    return others.is_boolean() ? others.get<bool>() : this->allows(others, item.value());
  });
}

}  // namespace ipusim
