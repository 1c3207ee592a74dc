// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/config_document.h"
#include "base/message.h"

// Writes TOML nodes as text, in messages and as JSON.

namespace ipusim {
namespace {

/// The shortest form that reads back as the equal value, and that shows it is a real number.
std::string realText(double value) {
  std::string text = fmt::format("{}", value);
  const bool looks_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return looks_whole ? text + ".0" : text;
}

std::string dateText(const toml::node& node) {
  std::ostringstream out;
  node.visit([&out](const auto& value) {
    if constexpr (toml::is_date<decltype(value)> || toml::is_time<decltype(value)> ||
                  toml::is_date_time<decltype(value)>) {
      out << value.get();
    }
  });
  return out.str();
}

std::string jsonText(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char kFirstPrintable = 0x20;
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (byte < kFirstPrintable) {
      json += fmt::format("\\u{:04x}", byte);
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string jsonReal(double value) {
  return std::isfinite(value) ? realText(value) : jsonText(realText(value));
}

std::string jsonTable(const toml::table& table) {
  std::string json;
  for (const auto& [key, value] : table) {
    json += fmt::format("{}{}:{}", json.empty() ? "" : ",", jsonText(key), toJson(value));
  }
  return '{' + json + '}';
}

std::string jsonArray(const toml::array& array) {
  std::string json;
  for (const toml::node& element : array) {
    json += fmt::format("{}{}", json.empty() ? "" : ",", toJson(element));
  }
  return '[' + json + ']';
}

}  // namespace

std::string describe(const toml::node* node) {
  if (node == nullptr) return "nothing";
  switch (node->type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return inQuotes(node->as_string()->get());
    case toml::node_type::integer:
      return fmt::format("{}", node->as_integer()->get());
    case toml::node_type::floating_point:
      return realText(node->as_floating_point()->get());
    case toml::node_type::boolean:
      return node->as_boolean()->get() ? "true" : "false";
    default:
      return "a date or time";
  }
}

std::string toJson(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return jsonTable(*node.as_table());
    case toml::node_type::array:
      return jsonArray(*node.as_array());
    case toml::node_type::string:
      return jsonText(node.as_string()->get());
    case toml::node_type::integer:
    case toml::node_type::boolean:
      return describe(&node);
    case toml::node_type::floating_point:
      return jsonReal(node.as_floating_point()->get());
    default:
      return jsonText(dateText(node));
  }
}

}  // namespace ipusim
