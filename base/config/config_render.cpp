// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/config/config_document.h"
#include "base/text/message.h"

// Writes TOML nodes as text.

namespace ipusim {

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

}  // namespace ipusim
