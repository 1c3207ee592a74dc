// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "workloads/sources/tile_list.h"
#include "workloads/sources/trace/graph_writer.h"

namespace ipusim::workloads {

namespace {

/// A family, and the number of its type.
struct Item {
  const VertexFamily* family;
  std::size_t type;
};

/// Consecutive families of a compute set on one tile.
struct FamilyBlock {
  const Item* items;
  std::size_t count;

  [[nodiscard]] TileId tile() const { return items->family->tile; }
};

/// How far `to` is after `from` in all their regions. None if the two differ otherwise.
std::optional<std::int64_t> distance(const Connection& from, const Connection& to) {
  if (from.step != to.step || from.view.size() != to.view.size()) return std::nullopt;
  std::optional<std::int64_t> moved;
  for (std::size_t s = 0; s < from.view.size(); ++s) {
    const Section& a = from.view[s];
    const Section& b = to.view[s];
    if (a.variable != b.variable || !(a.walk.levels == b.walk.levels)) return std::nullopt;
    const auto by = static_cast<std::int64_t>(b.begin()) - static_cast<std::int64_t>(a.begin());
    if (moved && *moved != by) return std::nullopt;
    moved = by;
  }
  return moved.value_or(0);
}

/// A list of families on one tile after another. Each tile's families are those of the tile before,
/// with their data as far on as from the first tile to the second.
class FamilyRun {
 public:
  explicit FamilyRun(const FamilyBlock& first) : first_(first), last_(first) {
    tiles_.add(first.tile().tile());
  }

  /// Adds a block. Returns false if it does not go on as the run does.
  bool add(const FamilyBlock& next) {
    if (next.count != first_.count) return false;
    std::vector<std::int64_t> moved;
    for (std::size_t i = 0; i < next.count; ++i) {
      if (!addMoves(last_.items[i], next.items[i], moved)) return false;
    }
    if (tiles_.size() > 1 && moved != moved_) return false;
    moved_ = std::move(moved);
    last_ = next;
    tiles_.add(next.tile().tile());
    return true;
  }

  void write(JsonText& json) const {
    json.open('{').key("vertices").open('[');
    auto moved = moved_.begin();
    for (std::size_t i = 0; i < first_.count; ++i) {
      const VertexFamily& family = *first_.items[i].family;
      json.open('{').textAt("type", TypeWriter::nameOf(first_.items[i].type));
      if (family.count != 1) json.numberAt("count", family.count);
      if (family.round_robin) json.key("takes_turns").flag(true);
      if (family.apart) json.key("apart").flag(true);
      json.key("data").open('[');
      for (const Connection& data : family.fields) {
        writeData(data, moved == moved_.end() ? 0 : *moved++, json);
      }
      json.close(']').close('}');
    }
    json.close(']').textAt("tiles", tiles_.text()).close('}').endLine();
  }

 private:
  static bool addMoves(const Item& a, const Item& b, std::vector<std::int64_t>& moved) {
    const bool alike = a.type == b.type && a.family->count == b.family->count &&
                       a.family->round_robin == b.family->round_robin &&
                       a.family->apart == b.family->apart;
    if (!alike) return false;
    for (std::size_t f = 0; f < a.family->fields.size(); ++f) {
      const auto by = distance(a.family->fields[f], b.family->fields[f]);
      if (!by) return false;
      moved.push_back(*by);
    }
    return true;
  }

  static void writeView(const View& view, JsonText& json) {
    if (view.size() == 1) return writeSection(view.front(), json);
    json.open('[');
    for (const Section& section : view) writeSection(section, json);
    json.close(']');
  }

  static void writeData(const Connection& data, std::int64_t next_tile, JsonText& json) {
    if (data.step == 0 && next_tile == 0) return writeView(data.view, json);
    json.open('{').key("at");
    writeView(data.view, json);
    if (data.step != 0) json.numberAt("step", data.step);
    if (next_tile != 0) json.numberAt("next_tile", next_tile);
    json.close('}');
  }

  FamilyBlock first_;
  FamilyBlock last_;
  std::vector<std::int64_t> moved_;  ///< one entry per field of all families of a block
  TileList tiles_;
};

}  // namespace

void writeSection(const Section& section, JsonText& json) {
  json.open('[').number(indexOf(section.variable)).number(section.begin());
  const auto& levels = section.walk.levels;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    json.number(levels[l].count);
    const bool is_run = l + 1 == levels.size() && levels[l].stride == VariableElements(1);
    if (!is_run) json.number(levels[l].stride.value());
  }
  json.close(']');
}

void writeComputeSet(const ComputeSet& set, TypeWriter& types, JsonText& json) {
  std::vector<Item> items;
  items.reserve(set.families.size());
  for (const VertexFamily& family : set.families) {
    if (family.tile.ipu() != 0) {
      throw ConfigError(fmt::format("compute set {}: wanted tiles of the first IPU for a trace",
                                    oneLine(set.name)));
    }
    items.push_back({&family, types.numberOf(family.type)});
  }
  json.open('{').textAt("compute_set", set.name).close('}').endLine();
  std::optional<FamilyRun> run;
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin + 1;
    while (end < items.size() && items[end].family->tile == items[begin].family->tile) ++end;
    const FamilyBlock block{&items[begin], end - begin};
    if (!run || !run->add(block)) {
      if (run) run->write(json);
      run.emplace(block);
    }
    begin = end;
  }
  if (run) run->write(json);
}

}  // namespace ipusim::workloads
