// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json.h"

// Chakra execution traces of MLCommons, in the JSON form of the protocol buffers of et_def.proto:
// a GlobalMetadata and then the Nodes, one JSON object after the other.

namespace ipusim::interop::chakra {

enum class NodeType : std::uint8_t {
  Invalid,
  Metadata,
  MemLoad,
  MemStore,
  Comp,
  CommSend,
  CommRecv,
  CommColl,
};

/// The name of a type in the format, such as "COMP_NODE".
const char* nameOf(NodeType type);

/// The code of CollectiveCommType that fits an exchange between tiles.
constexpr std::int64_t kAllToAll = 6;

/// A named value. `kind` is the field of AttributeProto that holds it, such as "int64_val" or
/// "string_list". The value is a number, a text, true or false, or an array of these.
struct Attribute {
  std::string name;
  std::string kind;
  Json value;
  std::string doc;

  friend bool operator==(const Attribute& a, const Attribute& b) {
    return a.name == b.name && a.kind == b.kind && a.value == b.value && a.doc == b.doc;
  }
};
using Attributes = std::vector<Attribute>;

/// What a node reads or writes, as texts that the format leaves open.
struct IoInfo {
  std::string values;
  std::string shapes;
  std::string types;

  friend bool operator==(const IoInfo& a, const IoInfo& b) {
    return a.values == b.values && a.shapes == b.shapes && a.types == b.types;
  }
};

struct Node {
  std::uint64_t id = 0;
  std::string name;
  NodeType type = NodeType::Invalid;
  std::vector<std::uint64_t> ctrl_deps;
  std::vector<std::uint64_t> data_deps;
  std::uint64_t start_time_micros = 0;
  std::uint64_t duration_micros = 0;
  IoInfo inputs;
  IoInfo outputs;
  Attributes attributes;

  /// The attribute `wanted` as a whole number that is not negative. Nothing when there is none.
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view wanted) const;

  friend bool operator==(const Node& a, const Node& b);
};

struct Trace {
  std::string version;
  Attributes attributes;
  std::vector<Node> nodes;
};

/// The trace as text: one line for the metadata and one for each node. Equal traces give equal
/// bytes.
std::string textOf(const Trace& trace);

/// Reads a trace. `file` is its name in messages. Throws ConfigError, which names file, line and
/// field, for whatever is no such trace, and for two nodes of one id.
Trace readTrace(std::string_view text, const std::string& file);

}  // namespace ipusim::interop::chakra
