// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/ipu/machine/element_words.h"
#include "workloads/sources/trace/graph_reader.h"

namespace ipusim::workloads {

namespace {

/// How many runs of consecutive elements a view has.
std::uint64_t runsOf(const View& view) {
  std::uint64_t runs = 0;
  for (const Section& section : view) {
    std::uint64_t of_section = 1;
    const auto& levels = section.walk.levels;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const bool is_run = l + 1 == levels.size() && levels[l].stride == VariableElements(1);
      if (!is_run) of_section = checkedProduct(of_section, levels[l].count);
    }
    runs = checkedSum(runs, of_section);
  }
  return runs;
}

}  // namespace

void VertexReader::computeSet(const JsonRecord& line) {
  const JsonValue name = line.at("compute_set");
  parts_.keep(1, name);
  const ComputeSetId id = parts_.trace.graph.addComputeSet(std::string(name.text()));
  parts_.in_order.push_back(execute(id));
  parts_.compute_sets.add(name.text());
}

void VertexReader::vertices(const JsonRecord& line) {
  const JsonValue vertices = line.at("vertices");
  if (parts_.compute_sets.count() == 0) {
    throw vertices.error("a line with a compute_set before it");
  }
  const TileList tiles = parts_.tiles(line.at("tiles"));
  std::vector<Pattern> patterns;
  patterns.reserve(vertices.size());
  vertices.forEach([&](const JsonValue& value) {
    patterns.push_back(pattern(value, tiles));
    countWork(patterns.back(), tiles.size());
  });
  std::uint64_t number = 0;
  tiles.forEach([&](std::uint32_t tile) {
    const TilePosition position{tile, number, number + 1 == tiles.size()};
    for (Pattern& one : patterns) add(one, position);
    ++number;
  });
}

VertexReader::Pattern VertexReader::pattern(const JsonValue& value, const TileList& tiles) {
  constexpr std::uint64_t kMostVertices = ~std::uint32_t{0};
  const JsonRecord record(value);
  Pattern pattern{value, nullptr, 1, false, false, {}, {}};
  const JsonValue type = record.at("type");
  pattern.type = parts_.vertex_types[parts_.types.at(type)];
  const auto count = record.find("count");
  pattern.count = static_cast<std::uint32_t>(count ? count->whole(1, kMostVertices) : 1);
  const auto turns = record.find("takes_turns");
  pattern.round_robin = turns && turns->flag();
  const auto apart = record.find("apart");
  pattern.apart = apart && apart->flag();
  const JsonValue data_of = record.at("data");
  if (data_of.size() != pattern.type->fields.size()) {
    throw data_of.error(fmt::format("data for each of {} fields", pattern.type->fields.size()));
  }
  pattern.data.reserve(data_of.size());
  data_of.forEach([&](const JsonValue& item) { pattern.data.push_back(data(item)); });
  if (const auto cycles = record.find("cycles")) readCycles(*cycles, pattern);
  record.expectAllRead();
  if (!pattern.type->cost && pattern.by_tile.empty()) {
    throw type.error("a vertex with cycles, or cycles beside it");
  }
  expectFits(pattern, tiles.size());
  return pattern;
}

/// Reads the cycles of each vertex: one number, or [tiles, cycles] pairs.
void VertexReader::readCycles(const JsonValue& value, Pattern& pattern) {
  if (!value.isArray()) {
    pattern.type = typeWith(pattern.type, Cycles(value.whole(0, parts_.limits.number)));
    return;
  }
  value.forEach([&](const JsonValue& pair) {
    if (!pair.isArray() || pair.size() != 2) throw pair.error("[tiles, cycles]");
    const TileList tiles = parts_.tiles(pair.at(0));
    parts_.keep(2 * tiles.size(), pair);
    const auto type = typeWith(pattern.type, Cycles(pair.at(1).whole(0, parts_.limits.number)));
    tiles.forEach([&](std::uint32_t tile) { pattern.by_tile[tile] = type; });
  });
}

/// `type` with another cost. Equal costs share one type.
std::shared_ptr<const VertexType> VertexReader::typeWith(
    const std::shared_ptr<const VertexType>& type, Cycles cycles) {
  auto& known = types_with_[{type.get(), cycles.value()}];
  if (known) return known;
  VertexType other = *type;
  other.maker.clear();
  other.params.clear();
  other.cost = [cycles](const Architecture&) { return cycles; };
  return known = shared(std::move(other));
}

VertexReader::Data VertexReader::data(const JsonValue& value) const {
  Data data;
  if (value.isText()) {
    data.share = parts_.variables.at(value);
    return data;
  }
  if (!value.isRecord()) {
    data.view = regions_.view(value);
    return data;
  }
  const JsonRecord record(value);
  data.view = regions_.view(record.at("at"));
  data.step = record.count("step", parts_.limits.number, 0);
  if (const auto next = record.find("next_tile")) {
    data.next_tile = next->signedWhole(parts_.limits.number);
  }
  record.expectAllRead();
  return data;
}

/// Throws unless the data of all vertices are elements of the field's size, inside their variables.
void VertexReader::expectFits(const Pattern& pattern, std::uint64_t tiles) const {
  const JsonValue& value = pattern.value;
  for (std::size_t f = 0; f < pattern.data.size(); ++f) {
    const Data& data = pattern.data[f];
    const Field& field = pattern.type->fields[f];
    const auto expect_size = [&](VariableId id) {
      const Variable& variable = parts_.trace.graph.variable(id);
      if (sizeOf(variable.type) == sizeOf(field.type)) return;
      throw value.error(fmt::format("{} for field {} (variable {} has {})", nameOf(field.type),
                                    oneLine(field.name), oneLine(variable.name),
                                    nameOf(variable.type)));
    };
    if (data.share) expect_size(*data.share);
    for (const Section& section : data.view) {
      expect_size(section.variable);
      const auto to_last = checkedProduct<std::uint64_t>(data.step, pattern.count - 1);
      regions_.expectInside(section, tiles, data.next_tile, value, to_last);
    }
  }
}

/// Counts what the vertices are and write, before there is any.
void VertexReader::countWork(const Pattern& pattern, std::uint64_t tiles) {
  const JsonValue& value = pattern.value;
  std::uint64_t things = 1;
  std::uint64_t runs = 0;
  std::uint64_t edges = 0;
  for (std::size_t f = 0; f < pattern.data.size(); ++f) {
    const Data& data = pattern.data[f];
    things += 1 + data.view.size();
    edges = checkedSum(edges, pattern.type->fields[f].edges());
    if (pattern.type->fields[f].direction == FieldDirection::Input) continue;
    runs = checkedSum(runs, data.share ? 1 : runsOf(data.view));
  }
  parts_.keep(checkedProduct(things, tiles), value);
  const auto vertices = checkedProduct<std::uint64_t>(pattern.count, tiles);
  if (!parts_.budget.write(checkedProduct(runs, vertices))) {
    throw value.error("fewer places that vertices write, for the size of the file");
  }
  vertices_ = checkedSum(vertices_, vertices);
  edges_ = checkedSum(edges_, checkedProduct(edges, vertices));
  if (vertices_ > parts_.limits.vertices) {
    throw value.error(fmt::format("at most {} vertices", parts_.limits.vertices));
  }
  if (edges_ > parts_.limits.edges) {
    throw value.error(fmt::format("at most {} edges", parts_.limits.edges));
  }
}

void VertexReader::add(Pattern& pattern, const TilePosition& position) {
  VertexFamily family{pattern.type, TileId(position.tile), pattern.count,
                      {},           pattern.round_robin,   pattern.apart};
  if (!pattern.by_tile.empty()) {
    const auto here = pattern.by_tile.find(position.tile);
    if (here != pattern.by_tile.end()) family.type = here->second;
    if (!family.type->cost)
      throw pattern.value.error(fmt::format("cycles for tile {}", position.tile));
  }
  family.fields.resize(pattern.data.size());
  for (std::size_t f = 0; f < pattern.data.size(); ++f) {
    Data& data = pattern.data[f];
    if (data.share) {
      family.fields[f] = shareOf(*data.share, position.tile, pattern);
    } else {
      setRegion(data, position, family.fields[f]);
    }
  }
  const auto last = static_cast<ComputeSetId>(parts_.compute_sets.count() - 1);
  parts_.trace.graph.addVertices(last, std::move(family));
}

void VertexReader::setRegion(Data& data, const TilePosition& position, Connection& connection) {
  connection.step = data.step;
  if (position.is_last) {
    connection.view = std::move(data.view);
  } else {
    connection.view = data.view;
  }
  if (data.next_tile == 0) return;
  // Unsigned arithmetic wraps, so that a step back is exact too.
  const std::uint64_t moved = static_cast<std::uint64_t>(data.next_tile) * position.number;
  for (Section& section : connection.view) {
    section.walk.begin = VariableElements(section.begin() + moved);
  }
}

/// The part of the variable that is on the tile, in equal parts for `count` vertices.
Connection VertexReader::shareOf(VariableId variable, std::uint32_t tile, const Pattern& pattern) {
  const std::uint32_t count = pattern.count;
  const JsonValue& value = pattern.value;
  const auto [place, is_new] = shares_.try_emplace(indexOf(variable));
  if (is_new) {
    const Variable& whole = parts_.trace.graph.variable(variable);
    for (const MappedInterval& interval : whole.mapping.intervals()) {
      place->second[interval.tile.tile()].push_back({interval.begin, interval.end});
    }
  }
  const auto here = place->second.find(tile);
  if (here == place->second.end()) {
    throw value.error(fmt::format("elements of variable {} on tile {}",
                                  oneLine(parts_.trace.graph.variable(variable).name), tile));
  }
  const std::vector<Interval>& intervals = here->second;
  const std::uint64_t first = intervals.front().end - intervals.front().begin;
  if (count > 1 && (intervals.size() > 1 || first % count != 0)) {
    const std::string found = intervals.size() > 1
                                  ? fmt::format("{} runs of elements", intervals.size())
                                  : fmt::format("{} elements", first);
    throw value.error(fmt::format("consecutive elements in {} equal parts on tile {}", count, tile),
                      found);
  }
  if (count > 1)
    return {{contiguous(variable, intervals.front().begin, first / count)}, first / count};
  View view;
  for (const Interval& interval : intervals) {
    view.push_back(contiguous(variable, interval.begin, interval.end - interval.begin));
  }
  return {std::move(view)};
}

}  // namespace ipusim::workloads
