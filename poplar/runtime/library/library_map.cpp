// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "poplar/detail/library_api.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/tile_ranges.h"
#include "poplar/runtime/library/library_vertices.h"
#include "poplar/runtime/library/map_codelet.h"

namespace poplar::detail {

LibraryCodelet::LibraryCodelet(GraphState& state, std::uint32_t compute_set,
                               const std::string& type, std::uint32_t tile)
    : state_(state), number_(state.vertices.size()) {
  Vertex made;
  made.type = type;
  made.compute_set = compute_set;
  made.tile = tile;
  state.vertices.push_back(std::move(made));
  state.compute_sets[compute_set].vertices.push_back(number_);
}

void LibraryCodelet::connect(const std::string& field, Ref<TensorData> tensor) {
  connect(field, std::vector<Ref<TensorData>>{std::move(tensor)});
}

void LibraryCodelet::connect(const std::string& field, std::vector<Ref<TensorData>> rows) {
  FieldSetting setting;
  setting.field = field;
  setting.tensors = std::move(rows);
  vertex().settings.push_back(std::move(setting));
}

void LibraryCodelet::set(const std::string& field, std::uint32_t value) {
  FieldSetting setting;
  setting.field = field;
  setting.kind = FieldSetting::Kind::InitialValue;
  setting.values = StoredValues({TypeId::UnsignedInt, &value, 1});
  vertex().settings.push_back(std::move(setting));
}

namespace {

MapOperand kindOf(const TensorData* operand, const TensorData* out) {
  if (areEqual(operand, out)) return MapOperand::Result;
  return operand->elements() == 1 && out->elements() != 1 ? MapOperand::One : MapOperand::Each;
}

MapEdges edgesOf(const Operands& operands, const TensorData* out) {
  MapEdges edges{{}, out->type};
  for (std::size_t o = 0; o < operands.count; ++o) {
    const TensorData* operand = operands.tensors[o];
    edges.operands.emplace_back(operand->type, kindOf(operand, out));
  }
  return edges;
}

/// Connects the operands of those elements. One that is the result has no field of its own.
void connectOperands(LibraryCodelet& vertex, const MapEdges& edges, const Operands& operands,
                     const ElementRanges& share) {
  for (std::size_t o = 0; o < operands.count; ++o) {
    const MapOperand kind = edges.operands[o].second;
    if (kind == MapOperand::Result) continue;
    const ElementRanges elements = kind == MapOperand::One ? ElementRanges{{0, 1}} : share;
    vertex.connect("in" + std::to_string(o + 1), slicesOf(*operands.tensors[o], elements));
  }
}

}  // namespace

void addMap(GraphData* graph, std::uint32_t compute_set, Text value, const Operands& operands,
            const TensorData* out) {
  if (out->elements() == 0) return;
  const MapEdges edges = edgesOf(operands, out);
  const std::string type = mapCodelet(*graph->state, edges, stringOf(value));
  for (const auto& [tile, ranges] : rangesByTile(*graph, *out)) {
    for (const ElementRanges& share : byWorker(*graph, ranges)) {
      if (share.empty()) continue;
      LibraryCodelet vertex(*graph->state, compute_set, type, tile);
      connectOperands(vertex, edges, operands, share);
      vertex.connect("out", slicesOf(*out, share));
    }
  }
}

namespace {

/// The device's number of the tile where the first element lies.
unsigned tileOf(const GraphData& graph, const TensorData* tensor) {
  GraphData whole;  // knows the tiles by the numbers of the device
  whole.state = graph.state;
  return firstTileOf(&whole, tensor);
}

}  // namespace

void addExchange(GraphData* graph, std::uint32_t compute_set, const RunPair& pair, PairOrder order,
                 const TensorData* at) {
  const std::string type =
      exchangeCodelet(*graph->state, pair.a->type, order == PairOrder::LargestFirst);
  LibraryCodelet vertex(*graph->state, compute_set, type, tileOf(*graph, at));
  vertex.connect("a", Ref<TensorData>(pair.a));
  vertex.connect("b", Ref<TensorData>(pair.b));
  vertex.set("is_mirrored", pair.places == PairPlaces::Mirrored ? 1 : 0);
}

void addRunSort(GraphData* graph, std::uint32_t compute_set, const TensorData* run, RunOrder before,
                PairOrder order) {
  const std::string type =
      runSortCodelet(*graph->state, run->type, order == PairOrder::LargestFirst);
  LibraryCodelet vertex(*graph->state, compute_set, type, tileOf(*graph, run));
  vertex.connect("run", Ref<TensorData>(run));
  vertex.set("is_bitonic", before == RunOrder::Bitonic ? 1 : 0);
}

void addSeeds(GraphData* graph, std::uint32_t compute_set, Text name, const TensorData* seeds) {
  const std::string type = seedsCodelet(*graph->state, stringOf(name));
  const std::size_t tiles = graph->tiles.empty() ? graph->state->tiles() : graph->tiles.size();
  const bool is_one = seeds->rank() == 1;
  for (std::size_t t = 0; t < tiles; ++t) {
    LibraryCodelet vertex(*graph->state, compute_set, type,
                          graph->tileOf(static_cast<unsigned>(t), "seeds"));
    const std::size_t words = seeds->elements() / (is_one ? 1 : tiles);
    const std::size_t begin = is_one ? 0 : t * words;
    vertex.connect("seeds", slicesOf(*seeds, {{begin, begin + words}}).front());
  }
}

}  // namespace poplar::detail
