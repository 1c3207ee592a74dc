// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/text/message.h"
#include "sim/report/text/activity.h"
#include "sim/report/text/costs.h"
#include "sim/report/text/quantity.h"

namespace ipusim::report {

namespace {

/// Empty for a result without energy.
template <typename Joules>
std::string joulesCell(const run::RunResult& result, const Joules& joules_in) {
  return result.energy ? fmt::format("{}", rough(joules_in(*result.energy))) : "";
}

std::string tilesHeader() {
  std::string header = "tile";
  for (std::size_t c = 0; c < kCategories; ++c) {
    header += fmt::format(",{}_bytes", keyOf(static_cast<MemoryCategory>(c)));
  }
  return header +
         ",always_live_bytes,peak_not_always_live_bytes,total_bytes,including_gaps_bytes,"
         "over_bytes,compute_cycles,copy_cycles,exchange_cycles,host_cycles,"
         "links_cycles,sync_cycles,idle_cycles,streaming_cycles" +
         activityHeader() + ",joules\n";
}

std::string tileLine(std::size_t index, const TileResult& tile, const std::string& joules) {
  std::array<std::uint64_t, kCategories> bytes{};
  std::transform(tile.bytes.begin(), tile.bytes.end(), bytes.begin(),
                 [](Bytes of_category) { return of_category.value(); });
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{},{}\n", index, fmt::join(bytes, ","),
      tile.always_live.value(), tile.peak_not_always_live.value(), tile.total().value(),
      tile.including_gaps.value(), tile.over.value(), tile.compute.value(), tile.copy.value(),
      tile.exchange.value(), tile.host.value(), tile.links.value(), tile.sync.value(),
      tile.idle.value(), tile.streaming.value(), activityCells(tile.activity), joules);
}

std::string stepLine(std::size_t index, const StepResult& step, const std::string& joules) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:d},{}{},{}\n", index,
                     csvCell(step.name), nameOf(step.kind), step.iterations, step.cycles.value(),
                     step.max_tile, step.mean_cycles, step.vertices, step.exchange.bytes.value(),
                     step.exchange.max_tile_bytes.value(), step.exchange.messages,
                     step.host.value(), step.live.value(), step.start.value(), step.end.value(),
                     step.measured, step.remote.value(), activityCells(step.activity), joules);
}

/// The number of the step at a position.
std::string stepAt(std::uint32_t position, const Result& result) {
  return std::to_string(result.positions.at(position));
}

std::string variableLine(const VariableResult& variable, const Result& result) {
  Bytes total;
  TileRun fullest{};
  for (const TileRun& run : variable.tiles) {
    total += run.tiles * run.bytes;
    if (run.bytes > fullest.bytes) fullest = run;
  }
  const bool timed = !variable.always_live && !result.positions.empty();
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csvCell(variable.name),
                     nameOf(variable.type), variable.elements, shapeText(variable.shape),
                     variable.always_live ? "always" : "temporary",
                     timed ? stepAt(variable.first_position, result) : "",
                     timed ? stepAt(variable.last_position, result) : "", total.value(),
                     fullest.bytes.value(), fullest.first_tile);
}

/// Whether all of the text is a number.
bool isNumber(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  return fault != std::errc::invalid_argument && rest == end;
}

/// Whether a spreadsheet would take the cell for a formula, and run it.
bool looksLikeFormula(std::string_view text) {
  constexpr std::string_view kBegins = "=+-@\t\r";
  return !text.empty() && kBegins.find(text.front()) != std::string_view::npos && !isNumber(text);
}

/// The text with control characters made visible; line ends stay.
std::string visibleLines(std::string_view text) {
  std::string visible;
  for (;;) {
    const std::size_t end = text.find('\n');
    visible += oneLine(text.substr(0, end), std::string_view::npos);
    if (end == std::string_view::npos) return visible;
    visible += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string csvCell(std::string_view text) {
  std::string visible = visibleLines(text);
  if (looksLikeFormula(text)) visible.insert(0, 1, '\'');
  if (visible.find_first_of(",\"\n") == std::string::npos) return visible;
  std::string quoted = "\"";
  for (const char c : visible) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string textOfCell(std::string_view cell) {
  const bool is_marked = !cell.empty() && cell.front() == '\'' && looksLikeFormula(cell.substr(1));
  return std::string(is_marked ? cell.substr(1) : cell);
}

std::string csvLine(const std::vector<std::string>& cells) {
  std::vector<std::string> quoted;
  quoted.reserve(cells.size());
  for (const std::string& cell : cells) quoted.push_back(csvCell(cell));
  return fmt::format("{}\n", fmt::join(quoted, ","));
}

std::string stepsCsv(const run::RunResult& result) {
  std::string text =
      "step,name,kind,iterations,cycles,max_tile,mean_cycles,vertices,exchange_bytes,"
      "exchange_max_tile_bytes,exchange_messages,host_bytes,live_bytes,start_cycles,"
      "end_cycles,measured,remote_bytes" +
      activityHeader() + ",joules\n";
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    text += stepLine(i, result.steps[i], joulesCell(result, [i](const run::RunEnergy& energy) {
                       return energy.ofStep(i);
                     }));
  }
  return text;
}

std::string tilesCsv(const run::RunResult& result) {
  std::string text = tilesHeader();
  for (std::size_t i = 0; i < result.tiles.size(); ++i) {
    text += tileLine(i, result.tiles[i], joulesCell(result, [i](const run::RunEnergy& energy) {
                       return energy.by_tile[i];
                     }));
  }
  return text;
}

namespace {

std::string layerLine(const run::LayerResult& layer) {
  std::string line = fmt::format(
      "{},{},{},{},{},{},{},{},{}", csvCell(layer.name), csvCell(layer.kind), layer.parameters,
      layer.forward_flops.value(), layer.forward.value(), layer.backward.value(),
      layer.update.value(), layer.compute.value(), layer.movement.value());
  if (!layer.gpu) return line + ",,\n";
  const auto& tf32 = layer.gpu->tf32_seconds;
  return line + fmt::format(",{},{}\n", layer.gpu->seconds, tf32 ? fmt::format("{}", *tf32) : "");
}

}  // namespace

std::string layersCsv(const run::RunResult& result) {
  std::string text =
      "name,kind,parameters,forward_flops,forward_cycles,backward_cycles,update_cycles,"
      "compute_cycles,movement_cycles,gpu_seconds,gpu_tf32_seconds\n";
  for (const run::LayerResult& layer : result.layers) text += layerLine(layer);
  return text;
}

std::string variablesCsv(const Result& result) {
  std::string text =
      "name,type,elements,shape,lifetime,first_step,last_step,total_bytes,max_tile_bytes,max_"
      "tile\n";
  for (const VariableResult& variable : result.variables) text += variableLine(variable, result);
  return text;
}

std::string livenessCsv(const Result& result) {
  const std::size_t positions = result.positions.size();
  const std::vector<Bytes> total = result.liveness.total(positions);
  const std::vector<Bytes> fullest = result.liveness.bytesOf(result.memory.max_tile, positions);
  std::string text = "position,step,name,live_bytes,max_tile_live_bytes\n";
  for (std::size_t p = 0; p < positions; ++p) {
    const std::uint32_t step = result.positions[p];
    text += fmt::format("{},{},{},{},{}\n", p, step, csvCell(result.steps.at(step).name),
                        total[p].value(), fullest[p].value());
  }
  return text;
}

}  // namespace ipusim::report
