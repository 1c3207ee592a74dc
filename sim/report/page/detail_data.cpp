// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/text/json.h"
#include "sim/report/page/page_data.h"
#include "sim/report/page/run_lengths.h"

namespace ipusim::report {

namespace {

Json valuesData(const run::BandValues& values) {
  Json data = Json::array();
  for (const run::BandRun& run : values) {
    data.push_back(run.count);
    data.push_back(run.value);
  }
  return data;
}

Json portData(const run::PortUse& port) {
  return {{"tile", port.tile}, {"cycles", port.cycles.value()}};
}

Json portsData(const run::PortDetail& ports) {
  return {{"transmissions", ports.transmissions},
          {"most_receivers", ports.most_receivers},
          {"send", portData(ports.send)},
          {"receive", portData(ports.receive)}};
}

Json groupData(const run::VertexGroup& group) {
  Json data = {{"type", group.type},
               {"kind", group.kind == VertexKind::Worker ? "worker" : "supervisor"},
               {"vertices", group.vertices},
               {"tiles", group.tiles},
               {"flops", group.flops.value()},
               {"least_cycles", group.least.value()},
               {"most_cycles", group.most.value()}};
  if (group.rows_per_weights > 0) data["rows_per_weights"] = group.rows_per_weights;
  return data;
}

/// [bands, begin, length, ...]; a begin counts from the start of the step.
Json spansData(const run::BandSpans& spans, Cycles start) {
  Json data = Json::array();
  for (const run::BandSpan& span : spans) {
    data.push_back(span.count);
    data.push_back(excess(span.begin, start).value());
    data.push_back(excess(span.end, span.begin).value());
  }
  return data;
}

Json stepData(const run::StepDetail& detail, const StepResult& step) {
  Json data = Json::object();
  if (!detail.vertices.empty()) {
    Json& groups = data["vertices"] = Json::array();
    for (const run::VertexGroup& group : detail.vertices) groups.push_back(groupData(group));
  }
  data["cycles"] = valuesData(detail.cycles);
  if (!detail.received.empty()) {
    data["received_bytes"] = valuesData(detail.received);
    data["sent_bytes"] = valuesData(detail.sent);
  }
  if (detail.ports) data["ports"] = portsData(*detail.ports);
  if (!detail.first_iteration.empty()) {
    data["first_iteration"] = spansData(detail.first_iteration, step.start);
  }
  return data;
}

/// [variable or -1, category, address, bytes, alignment, interleaved, always live, first, last,
/// ...]: pairs of positions follow for all lives.
Json placedData(const run::PlacedBytes& placed) {
  Json data = {
      placed.variable == run::kNoDetailVariable ? -1 : static_cast<std::int64_t>(placed.variable),
      keyOf(placed.category),
      placed.address.value(),
      placed.bytes.value(),
      placed.alignment.value(),
      static_cast<int>(placed.interleaved),
      static_cast<int>(placed.always_live)};
  for (const auto& [first, last] : placed.live) {
    data.push_back(first);
    data.push_back(last);
  }
  return data;
}

Json layoutData(const run::TileLayout& layout) {
  Json blocks = Json::array();
  for (const run::PlacedBytes& placed : layout.blocks) blocks.push_back(placedData(placed));
  return {{"fixed_bytes", layout.fixed.value()}, {"blocks", std::move(blocks)}};
}

/// The largest blocks of a layout without room for all, buffers among them: what a reader looks for
/// on a tile. No address map can be drawn of them.
Json largestBlocksData(const run::TileLayout& layout, std::size_t most) {
  std::vector<const run::PlacedBytes*> order;
  order.reserve(layout.blocks.size());
  for (const run::PlacedBytes& placed : layout.blocks) order.push_back(&placed);
  std::stable_sort(
      order.begin(), order.end(),
      [](const run::PlacedBytes* a, const run::PlacedBytes* b) { return a->bytes > b->bytes; });
  order.resize(std::min(most, order.size()));
  Json blocks = Json::array();
  for (const run::PlacedBytes* placed : order) blocks.push_back(placedData(*placed));
  return {{"fixed_bytes", layout.fixed.value()},
          {"blocks", std::move(blocks)},
          {"left_out", layout.blocks.size() - order.size()}};
}

/// The layouts of the fullest tiles come first where not all have room.
std::vector<Json> layoutsData(const run::RunResult& result, const PageLimits& limits,
                              std::vector<std::string>& left_out) {
  const run::ProgramDetail& detail = *result.detail;
  std::vector<std::uint32_t> tiles(detail.layout_of_tile.size());
  std::iota(tiles.begin(), tiles.end(), std::uint32_t{0});
  std::stable_sort(tiles.begin(), tiles.end(), [&](std::uint32_t a, std::uint32_t b) {
    return result.tiles[a].including_gaps > result.tiles[b].including_gaps;
  });
  std::vector<Json> layouts(detail.layouts.size());
  std::size_t room = limits.placed_bytes;
  std::size_t without = 0;
  for (const std::uint32_t tile : tiles) {
    const std::uint32_t number = detail.layout_of_tile[tile];
    if (!layouts[number].is_null()) continue;
    const run::TileLayout& layout = detail.layouts[number];
    if (layout.blocks.size() > room) {
      ++without;
      layouts[number] = largestBlocksData(layout, limits.largest_blocks);
      continue;
    }
    room -= layout.blocks.size();
    layouts[number] = layoutData(layout);
  }
  if (without > 0)
    left_out.push_back(fmt::format("the address maps of {} less full tiles", without));
  return layouts;
}

Json operationData(const run::OperationDetail& operation) {
  return {{"name", operation.name},
          {"steps", operation.steps},
          {"inputs", operation.inputs},
          {"vertex_code_bytes", operation.vertex_code.value()},
          {"vertex_data_bytes", operation.vertex_data.value()},
          {"exchange_code_bytes", operation.exchange_code.value()},
          {"flops", operation.flops.value()}};
}

}  // namespace

Json detailData(const run::RunResult& result, const PageLimits& limits,
                std::vector<std::string>& left_out) {
  const run::ProgramDetail& detail = *result.detail;
  Json data = {{"tiles_per_band", detail.tiles_per_band}};
  if (detail.tiles_per_band > 1) {
    left_out.push_back(fmt::format(
        "single tiles in each step: a figure is that of the busiest of {} tiles that follow one "
        "another",
        detail.tiles_per_band));
  }
  Json& steps = data["steps"] = Json::array();
  if (detail.steps.size() <= limits.steps) {
    for (std::size_t s = 0; s < detail.steps.size(); ++s) {
      steps.push_back(stepData(detail.steps[s], result.steps.at(s)));
    }
  } else {
    left_out.push_back(fmt::format("what each tile does in each of {} steps", detail.steps.size()));
  }
  Json& operations = data["operations"] = Json::array();
  for (const run::OperationDetail& operation : detail.operations) {
    operations.push_back(operationData(operation));
  }
  data["layouts"] = layoutsData(result, limits, left_out);
  data["layout_of_tile"] = runLengths(detail.layout_of_tile);
  data["received_bytes_of_tile"] = runLengths(detail.received_of_tile);
  data["sent_bytes_of_tile"] = runLengths(detail.sent_of_tile);
  return data;
}

}  // namespace ipusim::report
