// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/config/preset_chain.h"
#include "base/config/preset_folder.h"
#include "base/text/message.h"
#include "models/ipu/machine/machine_reader.h"
#include "models/ipu/machine/system_links.h"
#include "models/ipu/machine/system_reader.h"

namespace ipusim {

namespace {

constexpr std::uint64_t kMaxIpus = 1024;
constexpr std::uint64_t kMaxLinks = 64;
constexpr std::uint64_t kMaxContexts = 1024;
constexpr std::uint64_t kMaxPacketBytes = 1024;
constexpr std::uint64_t kMaxLinkBandwidth = 1'000'000'000'000'000;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 50U;
constexpr std::uint64_t kMaxLinkCycles = 1'000'000'000;
constexpr const char* kEdge = "edges such as \"0-1 x6\" or, for one direction, \"0>1 x6\"";

const PresetFolder& systemPresets() {
  static const PresetFolder kFolder("configs/systems");
  return kFolder;
}

std::uint32_t narrow(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

/// What a preset says, before the links follow from it.
struct Description {
  System system;
  SystemShape shape;
  StreamingMemory streaming;
  std::string layout;
  /// The last layer that lists edges.
  std::optional<ConfigReader> edges;
};

/// A key whose value is a whole number: its range, and the field that it sets.
struct Field {
  const char* key;
  std::uint64_t low;
  std::uint64_t high;
  std::function<void(Description&, std::uint64_t)> set;
};

std::vector<Field> linkFields() {
  using D = Description;
  using U = std::uint64_t;
  return {
      {"ipus", 1, kMaxIpus, [](D& d, U v) { d.shape.ipus = narrow(v); }},
      {"rack_ipus", 1, kMaxIpus, [](D& d, U v) { d.shape.rack_ipus = narrow(v); }},
      {"rung_own_links", 0, kMaxLinks, [](D& d, U v) { d.shape.rung_own_links = narrow(v); }},
      {"rung_through_links", 0, kMaxLinks,
       [](D& d, U v) { d.shape.rung_through_links = narrow(v); }},
      {"rail_links", 0, kMaxLinks, [](D& d, U v) { d.shape.rail_links = narrow(v); }},
      {"link_bytes_per_second", 1, kMaxLinkBandwidth,
       [](D& d, U v) { d.shape.link_bytes_per_second = v; }},
      {"gateway_bytes_per_second", 1, kMaxLinkBandwidth,
       [](D& d, U v) { d.shape.gateway_bytes_per_second = v; }},
  };
}

std::vector<Field> otherFields() {
  using D = Description;
  using U = std::uint64_t;
  return {
      {"global_exchange_cycles", 0, kMaxLinkCycles,
       [](D& d, U v) { d.system.timing.fixed = Cycles(v); }},
      {"exchange_contexts", 1, kMaxContexts,
       [](D& d, U v) { d.system.timing.contexts = narrow(v); }},
      {"packet_payload_bytes", 1, kMaxPacketBytes,
       [](D& d, U v) { d.system.timing.packet_payload = Bytes(v); }},
      {"packet_header_bytes", 0, kMaxPacketBytes,
       [](D& d, U v) { d.system.timing.packet_header = Bytes(v); }},
      {"streaming_ipus", 0, kMaxIpus, [](D& d, U v) { d.streaming.ipus = narrow(v); }},
      {"streaming_bytes", 0, kMaxBytes, [](D& d, U v) { d.streaming.bytes = v; }},
      {"streaming_bytes_per_second", 1, kMaxLinkBandwidth,
       [](D& d, U v) { d.streaming.bytes_per_second = v; }},
      {"streaming_ipu_bytes_per_second", 1, kMaxLinkBandwidth,
       [](D& d, U v) { d.streaming.ipu_bytes_per_second = v; }},
  };
}

std::vector<Field> allFields() {
  std::vector<Field> fields = linkFields();
  for (Field& field : otherFields()) fields.push_back(std::move(field));
  return fields;
}

struct RealField {
  const char* key;
  double low;
  double high;
  double LinkTiming::*member;
};

const std::vector<RealField>& realFields() {
  static const std::vector<RealField> kFields = {
      {"link_efficiency", 1e-6, 1, &LinkTiming::efficiency},
      {"sync_hop_seconds", 0, 1, &LinkTiming::hop_seconds},
  };
  return kFields;
}

/// Reads "0-1 x6": six links each way between IPUs 0 and 1.
class EdgeScanner {
 public:
  explicit EdgeScanner(std::string_view text) : text_(text) {}

  /// Nothing where the text is no edge among so many IPUs.
  [[nodiscard]] std::vector<LinkSet> read(std::uint32_t ipus, std::uint64_t bytes_per_second) {
    LinkSet set{};
    set.bytes_per_second = bytes_per_second;
    if (!number(set.from) || text_.empty()) return {};
    const char way = text_.front();
    text_.remove_prefix(1);
    if ((way != '-' && way != '>') || !number(set.to) || !accept(" x") || !number(set.links) ||
        !text_.empty()) {
      return {};
    }
    if (set.from >= ipus || set.to >= ipus || set.from == set.to || set.links == 0 ||
        set.links > kMaxLinks) {
      return {};
    }
    LinkSet back = set;
    std::swap(back.from, back.to);
    return way == '-' ? std::vector<LinkSet>{set, back} : std::vector<LinkSet>{set};
  }

 private:
  bool number(std::uint32_t& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }
  bool accept(std::string_view wanted) {
    if (text_.substr(0, wanted.size()) != wanted) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }

  std::string_view text_;
};

/// The links that a layer lists, among the IPUs that there are after all layers.
std::vector<LinkSet> readEdges(const ConfigReader& config, const SystemShape& shape) {
  std::vector<LinkSet> links;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  for (const std::string& text : config.texts("edges", {})) {
    const auto wrong = [&](const std::string& wanted) {
      return ConfigError(
          fmt::format("{}: wanted {}, found {}", config.place("edges"), wanted, inQuotes(text)));
    };
    const std::vector<LinkSet> edge =
        EdgeScanner(text).read(shape.ipus, shape.link_bytes_per_second);
    if (edge.empty()) {
      throw wrong(
          fmt::format("{}, between IPUs 0 to {}, at most x{}", kEdge, shape.ipus - 1, kMaxLinks));
    }
    for (const LinkSet& set : edge) {
      if (!known.emplace(set.from, set.to).second) throw wrong("each direction once");
      links.push_back(set);
    }
  }
  if (links.empty()) throw config.error("edges", "at least one edge");
  return links;
}

void readLayer(const PresetLayer& layer, Description& description) {
  const ConfigReader& config = layer.config();
  System& system = description.system;
  if (const auto name = layer.name()) system.name = *name;
  if (config.has("ipu")) system.ipu = readMachine(config, "ipu");
  for (const Field& field : allFields()) {
    if (!layer.has(field.key)) continue;
    const ConfigPlace number = layer.numberAt(field.key, kSourcedNumber);
    field.set(description, number.table.whole(number.key, field.low, field.high));
  }
  for (const RealField& field : realFields()) {
    if (!layer.has(field.key)) continue;
    const ConfigPlace number = layer.numberAt(field.key, kSourcedNumber);
    system.timing.*field.member = number.table.real(number.key, field.low, field.high);
  }
  if (config.has("layout")) {
    description.layout = config.choice("layout", {"ladder", "torus", "edges"});
  }
  if (config.has("edges")) {
    static_cast<void>(config.texts("edges", {}));
    description.edges = config;
  }
  layer.expectAllRead();
}

/// Throws unless the layer, which has no base, has every key.
void expectCompleteSystem(const PresetLayer& layer) {
  const ConfigReader& config = layer.config();
  if (!config.has("ipu")) throw config.error("ipu", "a preset of configs/machines");
  if (!config.has("layout")) throw config.error("layout", "ladder, torus or edges");
  for (const Field& field : allFields()) {
    if (!layer.has(field.key)) throw config.error(field.key, kSourcedNumber);
  }
  for (const RealField& field : realFields()) {
    if (!layer.has(field.key)) throw config.error(field.key, kSourcedNumber);
  }
}

void expectWholeRacks(const PresetLayer& layer, const SystemShape& shape) {
  if (shape.ipus == 1) return;
  if (shape.rack_ipus % 2 != 0) {
    throw layer.config().error("rack_ipus", "an even number: IPUs are linked in pairs");
  }
  if (shape.ipus % 2 != 0) {
    throw layer.config().error("ipus", "1 or an even number: IPUs are linked in pairs");
  }
  if (shape.ipus > shape.rack_ipus && shape.ipus % shape.rack_ipus != 0) {
    throw layer.config().error("ipus", fmt::format("a multiple of rack_ipus, {}", shape.rack_ipus));
  }
}

/// Adds the way to the memory, which is that to other IPUs.
StreamingMemory withWay(StreamingMemory memory, const LinkTiming& timing) {
  memory.contexts = timing.contexts;
  memory.packet_payload = timing.packet_payload;
  memory.packet_header = timing.packet_header;
  memory.sync_hop_seconds = timing.hop_seconds;
  return memory;
}

/// Throws unless a rate of the streaming memory is large enough for the engines, which count whole
/// bytes in 2^20 cycles: one byte for each of so many IPUs.
void expectCountable(const PresetChain& chain, const char* key, std::uint64_t bytes_per_second,
                     const System& system, std::uint32_t ipus) {
  constexpr double kCycles = 1U << 20U;
  const auto slowest = static_cast<std::uint64_t>(std::ceil(ipus * system.ipu.clock_hz / kCycles));
  if (bytes_per_second >= slowest) return;
  const auto& layers = chain.layers();
  const auto says = std::find_if(layers.rbegin(), layers.rend(),
                                 [key](const PresetLayer& layer) { return layer.has(key); });
  const ConfigPlace number = says->numberAt(key, kSourcedNumber);
  const std::string each = ipus > 1 ? fmt::format(" for each of {} IPUs", ipus) : "";
  throw number.table.error(number.key,
                           fmt::format("at least {}: a byte in 2^20 cycles{}", slowest, each));
}

void expectCountableRates(const PresetChain& chain, const System& system) {
  const StreamingMemory& memory = system.ipu.streaming;
  if (memory.ipus == 0) return;
  expectCountable(chain, "streaming_bytes_per_second", memory.bytes_per_second, system,
                  memory.ipus);
  expectCountable(chain, "streaming_ipu_bytes_per_second", memory.ipu_bytes_per_second, system, 1);
}

System systemOf(const PresetChain& chain) {
  expectCompleteSystem(chain.layers().front());
  Description description{};
  for (const PresetLayer& layer : chain.layers()) readLayer(layer, description);
  System& system = description.system;
  SystemShape& shape = description.shape;
  system.ipus = shape.ipus;
  system.rack_ipus = shape.rack_ipus;
  system.ipu.streaming = withWay(description.streaming, system.timing);
  expectCountableRates(chain, system);
  system.route = description.layout == "edges" ? RouteRule::Shortest : RouteRule::Ladder;
  const PresetLayer& last = chain.layers().back();
  if (system.route == RouteRule::Shortest) {
    if (!description.edges) throw last.config().error("edges", kEdge);
    system.links = readEdges(*description.edges, shape);
    return system;
  }
  if (last.has("edges")) throw last.config().error("layout", "edges, for there are edges");
  expectWholeRacks(last, shape);
  shape.is_closed = description.layout == "torus";
  system.links = ladderLinks(shape);
  return system;
}

}  // namespace

Architecture System::allTiles() const {
  Architecture all = ipu;
  all.tiles = tiles();
  return all;
}

System readSystem(const std::string& name_or_path) {
  return systemOf(PresetChain(systemPresets(), systemPresets().read(name_or_path, "system")));
}

System readSystemPreset(const ConfigReader& config, std::string_view key) {
  return systemOf(PresetChain(systemPresets(), config, key));
}

Machine readIpuOf(const std::string& system) {
  return readSystem(system).ipu;
}

std::vector<std::string> systemNames() {
  return systemPresets().names();
}

}  // namespace ipusim
