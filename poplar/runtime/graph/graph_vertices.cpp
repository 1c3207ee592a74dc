// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/codelet_files.h"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/field_checks.h"
#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

namespace codelets = ipusim::codelets;

const codelets::VertexType* GraphState::codelet(const std::string& name) const {
  for (const codelets::Codelets& part : codelets) {
    if (const codelets::VertexType* found = part.find(name)) return found;
  }
  return nullptr;
}

void addCodeletFile(GraphData* graph, Text path, Text flags) {
  graph->state->codelets.push_back(
      codeletsOfFile(stringOf(path), stringOf(flags), graph->state->target));
}

void addCodeletText(GraphData* graph, Text source, Text flags) {
  graph->state->codelets.push_back(
      codeletsOfText(stringOf(source), stringOf(flags), graph->state->target));
}

std::uint32_t addComputeSet(GraphData* graph, Text name) {
  graph->state->compute_sets.push_back({stringOf(name)});
  return static_cast<std::uint32_t>(graph->state->compute_sets.size() - 1);
}

namespace {

ComputeSetState& computeSet(GraphState& state, std::uint32_t compute_set) {
  if (compute_set < state.compute_sets.size()) return state.compute_sets[compute_set];
  throw graph_object_creation_error("vertex: wanted a compute set of the graph, found another");
}

Vertex& vertexOf(GraphData* graph, std::uint64_t vertex) {
  if (vertex < graph->state->vertices.size()) return graph->state->vertices[vertex];
  throw poplar_error("vertex: wanted one of the graph, found an empty one");
}

void set(GraphData* graph, const FieldName& name, FieldSetting setting) {
  Vertex& vertex = vertexOf(graph, name.vertex);
  setting.field = stringOf(name.name);
  setting.row = name.row;
  const codelets::Field& field = fieldOf(*graph->state, vertex, setting.field);
  checkSetting(*graph->state, vertex, setting);
  for (const FieldSetting& other : vertex.settings) {
    const bool again =
        other.field == setting.field && other.row == setting.row && other.kind == setting.kind;
    if (!again || field.kind == codelets::FieldKind::State) continue;
    throw graph_connection_error(
        fmt::format("vertex {}.{}: wanted one connection, found a second", vertex.type, field.name)
            .c_str());
  }
  vertex.settings.push_back(std::move(setting));
}

FieldSetting valueSetting(FieldSetting::Kind kind, const HostValues& values) {
  FieldSetting setting;
  setting.kind = kind;
  setting.values = StoredValues(values);
  return setting;
}

/// What the program may have meant by a vertex type that its graph lacks, for a message.
std::string hintOn(const GraphState& state, const std::string& type) {
  std::vector<std::string> names;
  for (const codelets::Codelets& some : state.codelets) {
    for (const codelets::VertexType& known : some.vertices()) names.push_back(known.name);
  }
  return names.empty() ? " (Graph::addCodelets adds them)" : ipusim::didYouMean(type, names);
}

}  // namespace

std::uint64_t addVertex(GraphData* graph, std::uint32_t compute_set, Text type) {
  GraphState& state = *graph->state;
  Vertex vertex;
  vertex.type = stringOf(type);
  vertex.compute_set = compute_set;
  if (state.codelet(vertex.type) == nullptr) {
    throw unknown_vertex_type(fmt::format("vertex {}: wanted a vertex type of the codelets of the "
                                          "graph, found none of that name{}",
                                          vertex.type, hintOn(state, vertex.type))
                                  .c_str());
  }
  computeSet(state, compute_set).vertices.push_back(state.vertices.size());
  state.vertices.push_back(std::move(vertex));
  return state.vertices.size() - 1;
}

void addLibraryVertex(GraphState& state, std::uint32_t compute_set,
                      std::shared_ptr<const ipusim::VertexType> type, std::uint32_t tile,
                      std::vector<ipusim::View> views) {
  Vertex vertex;
  vertex.type = type->name;
  vertex.compute_set = compute_set;
  vertex.tile = tile;
  vertex.library = std::move(type);
  vertex.views = std::move(views);
  computeSet(state, compute_set).vertices.push_back(state.vertices.size());
  state.vertices.push_back(std::move(vertex));
}

void setVertexTile(GraphData* graph, std::uint64_t vertex, unsigned tile) {
  Vertex& placed = vertexOf(graph, vertex);
  placed.tile = graph->tileOf(tile, "setTileMapping of vertex " + placed.type);
}

unsigned tileOfVertex(const GraphData* graph, std::uint64_t vertex) {
  const std::uint32_t tile = vertexOf(const_cast<GraphData*>(graph), vertex).tile;
  if (graph->tiles.empty()) return tile;
  for (unsigned t = 0; t < graph->tiles.size(); ++t) {
    if (graph->tiles[t] == tile) return t;
  }
  throw invalid_tile_mapping("getTileMapping of a vertex: wanted one of the virtual graph");
}

void connectTensor(GraphData* graph, const FieldName& name, const TensorData* tensor) {
  Vertex& vertex = vertexOf(graph, name.vertex);
  const codelets::Field& field = fieldOf(*graph->state, vertex, stringOf(name.name));
  checkShape(vertex, field, *tensor, name.row);
  FieldSetting setting;
  if (hasRows(field) && name.row == kWholeField && tensor->rank() == 2) {
    setting.kind = FieldSetting::Kind::Rows;
  }
  setting.tensors.emplace_back(tensor);
  set(graph, name, std::move(setting));
}

void connectTensors(GraphData* graph, const FieldName& name, const TensorData* const* tensors,
                    std::size_t count) {
  Vertex& vertex = vertexOf(graph, name.vertex);
  const codelets::Field& field = fieldOf(*graph->state, vertex, stringOf(name.name));
  FieldSetting setting;
  for (std::size_t i = 0; i < count; ++i) {
    checkShape(vertex, field, *tensors[i], 0);
    setting.tensors.emplace_back(tensors[i]);
  }
  if (!hasRows(field) && count > 1) {  // elements one after the other
    std::vector<Ref<TensorData>> flat;
    std::vector<const TensorData*> parts;
    for (const Ref<TensorData>& each : setting.tensors) {
      const std::size_t size = each->elements();
      flat.push_back(Ref<TensorData>::taking(reshaped(each.get(), &size, 1)));
      parts.push_back(flat.back().get());
    }
    setting.tensors = {Ref<TensorData>::taking(joined(parts.data(), parts.size(), 0))};
  }
  set(graph, name, std::move(setting));
}

void connectValues(GraphData* graph, const FieldName& field, const HostValues& values,
                   Single /*single*/) {
  const codelets::Field& named =
      fieldOf(*graph->state, vertexOf(graph, field.vertex), stringOf(field.name));
  const bool is_state = named.kind == codelets::FieldKind::State;  // which holds the values itself
  set(graph, field,
      valueSetting(is_state ? FieldSetting::Kind::InitialValue : FieldSetting::Kind::Constants,
                   values));
}

void setFieldValues(GraphData* graph, const FieldName& field, const HostValues& values,
                    Single /*single*/) {
  set(graph, field, valueSetting(FieldSetting::Kind::InitialValue, values));
}

void setFieldSize(GraphData* graph, const FieldName& field, std::size_t size) {
  const std::uint64_t elements = size;
  set(graph, field,
      valueSetting(FieldSetting::Kind::Size, {TypeId::UnsignedLongLong, &elements, 1}));
}

void setEstimate(GraphData* graph, std::uint64_t vertex, std::uint64_t cycles,
                 std::uint64_t /*flops*/) {
  vertexOf(graph, vertex).estimate = cycles;
}

}  // namespace poplar::detail
