// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "sim/report/text/quantity.h"
#include "sim/report/text/shares.h"
#include "sim/report/text/text_layout.h"
#include "sim/report/text/text_table.h"

namespace ipusim::report {

namespace {

constexpr int kMemoryTableBarWidth = 24;
constexpr std::size_t kLongestStep = 36;
constexpr std::size_t kVariableColumns = 2 + 11 + 12 + 3;  // all but name, shape and life
constexpr std::size_t kShapeColumn = 24;
constexpr std::size_t kWideEnoughForShapes = 100;

double shareOf(Bytes part, Bytes whole) {
  if (whole == Bytes(0)) return 0;
  return static_cast<double>(part.value()) / static_cast<double>(whole.value());
}

/// Such as "Tile 17", or "Tile 17 of IPU 3".
std::string tileText(std::uint32_t tile, const run::RunResult& result) {
  if (!result.system) return fmt::format("Tile {}", tile);
  const std::uint32_t tiles = result.system->tiles_per_ipu;
  return fmt::format("Tile {} of IPU {}", tile % tiles, tile / tiles);
}

/// Such as "2048x2048 half".
std::string shapeOf(const VariableResult& variable) {
  return fmt::format("{} {}", shapeText(variable.shape), nameOf(variable.type));
}

/// Such as "x (2048x2048 half)", or "a copy of x (2048x2048 half)" for a message buffer.
std::string largestText(const OutOfMemory& oom, const run::RunResult& result) {
  std::string category = words(keyOf(oom.category));
  if (oom.variable.empty()) return category;
  std::string name = shortened(shownName(oom.variable), kLongestStep);
  const auto found =
      std::find_if(result.variables.begin(), result.variables.end(),
                   [&](const VariableResult& variable) { return variable.name == oom.variable; });
  if (found != result.variables.end()) name += fmt::format(" ({})", shapeOf(*found));
  if (oom.category == MemoryCategory::MessageBuffers) return "a copy of " + name;
  return name;
}

/// What no variable is, where it takes more than the largest variable there: code, stacks, tables.
std::string largestBesides(const OutOfMemory& oom, const run::RunResult& result) {
  constexpr std::array kOfVariables{MemoryCategory::Variables, MemoryCategory::Constants,
                                    MemoryCategory::MessageBuffers};
  const auto& bytes = result.tiles.at(oom.tile).bytes;
  std::size_t most = kCategories;
  for (std::size_t c = 0; c < kCategories; ++c) {
    const bool is_variable = std::find(kOfVariables.begin(), kOfVariables.end(),
                                       static_cast<MemoryCategory>(c)) != kOfVariables.end();
    if (!is_variable && (most == kCategories || bytes[c] > bytes[most])) most = c;
  }
  if (most == kCategories || bytes[most] <= oom.largest) return "";
  return fmt::format("          More than any variable: {}, {}.\n",
                     words(keyOf(static_cast<MemoryCategory>(most))), bytesText(bytes[most]));
}

std::string oomText(const OutOfMemory& oom, const run::RunResult& result) {
  const MachineResult& machine = result.machine;
  const bool code = isCode(oom.category);
  const std::string limit =
      code ? fmt::format("the {} that may hold code", bytesText(machine.code_region))
           : fmt::format("its {}", bytesText(machine.sram_per_tile));
  std::string text = fmt::format(
      "MEMORY    {} is {} over {} at step {}.\n"
      "          The largest {} there: {}, {}.\n",
      tileText(oom.tile, result), bytesText(oom.bytes_over), limit,
      shortened(shownName(oom.step), kLongestStep), code ? "code" : "variable",
      largestText(oom, result), bytesText(oom.largest));
  if (!code) text += largestBesides(oom, result);
  if (!code && result.tiles.at(oom.tile).total() <= machine.sram_per_tile) {
    text += "          Its bytes alone would fit: the gaps between their addresses are too much.\n";
  }
  return text;
}

std::string fitText(const run::RunResult& result, std::uint32_t tile) {
  const Bytes capacity = result.machine.sram_per_tile;
  const Bytes used = result.tiles.at(tile).including_gaps;
  const Bytes left = excess(capacity, used);
  return wrapped("MEMORY", {fmt::format("{} is the fullest: {} of {}", tileText(tile, result),
                                        bytesText(used), bytesText(capacity)),
                            "gaps between addresses included",
                            fmt::format("{} ({}) left.", bytesText(left),
                                        percentText(shareOf(left, capacity)))});
}

/// A row: bytes on the tile, bytes on all tiles, and the share of `full` that the tile's are.
std::vector<std::string> memoryCells(const std::string& name, Bytes tile, Bytes all, Bytes full) {
  return {name, bytesText(tile), bytesText(all),
          "   " + bar(shareOf(tile, full), kMemoryTableBarWidth)};
}

/// The categories of one tile, the largest first, beside those of all tiles.
void addCategories(const run::RunResult& result, const TileResult& tile, TextTable& table) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < kCategories; ++c) {
    if (result.memory.by_category[c] > Bytes(0)) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tile.bytes[a] > tile.bytes[b]; });
  for (const std::size_t c : order) {
    table.add(memoryCells(words(keyOf(static_cast<MemoryCategory>(c))), tile.bytes[c],
                          result.memory.by_category[c], result.machine.sram_per_tile));
  }
}

/// The steps between which a variable has a place, or "always".
std::string lifeOf(const VariableResult& variable, const run::RunResult& result,
                   std::size_t width) {
  if (variable.always_live) return "always";
  if (result.positions.empty()) return "";  // a program without steps
  const auto step = [&](std::uint32_t position) {
    return shownName(result.steps.at(result.positions.at(position)).name);
  };
  const std::string first = step(variable.first_position);
  const std::string last = step(variable.last_position);
  if (first == last) return shortened(first, width);
  constexpr std::string_view kTo = " to ";
  const std::size_t each = (width - kTo.size()) / 2;
  return shortened(first, each) + std::string(kTo) + shortened(last, each);
}

std::string variableRows(const run::RunResult& result, std::uint32_t tile,
                         const TableOptions& options) {
  const std::vector<Share> shares = sharesOf(result, tile);
  if (shares.empty()) return "";
  const std::size_t shown = options.all ? shares.size() : std::min(shares.size(), kLargestShares);
  const std::size_t shapes = options.width < kWideEnoughForShapes ? 0 : kShapeColumn;
  const std::size_t texts = options.width - kVariableColumns - shapes;
  const std::size_t name_width = texts / 2;
  const std::string which = shown < shares.size() ? fmt::format("the {} largest of ", shown) : "";
  TextTable table({{name_width + shapes, Align::Left}, {11}, {12}, {0, Align::Left}});
  table.add({which + countOf(shares.size(), "variable"), "", "", "   lives at steps"});
  for (std::size_t s = 0; s < shown; ++s) {
    const VariableResult& variable = *shares[s].variable;
    const std::string shape = shapes == 0 ? "" : shortened(shapeOf(variable), shapes - 1);
    table.add({fmt::format("{:<{}}{}", shortened(shownName(variable.name), name_width - 1),
                           name_width, shape),
               bytesText(shares[s].on_tile), bytesText(bytesOnAll(variable)),
               "   " + lifeOf(variable, result, texts - name_width)});
  }
  return table.text();
}

}  // namespace

std::string memoryText(const run::RunResult& result, const TableOptions& options) {
  const std::uint32_t index = decidingTile(result);
  const TileResult& tile = result.tiles.at(index);
  const MemoryResult& memory = result.memory;
  const MachineResult& machine = result.machine;
  std::string text = result.oom ? oomText(*result.oom, result) : fitText(result, index);
  const std::string heading = result.system ? "this tile" : fmt::format("tile {}", index);
  TextTable table({{26, Align::Left}, {10}, {12}, {0, Align::Left}});
  table.add({"", heading, "all tiles"});
  addCategories(result, tile, table);
  table.add(memoryCells("total", tile.total(), memory.total, machine.sram_per_tile));
  table.add(memoryCells("total, gaps included", tile.including_gaps, memory.total_including_gaps,
                        machine.sram_per_tile));
  table.add(
      memoryCells("capacity", machine.sram_per_tile, machine.totalSram(), machine.sram_per_tile));
  text += table.text();
  return text + variableRows(result, index, options) + '\n';
}

}  // namespace ipusim::report
