// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/interop/chakra/trace.h"
#include "sim/interop/chakra/words.h"

namespace ipusim::interop::chakra {

namespace {

/// A key of JSON as the field of the protocol buffers: "ctrlDeps" and "ctrl_deps" are one field.
std::string fieldOf(const std::string& key) {
  std::string field;
  for (const char c : key) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper) field += '_';
    field += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return field;
}

/// Calls `take(field, value)` with each member of `json` that is not null.
template <typename Take>
void forEachField(const JsonReader& json, const Take& take) {
  if (!json.isObject()) json.fail("an object");
  for (const auto& [key, ignored] : json.value().items()) {
    if (const auto member = json.find(key)) take(fieldOf(key), *member);
  }
}

/// A whole number, also where a text of digits stands for it.
Json readWhole(const JsonReader& json) {
  const Json& value = json.value();
  if (value.is_number_integer()) return value;
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    std::int64_t whole = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && whole < 0) {
      return whole;
    }
  }
  return json.count();
}

/// A number; the JSON of protocol buffers has texts for what is no number.
Json readReal(const JsonReader& json) {
  const Json& value = json.value();
  if (value.is_string()) {
    for (const char* const word : {"NaN", "Infinity", "-Infinity"}) {
      if (value == word) return value;
    }
  }
  return json.real();
}

Json readScalar(const JsonReader& json, ValueForm form) {
  switch (form) {
    case ValueForm::Real:
      return readReal(json);
    case ValueForm::Whole:
    case ValueForm::LongWhole:
      return readWhole(json);
    case ValueForm::Flag:
      return json.flag();
    case ValueForm::Text:
      break;
  }
  return json.text();
}

Json readValue(const JsonReader& json, const ValueField& field) {
  if (!field.is_list) return readScalar(json, field.form);
  Json list = Json::array();
  const auto values = json.find("values");
  for (std::size_t i = 0; values && i < values->size(); ++i) {
    list.push_back(readScalar((*values)[i], field.form));
  }
  return list;
}

Attribute readAttribute(const JsonReader& json) {
  Attribute attribute;
  forEachField(json, [&](const std::string& field, const JsonReader& value) {
    if (field == "name") {
      attribute.name = value.text();
    } else if (field == "doc_string") {
      attribute.doc = value.text();
    } else if (const auto kind = valueField(field)) {
      if (!attribute.kind.empty()) value.fail("one value", "another of kind " + attribute.kind);
      attribute.kind = field;
      attribute.value = readValue(value, *kind);
    } else {
      value.fail("a field of AttributeProto", inQuotes(field));
    }
  });
  if (attribute.kind.empty()) json.fail("a value such as \"int64Val\"", "none");
  return attribute;
}

Attributes readAttributes(const JsonReader& json) {
  Attributes attributes;
  attributes.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) attributes.push_back(readAttribute(json[i]));
  return attributes;
}

IoInfo readInfo(const JsonReader& json) {
  IoInfo info;
  forEachField(json, [&](const std::string& field, const JsonReader& value) {
    if (field == "values") {
      info.values = value.text();
    } else if (field == "shapes") {
      info.shapes = value.text();
    } else if (field == "types") {
      info.types = value.text();
    } else {
      value.fail("values, shapes or types", inQuotes(field));
    }
  });
  return info;
}

NodeType readType(const JsonReader& json) {
  const bool is_name = json.value().is_string();
  const auto* const named =
      is_name ? std::find(kNodeTypes.begin(), kNodeTypes.end(), json.text()) : kNodeTypes.end();
  const std::uint64_t code =
      is_name ? static_cast<std::uint64_t>(named - kNodeTypes.begin()) : json.count();
  if (code >= kNodeTypes.size()) json.fail("the name of a node type such as \"COMP_NODE\"");
  return static_cast<NodeType>(code);
}

void readField(const std::string& field, const JsonReader& value, Node& node) {
  if (field == "id") {
    node.id = value.count();
  } else if (field == "name") {
    node.name = value.text();
  } else if (field == "type") {
    node.type = readType(value);
  } else if (field == "ctrl_deps") {
    node.ctrl_deps = value.counts();
  } else if (field == "data_deps") {
    node.data_deps = value.counts();
  } else if (field == "start_time_micros") {
    node.start_time_micros = value.count();
  } else if (field == "duration_micros") {
    node.duration_micros = value.count();
  } else if (field == "inputs") {
    node.inputs = readInfo(value);
  } else if (field == "outputs") {
    node.outputs = readInfo(value);
  } else if (field == "attr") {
    node.attributes = readAttributes(value);
  } else {
    value.fail("a field of a Chakra node", inQuotes(field));
  }
}

void readMetadata(const JsonReader& json, Trace& trace) {
  forEachField(json, [&](const std::string& field, const JsonReader& value) {
    if (field == "version") {
      trace.version = value.text();
    } else if (field == "attr") {
      trace.attributes = readAttributes(value);
    } else {
      value.fail("GlobalMetadata with version and attr before the nodes", inQuotes(field));
    }
  });
}

}  // namespace

Trace readTrace(std::string_view text, const std::string& file) {
  const std::vector<JsonAt> values = parseJsonValues(text, file);
  if (values.empty()) throw ConfigError(file + ":1: wanted a Chakra trace, found an empty file");
  const auto reader_of = [&](const JsonAt& at) {
    return JsonReader(at.value, fmt::format("{}:{}", file, at.line));
  };
  Trace trace;
  readMetadata(reader_of(values.front()), trace);
  std::unordered_set<std::uint64_t> ids;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const JsonReader reader = reader_of(values[i]);
    Node node;
    forEachField(reader, [&](const std::string& field, const JsonReader& value) {
      readField(field, value, node);
    });
    if (!ids.insert(node.id).second) {
      reader.fail("an id that no other node has", std::to_string(node.id));
    }
    trace.nodes.push_back(std::move(node));
  }
  return trace;
}

}  // namespace ipusim::interop::chakra
