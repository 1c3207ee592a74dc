// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/config/config_reader.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/sources/trace/graph_writer.h"
#include "workloads/sources/trace/trace_words.h"
#include "workloads/vertices/table.h"

namespace ipusim::workloads {

namespace {

/// A parameter of a type as JSON.
struct ParamWriter {
  JsonText& json;

  void operator()(std::uint64_t value) const { json.number(value); }
  void operator()(double value) const { json.real(value); }
  void operator()(const std::string& word) const { json.value(word); }
  void operator()(const std::vector<std::uint64_t>& values) const {
    json.open('[');
    for (const std::uint64_t value : values) json.number(value);
    json.close(']');
  }
};

/// True when the table of vertex types makes an equal type from the maker and the parameters.
bool isOfTable(const VertexType& type, const Architecture& machine) {
  if (type.maker.empty()) return false;
  const ConfigReader config = ConfigReader::fromText(toText(type), "vertex type");
  return readVertexType(config, machine) == type;
}

void writeField(const Field& field, JsonText& json) {
  json.open('{').textAt("name", field.name);
  json.textAt("direction", wordOf(field.direction, kDirectionWords));
  if (field.type != ElementType::Float) json.textAt("type", wordOf(field.type, kElementWords));
  if (field.groups.size() == 1 && field.groups.front().count == 1) {
    json.numberAt("elements", field.groups.front().elements);
  } else {
    json.key("edges").open('[');
    for (const EdgeGroup& group : field.groups) {
      json.open('[').number(group.count).number(group.elements).close(']');
    }
    json.close(']');
  }
  if (field.memory != FieldMemory::Any) {
    json.textAt("memory", wordOf(field.memory, kMemoryWords));
  }
  if (field.apart_from >= 0) json.numberAt("apart_from", field.apart_from);
  json.close('}');
}

void writeCount(const char* key, std::uint64_t count, JsonText& json) {
  if (count != 0) json.numberAt(key, count);
}

void writePlainType(const VertexType& type, Cycles cycles, JsonText& json) {
  json.textAt("name", type.name);
  if (type.origin != Origin::Library) json.textAt("origin", wordOf(type.origin, kOriginWords));
  if (type.kind != VertexKind::Worker) json.textAt("kind", wordOf(type.kind, kKindWords));
  json.numberAt("cycles", cycles.value());
  writeCount("state_bytes", type.sizes.state.value(), json);
  writeCount("table_bytes", type.sizes.field_data.value(), json);
  writeCount("code_bytes", type.sizes.code.value(), json);
  writeCount("flops", type.work.flops.value(), json);
  const VertexWork usual = workOn(type.fields, type.work.flops);
  if (type.work.loads != usual.loads) json.numberAt("load_bytes", type.work.loads.value());
  if (type.work.stores != usual.stores) json.numberAt("store_bytes", type.work.stores.value());
  writeCount("half_macs", type.work.half_macs, json);
  writeCount("float_macs", type.work.float_macs, json);
  json.key("fields").open('[');
  for (const Field& field : type.fields) writeField(field, json);
  json.close(']');
}

}  // namespace

std::string typeText(const VertexType& type, const Architecture& machine) {
  std::string text;
  JsonText json(text);
  if (isOfTable(type, machine)) {
    json.textAt("make", type.maker).key("params").open('{');
    for (const Param& param : type.params) {
      json.key(param.name);
      std::visit(ParamWriter{json}, param.value);
    }
    json.close('}');
  } else {
    writePlainType(type, type.cycles(machine), json);
  }
  return text;
}

std::size_t TypeWriter::numberOf(const std::shared_ptr<const VertexType>& type) {
  const auto [known, is_new] = numbers_.try_emplace(type, numbers_by_text_.size());
  if (!is_new) return known->second;
  const auto [number, is_new_text] =
      numbers_by_text_.try_emplace(typeText(*type, machine_), numbers_by_text_.size());
  known->second = number->second;
  if (is_new_text) {
    text_ += "{\"vertex\":\"" + nameOf(number->second) + "\"," + number->first + "}\n";
  }
  return number->second;
}

std::string TypeWriter::nameOf(std::size_t number) {
  return 't' + std::to_string(number);
}

}  // namespace ipusim::workloads
