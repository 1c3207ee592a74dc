// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/sources/trace/graph_reader.h"

namespace ipusim::workloads {

namespace {

constexpr const char* kRegion =
    "a region: [variable, begin, count, stride, ...], the outermost loop first";

}  // namespace

TileList TraceParts::tiles(const JsonValue& value) const {
  if (!value.isText()) {
    TileList one;
    one.add(static_cast<std::uint32_t>(value.whole(0, limits.tiles - 1)));
    return one;
  }
  if (auto list = TileList::parse(value.text(), limits.tiles)) return *std::move(list);
  throw value.error(fmt::format("tiles below {}, as \"0-1471\" or \"0-1470/2,3\"", limits.tiles));
}

Section RegionReader::section(const JsonValue& value) const {
  if (value.isArray()) return loops(value);
  const VariableId variable = parts_.variables.at(value);
  return whole(variable, value);
}

Section RegionReader::whole(VariableId variable, const JsonValue& value) const {
  const std::uint64_t elements = parts_.trace.graph.variable(variable).elements;
  if (elements == 0) throw value.error("a variable that has elements");
  return contiguous(variable, 0, elements);
}

Section RegionReader::loops(const JsonValue& value) const {
  const std::size_t size = value.size();
  if (size == 0) throw value.error(kRegion);
  if (size > 2 + 2 * parts_.limits.nesting) {
    throw value.error(fmt::format("at most {} loops", parts_.limits.nesting));
  }
  Section section;
  std::size_t place = 0;
  Level<VariableElements> level{};
  value.forEach([&](const JsonValue& item) {
    if (place == 0) {
      section.variable = parts_.variables.at(item);
    } else if (place == 1) {
      section.walk.begin = VariableElements(item.whole(0, parts_.limits.number));
    } else if (place % 2 == 0) {
      level = {item.whole(1, parts_.limits.number), VariableElements(1)};
    } else {
      level.stride = VariableElements(item.whole(0, parts_.limits.number));
    }
    const bool level_ends = place > 1 && (place % 2 == 1 || place + 1 == size);
    if (level_ends) section.walk.levels.push_back(level);
    ++place;
  });
  return size == 1 ? whole(section.variable, value) : section;
}

View RegionReader::view(const JsonValue& value) const {
  const bool many = value.isArray() && value.size() > 0 && value.at(0).isArray();
  if (!many) return {section(value)};
  View view;
  value.forEach([&](const JsonValue& item) { view.push_back(section(item)); });
  return view;
}

void RegionReader::expectInside(const Section& section, std::uint64_t times, std::int64_t step,
                                const JsonValue& value, std::uint64_t further) const {
  const Variable& variable = parts_.trace.graph.variable(section.variable);
  const std::uint64_t reach =
      checkedProduct(times - 1, static_cast<std::uint64_t>(step < 0 ? -step : step));
  const std::uint64_t end = checkedSum(section.end(), further);
  const bool is_inside = step < 0 ? section.begin() >= reach && end <= variable.elements
                                  : checkedSum(end, reach) <= variable.elements;
  if (is_inside) return;
  throw value.error(fmt::format("a region in the {} elements of variable {}", variable.elements,
                                oneLine(variable.name)));
}

}  // namespace ipusim::workloads
