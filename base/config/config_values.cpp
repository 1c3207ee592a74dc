// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_values.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/config/config_document.h"
#include "base/config/config_reader.h"

namespace ipusim {
namespace {

SortedJson tableValues(const toml::table& table) {
  SortedJson values = SortedJson::object();
  for (const auto& [key, value] : table) values.emplace(key.str(), valuesOf(value));
  return values;
}

SortedJson arrayValues(const toml::array& array) {
  SortedJson values = SortedJson::array();
  for (const toml::node& element : array) values.push_back(valuesOf(element));
  return values;
}

/// Whole numbers that are not negative are unsigned, as in JSON that was read.
SortedJson wholeValue(std::int64_t value) {
  if (value < 0) return value;
  return static_cast<std::uint64_t>(value);
}

}  // namespace

SortedJson valuesOf(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return tableValues(*node.as_table());
    case toml::node_type::array:
      return arrayValues(*node.as_array());
    case toml::node_type::string:
      return node.as_string()->get();
    case toml::node_type::integer:
      return wholeValue(node.as_integer()->get());
    case toml::node_type::boolean:
      return node.as_boolean()->get();
    case toml::node_type::floating_point: {
      const double value = node.as_floating_point()->get();
      return std::isfinite(value) ? SortedJson(value) : SortedJson(realText(value));
    }
    default:
      return dateText(node);
  }
}

ConfigValues ConfigReader::values() const {
  return ConfigValues(valuesOf(*document_->find(path_)));
}

ConfigValues::ConfigValues() : ConfigValues(SortedJson::object()) {}

ConfigValues::ConfigValues(SortedJson values)
    : values_(std::make_shared<const SortedJson>(std::move(values))) {}

std::string ConfigValues::text() const {
  return values_->dump();
}

}  // namespace ipusim
