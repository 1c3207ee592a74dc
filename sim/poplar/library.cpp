// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "ipusim/error.h"
#include "ipusim/vertex_table.h"
#include "poplar/detail/library_api.hpp"
#include "poplar/exceptions.hpp"
#include "sim/poplar/element_bytes.h"
#include "sim/poplar/graph_state.h"
#include "workloads/ops/elementwise/elementwise.h"

namespace poplar::detail {

namespace {

/// Elements [begin, end) of a flattened tensor.
struct Range {
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};
using RangesByTile = std::map<unsigned, std::vector<Range>>;

RangesByTile rangesOf(const GraphData* graph, const TensorData* tensor) {
  GraphData whole;  // knows the tiles by the numbers of the device
  whole.state = graph->state;
  RangesByTile ranges;
  tilesOf(&whole, tensor, Unmapped::Refuse, &ranges,
          [](void* to, unsigned tile, std::size_t begin, std::size_t end) {
            (*static_cast<RangesByTile*>(to))[tile].push_back({begin, end});
          });
  return ranges;
}

ipusim::View viewOf(const TensorData* tensor, const std::vector<Range>& ranges) {
  ipusim::View view;
  for (const Range& range : ranges) {
    const ipusim::View part =
        tensor->view.flatView(range.begin * tensor->unit, range.end * tensor->unit);
    view.insert(view.end(), part.begin(), part.end());
  }
  return view;
}

/// The type that those lines of TOML make. Throws poplar_error for types that the library lacks.
std::shared_ptr<const ipusim::VertexType> typeOf(const GraphData* graph, const std::string& lines) {
  try {
    return ipusim::shared(ipusim::vertexType(lines, graph->state->machine));
  } catch (const ipusim::ConfigError& error) {
    throw poplar_error(fmt::format("library operation: {}", error.what()).c_str());
  }
}

/// Shares the ranges of a tile between its workers, as vertices with lists of runs.
std::vector<std::vector<Range>> byWorker(const GraphData* graph, const std::vector<Range>& ranges) {
  std::vector<std::uint64_t> lengths;
  for (const Range& range : ranges) lengths.push_back(range.size());
  constexpr std::uint64_t kGrain = 4;  // elements of the widest vector, a half4
  std::vector<std::vector<Range>> shares;
  std::size_t next = 0;
  std::size_t used = 0;  // elements of ranges[next]
  for (const auto& share :
       ipusim::workloads::splitRuns(lengths, graph->state->target.workers, kGrain)) {
    std::vector<Range>& of_worker = shares.emplace_back();
    for (const std::uint64_t length : share) {
      const std::size_t begin = ranges[next].begin + used;
      of_worker.push_back({begin, begin + length});
      used += length;
      if (used < ranges[next].size()) continue;
      ++next;
      used = 0;
    }
  }
  return shares;
}

}  // namespace

void addElementwise(GraphData* graph, std::uint32_t compute_set, Text lines,
                    const TensorData* const* operands, std::size_t count, const TensorData* out) {
  const bool in_place = stringOf(lines).find("in_place") != std::string::npos ||
                        stringOf(lines).find("scaled_add") != std::string::npos;
  std::map<std::string, std::shared_ptr<const ipusim::VertexType>> types;
  const auto add = [&](unsigned tile, const std::vector<Range>& ranges, const std::string& sizes) {
    std::vector<ipusim::View> views;
    if (in_place) views.push_back(viewOf(out, ranges));
    for (std::size_t o = 0; o < count; ++o) views.push_back(viewOf(operands[o], ranges));
    if (!in_place) views.push_back(viewOf(out, ranges));
    auto& type = types[sizes];
    if (!type) type = typeOf(graph, stringOf(lines) + sizes);
    addLibraryVertex(*graph->state, compute_set, type, tile, std::move(views));
  };
  for (const auto& [tile, ranges] : rangesOf(graph, out)) {
    if (ranges.size() == 1) {
      add(tile, ranges, fmt::format("elements = {}\n", ranges.front().size()));
      continue;
    }
    for (const std::vector<Range>& share : byWorker(graph, ranges)) {
      std::vector<std::size_t> lengths;
      for (const Range& range : share) lengths.push_back(range.size());
      add(tile, share, fmt::format("runs = [{}]\n", fmt::join(lengths, ", ")));
    }
  }
}

void addReduction(GraphData* graph, std::uint32_t compute_set, Text op, const TensorData* in,
                  std::size_t partials, const TensorData* out) {
  const std::string type = spellingOf(out->type);
  std::map<std::size_t, std::shared_ptr<const ipusim::VertexType>> types;
  for (const auto& [tile, ranges] : rangesOf(graph, out)) {
    for (const Range& range : ranges) {
      auto& vertex = types[range.size()];
      if (!vertex) {
        vertex = typeOf(
            graph, fmt::format("vertex = 'reduce'\nop = '{}'\nalong = 'rows'\n"
                               "type = '{}'\npartials_type = '{}'\nelements = {}\n"
                               "partials = {}\n",
                               stringOf(op), type, spellingOf(in->type), range.size(), partials));
      }
      addLibraryVertex(
          *graph->state, compute_set, vertex, tile,
          {viewOf(out, {range}), viewOf(in, {{range.begin * partials, range.end * partials}})});
    }
  }
}

unsigned firstTileOf(const GraphData* graph, const TensorData* tensor) {
  const std::size_t elements = tensor->elements();
  const Ref<TensorData> flat = Ref<TensorData>::taking(reshaped(tensor, &elements, 1));
  const Ref<TensorData> element = Ref<TensorData>::taking(sliced(flat.get(), 0, 1, 0));
  unsigned tile = 0;
  tilesOf(graph, element.get(), Unmapped::Refuse, &tile,
          [](void* to, unsigned found, std::size_t /*begin*/, std::size_t /*end*/) {
            *static_cast<unsigned*>(to) = found;
          });
  return tile;
}

}  // namespace poplar::detail
