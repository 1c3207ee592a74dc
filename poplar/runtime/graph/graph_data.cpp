// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/graph_state.h"
#include "poplar/runtime/graph/section_runs.h"
#include "poplar/runtime/target.h"

namespace poplar::detail {

using ipusim::MappedInterval;
using ipusim::Section;
using ipusim::TileId;

StoredValues::StoredValues(const HostValues& values)
    : type(values.type), bytes(values.count * bytesOf(values.type)), count(values.count) {
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data, bytes.size());
}

void retain(GraphData* graph) {
  retained(graph);
}
void release(GraphData* graph) {
  released(graph);
}
const TargetData& targetOf(const GraphData* graph) {
  return graph->target;
}

std::uint32_t GraphData::tileOf(unsigned tile, const std::string& what) const {
  const std::size_t count = tiles.empty() ? state->tiles() : tiles.size();
  if (tile < count) return tiles.empty() ? tile : tiles[tile];
  throw invalid_tile_mapping(
      fmt::format("{}: wanted a tile below {}, found tile {}", what, count, tile).c_str());
}

GraphData* makeGraph(const TargetData& target) {
  auto graph = std::make_unique<GraphData>();
  graph->state = std::make_shared<GraphState>();
  graph->state->target = target;
  graph->state->machine = machineOf(target);
  graph->target = target;
  return graph.release();
}

GraphData* makeVirtual(GraphData* graph, const unsigned* tiles, std::size_t count) {
  auto made = std::make_unique<GraphData>();
  made->state = graph->state;
  made->target = graph->state->target;
  for (std::size_t t = 0; t < count; ++t) {
    made->tiles.push_back(graph->tileOf(tiles[t], "createVirtualGraph"));
  }
  if (count > 0) {
    made->target.ipus = 1;
    made->target.tiles_per_ipu = static_cast<unsigned>(count);
  }
  return made.release();
}

TensorData* newVariable(GraphState& state, TypeId type, const std::vector<std::size_t>& shape,
                        const std::string& name, bool is_constant) {
  const Storage storage = storageOf(type);
  auto tensor = std::make_unique<TensorData>();
  tensor->type = type;
  tensor->unit = storage.unit;
  tensor->names = state.names;
  ipusim::Shape sizes(shape.begin(), shape.end());
  sizes.push_back(storage.unit);
  tensor->view = state.variables.addVariable(storage.type, sizes, name, ipusim::Lifetime::Always);
  state.names->variables.push_back({name, is_constant});
  return tensor.release();
}

namespace {

/// Spreads the elements from tile 0 on, in grains, at least `least` of them on a tile. All tiles
/// that have any have as many, up to a grain. Source: poputil::mapTensorLinearly of
/// graphcore/poplibs.
void spread(GraphData* graph, const TensorData* tensor, std::size_t least, std::size_t grain) {
  const std::size_t elements = tensor->elements();
  if (elements == 0) return;
  const std::size_t tiles = graph->tiles.empty() ? graph->state->tiles() : graph->tiles.size();
  const std::size_t grains = (elements + grain - 1) / grain;
  const std::size_t per_tile =
      std::max((grains + tiles - 1) / tiles, (std::max<std::size_t>(least, 1) + grain - 1) / grain);
  const std::size_t parts = (grains + per_tile - 1) / per_tile;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * grains / parts * grain;
    const std::size_t end = std::min(elements, (part + 1) * grains / parts * grain);
    setTile(graph, tensor, begin, end, static_cast<unsigned>(part));
  }
}

}  // namespace

namespace {

TensorData* variableOf(GraphState& state, const VariableShape& shape, Text name, bool is_constant) {
  return newVariable(state, shape.type, {shape.sizes, shape.sizes + shape.rank}, stringOf(name),
                     is_constant);
}

}  // namespace

TensorData* addVariable(GraphData* graph, const VariableShape& shape, MapVariable mapping,
                        Text name) {
  TensorData* tensor = variableOf(*graph->state, shape, name, false);
  if (mapping == MapVariable::Linearly) mapLinearly(graph, tensor, 0, 0);
  return tensor;
}

TensorData* addConstant(GraphData* graph, const VariableShape& shape, const HostValues& values,
                        Text name) {
  TensorData* tensor = variableOf(*graph->state, shape, name, true);
  setValues(graph, tensor, values);
  return tensor;
}

namespace {

/// A clone that lies in its variable as `tensor` does, where that is all of one variable; else
/// null.
TensorData* sameOrder(GraphState& state, const TensorData& tensor, TypeId type, Text name) {
  const auto& pieces = tensor.view.pieces();
  const Storage storage = storageOf(type);
  const bool is_alike = storage.unit == tensor.unit && storage.type == tensor.view.type();
  if (pieces.empty() || !is_alike || hasAliases(&tensor)) return nullptr;
  const ipusim::VariableId id = pieces.front().variable;
  for (const auto& piece : pieces) {
    if (piece.variable != id) return nullptr;
  }
  const std::uint64_t elements = state.variables.variable(id).elements;
  const ipusim::TileMapping mapping = state.variables.variable(id).mapping;
  if (elements != tensor.view.elements()) return nullptr;
  const Ref<TensorData> all =
      Ref<TensorData>::taking(newVariable(state, type, {tensor.elements()}, stringOf(name), false));
  const ipusim::VariableId clone = all->view.pieces().front().variable;
  for (const MappedInterval& interval : mapping.intervals()) {
    state.variables.setTileMapping(
        ipusim::contiguous(clone, interval.begin, interval.end - interval.begin), interval.tile);
  }
  auto made = std::make_unique<TensorData>();
  made->type = type;
  made->unit = tensor.unit;
  made->names = state.names;
  made->view = tensor.view.inVariable(clone);
  return made.release();
}

}  // namespace

TensorData* addClone(GraphData* graph, const TensorData* tensor, TypeId type, Text name) {
  if (TensorData* clone = sameOrder(*graph->state, *tensor, type, name)) return clone;
  std::vector<std::size_t> shape(tensor->view.shape().begin(), tensor->view.shape().end());
  shape.resize(tensor->rank());
  TensorData* clone = newVariable(*graph->state, type, shape, stringOf(name), false);
  const auto map = [](void* to, unsigned tile, std::size_t begin, std::size_t end) {
    const auto& [state, view] = *static_cast<std::pair<GraphState*, const TensorData*>*>(to);
    const auto variable = view->view.pieces().front().variable;
    state->variables.setTileMapping(
        ipusim::contiguous(variable, begin * view->unit, (end - begin) * view->unit), TileId(tile));
  };
  std::pair<GraphState*, const TensorData*> to(graph->state.get(), clone);
  GraphData whole;
  whole.state = graph->state;
  if (clone->elements() > 0) tilesOf(&whole, tensor, Unmapped::LeaveOut, &to, map);
  return clone;
}

void mapLinearly(GraphData* graph, const TensorData* tensor, std::size_t least, std::size_t grain) {
  constexpr std::size_t kLeastBytes = 128;  // of poputil::mapTensorLinearly
  const std::size_t width = std::max<std::size_t>(1, 8 / bytesOf(tensor->type));
  spread(graph, tensor, least > 0 ? least : kLeastBytes / bytesOf(tensor->type),
         grain > 0 ? grain : width);
}

void setTile(GraphData* graph, const TensorData* tensor, unsigned tile) {
  setTile(graph, tensor, 0, tensor->elements(), tile);
}

void setTile(GraphData* graph, const TensorData* tensor, std::size_t begin, std::size_t end,
             unsigned tile) {
  const TileId on(graph->tileOf(tile, "setTileMapping of " + tensor->text()));
  if (begin > end || end > tensor->elements()) {
    throw invalid_tile_mapping(fmt::format("setTileMapping of {}: wanted a range of its elements, "
                                           "found [{}, {})",
                                           tensor->text(), begin, end)
                                   .c_str());
  }
  const auto view = begin == 0 && end == tensor->elements()
                        ? tensor->view.view()
                        : tensor->view.flatView(begin * tensor->unit, end * tensor->unit);
  for (const Section& section : view) {
    forEachRun(section,
               [&](const Section& run) { graph->state->variables.setTileMapping(run, on); });
  }
}

namespace {

/// Stored elements [begin, end) of a tensor on one tile of the device, or on kNoTile.
struct TileRun {
  std::uint32_t tile;
  std::size_t begin;
  std::size_t end;
};

/// Calls `put` with the tile and the size of each part of `run`, in order.
template <typename Intervals, typename Put>
void forEachPart(const Intervals& intervals, const Section& run, const Put& put) {
  std::uint64_t begin = run.begin();
  auto next = std::upper_bound(
      intervals.begin(), intervals.end(), begin,
      [](std::uint64_t e, const MappedInterval& interval) { return e < interval.end; });
  for (; begin < run.end(); ++next) {
    const bool is_mapped = next != intervals.end() && next->begin < run.end();
    const std::uint64_t mapped = is_mapped ? std::max(next->begin, begin) : run.end();
    if (mapped > begin) put(kNoTile, mapped - begin);
    if (!is_mapped) break;
    const std::uint64_t end = std::min(next->end, run.end());
    put(next->tile.tile(), end - mapped);
    begin = end;
  }
}

std::vector<TileRun> tileRuns(const GraphState& state, const TensorData& tensor) {
  std::vector<TileRun> runs;
  const auto put = [&runs](std::uint32_t tile, std::size_t count) {
    if (runs.empty() || runs.back().tile != tile) {
      const std::size_t at = runs.empty() ? 0 : runs.back().end;
      runs.push_back({tile, at, at});
    }
    runs.back().end += count;
  };
  for (const Section& section : tensor.view.view()) {
    forEachRun(section, [&](const Section& run) {
      forEachPart(state.variables.variable(run.variable).mapping.intervals(), run, put);
    });
  }
  return runs;
}

/// The numbers that a virtual graph has for tiles of the device.
std::map<std::uint32_t, unsigned> ownNumbers(const GraphData& graph) {
  std::map<std::uint32_t, unsigned> numbers;
  for (unsigned t = 0; t < graph.tiles.size(); ++t) numbers.emplace(graph.tiles[t], t);
  return numbers;
}

}  // namespace

void tilesOf(const GraphData* graph, const TensorData* tensor, Unmapped unmapped, void* to,
             void (*add)(void* to, unsigned tile, std::size_t begin, std::size_t end)) {
  const std::map<std::uint32_t, unsigned> numbers = ownNumbers(*graph);
  for (const TileRun& run : tileRuns(*graph->state, *tensor)) {
    if (run.tile == kNoTile) {
      if (unmapped == Unmapped::LeaveOut) continue;
      throw invalid_tile_mapping(
          fmt::format("getTileMapping of {}: wanted a tile for each element, "
                      "found none for element {}",
                      tensor->text(), run.begin / tensor->unit)
              .c_str());
    }
    const auto own = numbers.find(run.tile);
    if (!numbers.empty() && own == numbers.end()) {
      throw invalid_tile_mapping(fmt::format("getTileMapping of {}: wanted tiles of the virtual "
                                             "graph, found tile {} of the device",
                                             tensor->text(), run.tile)
                                     .c_str());
    }
    add(to, numbers.empty() ? run.tile : own->second, run.begin / tensor->unit,
        run.end / tensor->unit);
  }
}

void setValues(GraphData* graph, const TensorData* tensor, const HostValues& values) {
  if (values.count != 1 && values.count != tensor->elements()) {
    throw tensor_creation_error(fmt::format("values of {}: wanted one, or one for each element, "
                                            "found {}",
                                            tensor->text(), values.count)
                                    .c_str());
  }
  graph->state->initial.push_back({Ref<TensorData>(tensor), converted(values, tensor->type)});
}

std::uint32_t addStream(GraphData* graph, Text handle, TypeId type, std::size_t elements,
                        TransferTo to) {
  for (const StreamState& other : graph->state->streams) {
    if (other.handle != stringOf(handle)) continue;
    throw graph_object_creation_error(
        fmt::format("stream {}: wanted a handle that no stream has, found a second stream of it",
                    other.handle)
            .c_str());
  }
  graph->state->streams.push_back({stringOf(handle), type, elements, to});
  return static_cast<std::uint32_t>(graph->state->streams.size() - 1);
}

void addHostTensor(GraphData* graph, Text handle, const TensorData* tensor, TransferTo to) {
  for (const HostTensorState& other : graph->state->host_tensors) {
    if (other.handle != stringOf(handle) || other.to != to) continue;
    if (areEqual(other.tensor.get(), tensor)) return;
    throw graph_object_creation_error(
        fmt::format("createHost{} {}: wanted a handle of one tensor, found {} and {}",
                    to == TransferTo::Host ? "Read" : "Write", other.handle, other.tensor->text(),
                    tensor->text())
            .c_str());
  }
  graph->state->host_tensors.push_back({stringOf(handle), Ref<TensorData>(tensor), to});
}

std::uint32_t addHostFunction(GraphData* graph, Text handle, std::uint32_t first_stream,
                              std::size_t inputs, std::size_t outputs) {
  auto& functions = graph->state->host_functions;
  for (const HostFunctionState& other : functions) {
    if (other.handle != stringOf(handle)) continue;
    throw graph_object_creation_error(
        fmt::format("host function {}: wanted a handle that none has, found a second one of it",
                    other.handle)
            .c_str());
  }
  functions.push_back({stringOf(handle), first_stream, static_cast<std::uint32_t>(inputs),
                       static_cast<std::uint32_t>(outputs)});
  return static_cast<std::uint32_t>(functions.size() - 1);
}

std::uint32_t addRemoteBuffer(GraphData* graph, Text handle, TypeId type, std::size_t elements,
                              std::size_t rows) {
  graph->state->remote_buffers.push_back({stringOf(handle), type, elements, rows});
  return static_cast<std::uint32_t>(graph->state->remote_buffers.size() - 1);
}

std::uint32_t addFunction(GraphData* graph, const ProgramData* body) {
  graph->state->functions.emplace_back(body);
  return static_cast<std::uint32_t>(graph->state->functions.size() - 1);
}

}  // namespace poplar::detail
