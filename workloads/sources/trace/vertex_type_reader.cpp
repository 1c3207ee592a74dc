// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "base/config/config_reader.h"
#include "base/error_boundary.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/sources/trace/graph_reader.h"
#include "workloads/sources/trace/trace_words.h"
#include "workloads/vertices/table.h"

namespace ipusim::workloads {

namespace {

constexpr const char* kParams = "params";

/// The key of the maker in the table of vertex types, and in a trace.
constexpr const char* kMakerKey = "params.vertex: ";
constexpr const char* kMake = "make: ";

/// A parameter of a library type as a value of TOML.
std::string tomlOf(const JsonValue& value) {
  if (value.isText()) {
    const std::string_view text = value.text();
    const bool is_word = std::all_of(text.begin(), text.end(), [](unsigned char letter) {
      return std::isalnum(letter) != 0 || letter == '_' || letter == ' ';
    });
    if (!is_word) throw value.error("a word");
    return '"' + std::string(text) + '"';
  }
  if (value.isArray()) {
    std::vector<std::string> items;
    value.forEach([&](const JsonValue& item) {
      items.push_back(std::to_string(item.whole(0, ~std::uint64_t{0} >> 1U)));
    });
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  if (value.isFlag()) return value.flag() ? "true" : "false";
  if (value.isWhole()) return std::to_string(value.signedWhole(~std::uint64_t{0} >> 1U));
  if (value.isReal()) return fmt::format("{:#}", value.real());
  throw value.error("a word, a number, true, false or an array of whole numbers");
}

std::string keyOf(const JsonValue& value) {
  const std::string_view key = value.key();
  const bool is_plain = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
  if (!is_plain) throw value.error("the name of a parameter");
  return std::string(key);
}

/// The reader of TOML adds the number of the line in its text, which is always 1.
ConfigError errorOfParams(const ConfigError& error, const std::string& place) {
  std::string what = error.what();
  const std::string before = place + ":1: ";
  if (what.compare(0, before.size(), before) != 0) return error;
  what.erase(0, before.size());
  if (what.compare(0, std::strlen(kMakerKey), kMakerKey) == 0) {
    what.replace(0, std::strlen(kMakerKey), kMake);
  }
  return ConfigError(place + ": " + what);
}

/// A type of the table of vertex types, from its maker and its parameters.
VertexType libraryType(const JsonValue& maker, const JsonRecord& line, TraceParts& parts) {
  std::string text = std::string(kParams) + " = {vertex = " + tomlOf(maker);
  if (const auto params = line.find(kParams)) {
    for (const auto& [key, element] : params->object()) {
      const JsonValue value(element, key, params->place());
      parts.keep(1 + (value.isArray() ? value.size() : 0), value);
      text += ", " + keyOf(value) + " = " + tomlOf(value);
    }
  }
  const std::string name = errorAt(maker.place(), "").what();
  const std::string place = name.substr(0, name.size() - 2);
  const auto read = [&] {
    const ConfigReader config = ConfigReader::fromText(text + '}', place);
    VertexType type = readVertexType(config.table(kParams), parts.machine);
    config.expectAllRead();
    return type;
  };
  return translateErrors<ConfigError>(
      read, [&](const ConfigError& error) { return errorOfParams(error, place); });
}

class FieldsReader {
 public:
  explicit FieldsReader(TraceParts& parts) : parts_(parts) {}

  std::vector<Field> read(const JsonValue& array) {
    std::vector<Field> fields;
    array.forEach([&](const JsonValue& value) {
      parts_.keep(1, value);
      const JsonRecord record(value);
      fields.push_back(field(record, array.size()));
      record.expectAllRead();
    });
    return fields;
  }

 private:
  Field field(const JsonRecord& record, std::uint64_t fields) {
    Field field;
    field.name = record.at("name").text();
    field.direction = record.at("direction").word(kDirectionWords);
    const auto type = record.find("type");
    field.type = type ? type->word(kElementWords) : ElementType::Float;
    if (const auto edges = record.find("edges")) {
      field.groups = groups(*edges);
    } else {
      field.groups = {{1, record.at("elements").whole(1, parts_.limits.number)}};
    }
    if (const auto memory = record.find("memory")) field.memory = memory->word(kMemoryWords);
    if (const auto apart = record.find("apart_from")) {
      field.apart_from = static_cast<int>(apart->whole(0, fields - 1));
    }
    return field;
  }

  EdgeGroups groups(const JsonValue& array) {
    EdgeGroups groups;
    array.forEach([&](const JsonValue& pair) {
      if (!pair.isArray() || pair.size() != 2) throw pair.error("[edges, elements of each]");
      parts_.keep(1, pair);
      const std::uint64_t most = parts_.limits.number;
      groups.push_back({pair.at(0).whole(1, most), pair.at(1).whole(1, most)});
    });
    if (groups.empty()) throw array.error("at least one group of edges");
    return groups;
  }

  TraceParts& parts_;
};

/// A type that only the trace knows: what it costs stands there.
VertexType plainType(const JsonRecord& line, TraceParts& parts) {
  const std::uint64_t most = parts.limits.number;
  VertexType type;
  const auto name = line.find("name");
  type.name = name ? name->text() : line.at("vertex").text();
  if (const auto origin = line.find("origin")) type.origin = origin->word(kOriginWords);
  if (const auto kind = line.find("kind")) type.kind = kind->word(kKindWords);
  type.fields = FieldsReader(parts).read(line.at("fields"));
  type.sizes = {Bytes(line.count("state_bytes", most, 0)),
                Bytes(line.count("table_bytes", most, 0)),
                Bytes(line.count("code_bytes", most, 0))};
  type.work = workOn(type.fields, Flops(line.count("flops", most, 0)));
  type.work.loads = Bytes(line.count("load_bytes", most, type.work.loads.value()));
  type.work.stores = Bytes(line.count("store_bytes", most, type.work.stores.value()));
  // Every multiply-add is two of the operations.
  const std::uint64_t most_macs = type.work.flops.value() / 2;
  type.work.half_macs = line.count("half_macs", most_macs, 0);
  type.work.float_macs = line.count("float_macs", most_macs - type.work.half_macs, 0);
  if (const auto cycles = line.find("cycles")) {
    const Cycles each(cycles->whole(0, most));
    type.cost = [each](const Architecture&) { return each; };
  }
  return type;
}

}  // namespace

void readVertexType(const JsonRecord& line, TraceParts& parts) {
  const JsonValue name = line.at("vertex");
  parts.keep(4, name);
  const auto maker = line.find("make");
  VertexType type = maker ? libraryType(*maker, line, parts) : plainType(line, parts);
  for (const Field& field : type.fields) static_cast<void>(sizeOf(field.type) * field.elements());
  parts.types.add(name.text());
  parts.vertex_types.push_back(shared(std::move(type)));
}

}  // namespace ipusim::workloads
