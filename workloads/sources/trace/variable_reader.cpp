// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "models/ipu/machine/element_words.h"
#include "workloads/sources/trace/graph_reader.h"
#include "workloads/sources/trace/linear_mapping.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

/// The numbers of a type of integers. A double holds each of them.
struct WholeNumbers {
  double least;
  double most;
};

template <typename Integer>
WholeNumbers numbersOf() {
  using Limits = std::numeric_limits<Integer>;
  return {static_cast<double>(Limits::min()), static_cast<double>(Limits::max())};
}

/// None of a type that has other numbers, and of bools: any number but 0 is true.
std::optional<WholeNumbers> wholeNumbersOf(ElementType type) {
  switch (type) {
    case ElementType::Int32:
      return numbersOf<std::int32_t>();
    case ElementType::UInt32:
      return numbersOf<std::uint32_t>();
    case ElementType::UInt16:
      return numbersOf<std::uint16_t>();
    case ElementType::Half:
    case ElementType::Float:
    case ElementType::Bool:
    case ElementType::Quarter:
      break;
  }
  return std::nullopt;
}

class VariableLine {
 public:
  VariableLine(const JsonRecord& line, TraceParts& parts) : line_(line), parts_(parts) {}

  void read() {
    const std::string name(line_.at("variable").text());
    const auto type = line_.find("type");
    type_ = type ? type->word(kElementWords) : ElementType::Float;
    elements_ = line_.at("elements").whole(0, parts_.limits.number);
    static_cast<void>(sizeOf(type_) * elements_);
    addTo(parts_.trace.graph, name);
    parts_.variables.add(name);
    if (const auto below = line_.find("below")) {
      parts_.trace.below[id_] = below->whole(1, parts_.limits.number);
    }
    readTiles();
  }

 private:
  void addTo(Graph& graph, const std::string& name) {
    id_ = static_cast<VariableId>(graph.variables().size());
    const Shape shape{elements_};
    if (const auto value = line_.find("value")) {
      graph.addConstant(type_, shape, elementOf(*value), name);
    } else if (const auto values = line_.find("values")) {
      graph.addConstant(type_, shape, valuesOf(*values), name);
    } else if (const auto linear = line_.find("linear")) {
      graph.addConstant(type_, shape, linearValues(*linear), name);
    } else {
      const auto lifetime = line_.find("lifetime");
      graph.addVariable(type_, shape, name,
                        lifetime ? lifetime->word(kLifetimeWords) : Lifetime::Temporary);
    }
  }

  [[nodiscard]] double elementOf(const JsonValue& value) const {
    const double number = value.real();
    expectElement(number, value);
    return number;
  }

  /// Throws where the type has no such number.
  void expectElement(double number, const JsonValue& value) const {
    const std::optional<WholeNumbers> numbers = wholeNumbersOf(type_);
    if (!numbers) return;
    if (std::trunc(number) == number && number >= numbers->least && number <= numbers->most) return;
    throw value.error(fmt::format("a whole number in [{:.0f}, {:.0f}], as the type {} has",
                                  numbers->least, numbers->most, nameOf(type_)));
  }

  std::vector<double> valuesOf(const JsonValue& array) {
    if (array.size() != elements_) {
      throw array.error(fmt::format("a value for each of {} elements", elements_));
    }
    parts_.keep(elements_, array);
    std::vector<double> values;
    values.reserve(elements_);
    array.forEach([&](const JsonValue& value) { values.push_back(elementOf(value)); });
    return values;
  }

  /// All values lie between the first and the last.
  ConstantValues linearValues(const JsonValue& array) const {
    if (array.size() != 2) throw array.error("the first value and the step");
    const double first = array.at(0).real();
    const double step = array.at(1).real();
    if (elements_ > 0) {
      expectElement(first, array);
      expectElement(first + step * static_cast<double>(elements_ - 1), array);
    }
    if (elements_ > 1) expectElement(first + step, array);
    return [first, step](std::uint64_t e) { return first + step * static_cast<double>(e); };
  }

  void readTiles() {
    if (const auto map = line_.find("map")) {
      readMap(*map);
    } else {
      spread(line_.at("tiles"));
    }
  }

  /// Reads [tiles, elements] pairs, in the order of the elements.
  void readMap(const JsonValue& map) {
    std::uint64_t next = 0;
    map.forEach([&](const JsonValue& pair) {
      if (!pair.isArray() || pair.size() != 2) throw pair.error("[tiles, elements of each]");
      const TileList tiles = parts_.tiles(pair.at(0));
      const std::uint64_t each = pair.at(1).whole(1, parts_.limits.number);
      parts_.keep(tiles.size(), pair);
      if (each > elements_ || tiles.size() > (elements_ - next) / each) {
        throw pair.error(fmt::format("at most the {} elements of the variable", elements_));
      }
      tiles.forEach([&](std::uint32_t tile) {
        put(next, next + each, tile);
        next += each;
      });
    });
    if (next != elements_) {
      throw map.error(fmt::format("tiles for {} elements (it has them for {})", elements_, next));
    }
  }

  /// Spreads the elements in whole grains, as Graph::mapLinearly does.
  void spread(const JsonValue& value) {
    const TileList tiles = parts_.tiles(value);
    const auto asked = line_.find("grain");
    const std::uint64_t grain = asked ? asked->whole(1, parts_.limits.number) : libraryGrain(type_);
    const std::uint64_t used = tilesUsed(elements_, grain, tiles.size());
    parts_.keep(tiles.size(), value);
    std::uint64_t part = 0;
    std::uint64_t begin = 0;
    tiles.forEach([&](std::uint32_t tile) {
      if (part >= used) return;
      const std::uint64_t end = endOfPart(elements_, grain, part++, used);
      put(begin, end, tile);
      begin = end;
    });
  }

  void put(std::uint64_t begin, std::uint64_t end, std::uint32_t tile) {
    parts_.trace.graph.setTileMapping(contiguous(id_, begin, end - begin), TileId(tile));
  }

  const JsonRecord& line_;
  TraceParts& parts_;
  ElementType type_ = ElementType::Float;
  std::uint64_t elements_ = 0;
  VariableId id_{};
};

}  // namespace

void readVariable(const JsonRecord& line, TraceParts& parts) {
  const JsonValue name = line.at("variable");
  if (parts.variables.count() >= parts.limits.variables) {
    throw name.error(fmt::format("at most {} variables", parts.limits.variables));
  }
  parts.keep(1, name);
  VariableLine(line, parts).read();
}

}  // namespace ipusim::workloads
