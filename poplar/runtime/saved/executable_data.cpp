// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/saved/executable_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/builder.h"
#include "poplar/runtime/graph/merged_copies.h"

namespace poplar::detail {

bool ExecutableData::isInUse(const TensorData& tensor) const {
  const auto& pieces = tensor.view.pieces();
  return std::all_of(pieces.begin(), pieces.end(), [this](const ipusim::Tensor::Piece& piece) {
    const std::size_t variable = ipusim::indexOf(piece.variable);
    return variable < in_use.size() && in_use[variable];
  });
}

namespace {

/// Throws graph_memory_allocation_error for a tile that the program does not fit.
void checkMemory(const ExecutableData& data) {
  const auto& tiles = data.executable.memory.tiles;
  const auto fullest =
      std::max_element(tiles.begin(), tiles.end(),
                       [](const auto& a, const auto& b) { return a.bytes_over < b.bytes_over; });
  if (fullest == tiles.end() || fullest->bytes_over == ipusim::Bytes(0)) return;
  throw graph_memory_allocation_error(
      fmt::format("Out of memory on tile {}: {} bytes used but tiles only have {} bytes of memory "
                  "({} bytes too many for its {})",
                  fullest - tiles.begin(), fullest->bytes().value(),
                  data.state->target.bytes_per_tile, fullest->bytes_over.value(),
                  ipusim::keyOf(fullest->over_category))
          .c_str());
}

}  // namespace

void compile(ExecutableData& data) {
  try {
    data.codelets = ipusim::codelets::join(data.state->codelets);
    mergeCopies(data);
    Builder(data).run();
  } catch (const ipusim::GraphError& error) {
    throw graph_connection_error(error.what());
  } catch (const ipusim::ConfigError& error) {
    throw graph_object_load_error(error.what());
  }
  checkMemory(data);
}

}  // namespace poplar::detail
