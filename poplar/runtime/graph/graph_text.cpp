// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text/json.h"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

namespace {

ipusim::Json variablesOf(const GraphState& state) {
  ipusim::Json all = ipusim::Json::array();
  for (std::size_t v = 0; v < state.names->variables.size(); ++v) {
    const ipusim::Variable& variable = state.variables.variables()[v];
    std::set<std::uint32_t> tiles;
    for (const auto& interval : variable.mapping.intervals()) tiles.insert(interval.tile.tile());
    all.push_back({{"name", state.names->variables[v].name},
                   {"type", ipusim::nameOf(variable.type)},
                   {"elements", variable.elements},
                   {"constant", state.names->variables[v].is_constant},
                   {"tiles", tiles.size()}});
  }
  return all;
}

}  // namespace

void describe(const GraphData* graph, Sink to) {
  const GraphState& state = *graph->state;
  ipusim::Json compute_sets = ipusim::Json::array();
  for (const ComputeSetState& each : state.compute_sets) {
    compute_sets.push_back({{"name", each.name}, {"vertices", each.vertices.size()}});
  }
  ipusim::Json streams = ipusim::Json::array();
  for (const StreamState& each : state.streams) {
    streams.push_back({{"handle", each.handle},
                       {"type", spellingOf(each.type)},
                       {"elements", each.elements},
                       {"to", each.to == TransferTo::Host ? "host" : "device"}});
  }
  const ipusim::Json all{{"ipus", state.target.ipus},
                         {"tiles", state.tiles()},
                         {"variables", variablesOf(state)},
                         {"compute_sets", std::move(compute_sets)},
                         {"streams", std::move(streams)}};
  write(to, all.dump(1) + "\n");
}

void drawComputeSets(const GraphData* graph, Sink to) {
  const GraphState& state = *graph->state;
  std::string text = "digraph compute {\n";
  for (std::size_t c = 0; c < state.compute_sets.size(); ++c) {
    const ComputeSetState& compute_set = state.compute_sets[c];
    text += fmt::format("  cs{} [label={}];\n", c, ipusim::Json(compute_set.name).dump());
    std::map<std::string, std::size_t> types;
    for (const std::uint64_t vertex : compute_set.vertices) ++types[state.vertices[vertex].type];
    std::size_t number = 0;
    for (const auto& [type, count] : types) {
      const std::string label = ipusim::Json(fmt::format("{} x {}", count, type)).dump();
      text += fmt::format("  cs{0} -> cs{0}v{1};\n  cs{0}v{1} [shape=box, label={2}];\n", c,
                          number++, label);
    }
  }
  write(to, text + "}\n");
}

void describeTensors(const TensorData* const* tensors, std::size_t count, Sink to) {
  ipusim::Json all = ipusim::Json::array();
  for (std::size_t t = 0; t < count; ++t) {
    all.push_back({{"name", tensors[t]->name()},
                   {"type", spellingOf(tensors[t]->type)},
                   {"tensor", tensors[t]->text()}});
  }
  write(to, all.dump(1) + "\n");
}

}  // namespace poplar::detail
