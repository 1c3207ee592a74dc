// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ipusim/error.h"
#include "ipusim/vertex_table.h"
#include "poplar/detail/library_api.hpp"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/graph_state.h"
#include "poplar/runtime/graph/tile_ranges.h"
#include "poplar/runtime/library/library_vertices.h"
#include "poplar/runtime/library/map_codelet.h"

namespace poplar::detail {

namespace {

/// The type that those lines of TOML make. Throws poplar_error for types that the library lacks.
std::shared_ptr<const ipusim::VertexType> typeOf(const GraphData* graph, const std::string& lines) {
  try {
    return ipusim::shared(ipusim::vertexType(lines, graph->state->machine));
  } catch (const ipusim::ConfigError& error) {
    throw poplar_error(fmt::format("library operation: {}", error.what()).c_str());
  }
}

}  // namespace

bool hasLibraryVertex(const GraphData* graph, Text lines) {
  try {
    static_cast<void>(
        ipusim::vertexType(stringOf(lines) + "elements = 1\n", graph->state->machine));
  } catch (const ipusim::ConfigError&) {
    return false;
  }
  return true;
}

namespace {

/// The operands of an elementwise vertex that computes those elements: the result is the first one
/// of an operation in place, and the last one of others.
std::vector<ipusim::View> elementwiseViews(const std::string& lines, const Operands& operands,
                                           const TensorData& out, const ElementRanges& ranges) {
  const bool in_place =
      lines.find("in_place") != std::string::npos || lines.find("scaled_add") != std::string::npos;
  std::vector<ipusim::View> views;
  for (std::size_t o = 0; o < operands.count; ++o) {
    views.push_back(viewOf(*operands.tensors[o], ranges));
  }
  views.insert(in_place ? views.begin() : views.end(), viewOf(out, ranges));
  return views;
}

}  // namespace

void addElementwise(GraphData* graph, std::uint32_t compute_set, Text lines,
                    const Operands& operands, const TensorData* out) {
  std::map<std::string, std::shared_ptr<const ipusim::VertexType>> types;
  const auto add = [&](unsigned tile, const ElementRanges& ranges, const std::string& sizes) {
    auto& type = types[sizes];
    if (!type) type = typeOf(graph, stringOf(lines) + sizes);
    addLibraryVertex(*graph->state, compute_set, type, tile,
                     elementwiseViews(stringOf(lines), operands, *out, ranges));
  };
  for (const auto& [tile, ranges] : rangesByTile(*graph, *out)) {
    if (ranges.size() == 1) {
      add(tile, ranges, fmt::format("elements = {}\n", ranges.front().size()));
      continue;
    }
    for (const ElementRanges& share : byWorker(*graph, ranges)) {
      std::vector<std::size_t> lengths;
      for (const ElementRange& range : share) lengths.push_back(range.size());
      add(tile, share, fmt::format("runs = [{}]\n", fmt::join(lengths, ", ")));
    }
  }
}

void addReduction(GraphData* graph, std::uint32_t compute_set, const RowReduction& reduction,
                  const TensorData* out) {
  const TensorData* in = reduction.in;
  const std::string op = stringOf(reduction.op);
  const std::size_t partials = reduction.partials;
  const std::string lines = fmt::format(
      "vertex = 'reduce'\nop = '{}'\nalong = 'rows'\ntype = '{}'\npartials_type = '{}'\n", op,
      spellingOf(out->type), spellingOf(in->type));
  const std::string probe = lines + "partials = 1\n";
  const bool is_library = partials > 0 && hasLibraryVertex(graph, textOf(probe));
  std::map<std::size_t, std::shared_ptr<const ipusim::VertexType>> types;
  for (const auto& [tile, ranges] : rangesByTile(*graph, *out)) {
    for (const ElementRange& range : ranges) {
      const ElementRange inputs{range.begin * partials, range.end * partials};
      if (!is_library) {
        const std::string name = reductionCodelet(*graph->state, op, in->type, out->type);
        LibraryCodelet vertex(*graph->state, compute_set, name, tile);
        vertex.connect("in", slicesOf(*in, {inputs}).front());
        vertex.connect("out", slicesOf(*out, {range}).front());
        vertex.set("partials", static_cast<std::uint32_t>(partials));
        continue;
      }
      auto& type = types[range.size()];
      if (!type) {
        type = typeOf(
            graph, fmt::format("{}elements = {}\npartials = {}\n", lines, range.size(), partials));
      }
      addLibraryVertex(*graph->state, compute_set, type, tile,
                       {viewOf(*out, {range}), viewOf(*in, {inputs})});
    }
  }
}

unsigned firstTileOf(const GraphData* graph, const TensorData* tensor) {
  const Ref<TensorData> element = slicesOf(*tensor, {{0, 1}}).front();
  unsigned tile = 0;
  tilesOf(graph, element.get(), Unmapped::Refuse, &tile,
          [](void* to, unsigned found, std::size_t /*begin*/, std::size_t /*end*/) {
            *static_cast<unsigned*>(to) = found;
          });
  return tile;
}

}  // namespace poplar::detail
