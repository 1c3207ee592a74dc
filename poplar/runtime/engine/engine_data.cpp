// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/engine_data.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

using ipusim::Bytes;
using ipusim::executor::HostRun;
using ipusim::executor::TileMemories;

std::vector<std::byte> TensorAccess::read(const TensorData& tensor) {
  std::vector<std::byte> elements(tensor.elements() * bytesOf(tensor.type));
  read(tensor, elements.data());
  return elements;
}

const std::vector<HostRun>& TensorAccess::runsOf(const ipusim::Tensor& view) {
  const auto [runs, is_new] = known_.try_emplace(&view);
  if (is_new) runs->second = access_.runsOf({"of the program", view});
  return runs->second;
}

void TensorAccess::move(const ipusim::Tensor& view, std::byte* host, Direction direction) {
  if (view.elements() == 0) return;
  const std::size_t bytes = ipusim::sizeOf(view.type()).value();
  const auto copy = [direction](std::byte* of_host, std::byte* of_tile, std::size_t count) {
    if (direction == Direction::In) {
      std::memcpy(of_tile, of_host, count);
    } else {
      std::memcpy(of_host, of_tile, count);
    }
  };
  for (const HostRun& run : runsOf(view)) {
    std::byte* tile = access_.at(run);
    std::byte* of_host = host + run.index * bytes;
    if (run.index_stride == 1 && run.stride == Bytes(bytes)) {
      copy(of_host, tile, run.count * bytes);
      continue;
    }
    for (std::uint64_t i = 0; i < run.count; ++i) {
      copy(of_host + i * run.index_stride * bytes, tile + i * run.stride.value(), bytes);
    }
  }
}

namespace {

/// Room for the memories of all tiles where codelets can address them; none without codelets.
std::optional<ipusim::codelets::LowMemory> lowMemoryFor(const ExecutableData& data) {
  if (data.edges.empty()) return std::nullopt;
  Bytes largest(1);
  for (const auto& tile : data.executable.memory.tiles) {
    largest = std::max(largest, tile.highest_address);
  }
  return ipusim::codelets::LowMemory(data.executable.memory.tiles.size(), largest);
}

TileMemories memoriesFor(const ExecutableData& data,
                         const std::optional<ipusim::codelets::LowMemory>& low) {
  if (!low) return TileMemories(data.executable);
  return TileMemories(data.executable,
                      [&low](ipusim::TileId tile, Bytes /*size*/) { return low->at(tile.tile()); });
}

/// The values of `values` for each element of the tensor.
std::vector<std::byte> spread(const InitialValues& values) {
  const std::size_t elements = values.tensor->elements();
  const std::size_t bytes = bytesOf(values.tensor->type);
  if (values.bytes.size() == elements * bytes) return values.bytes;
  std::vector<std::byte> all(elements * bytes);
  for (std::size_t e = 0; e < elements; ++e) {
    std::memcpy(all.data() + e * bytes, values.bytes.data(), bytes);
  }
  return all;
}

/// Variables begin as zeros, and then get the values that the program says.
void setInitialValues(const ExecutableData& data, LoadedProgram& loaded) {
  for (const auto& block : data.executable.lowered.blocks) {
    std::memset(loaded.memories.at(block), 0, block.bytes.value());
  }
  for (const InitialValues& values : data.state->initial) {
    if (data.isInUse(*values.tensor)) loaded.access.write(*values.tensor, spread(values).data());
  }
  for (const EdgeValues& values : data.edge_values) {
    loaded.access.write(values.variable, values.bytes.data());
  }
}

/// Codelets are the vertices without a cost function.
ipusim::executor::MeasureVertex measureBy(CodeletMemory* codelets) {
  if (codelets == nullptr) return {};
  return [codelets](const ipusim::VertexData& edges, const ipusim::VertexPlace& place) {
    return codelets->run(edges, place);
  };
}

}  // namespace

LoadedProgram::LoadedProgram(const ExecutableData& data, std::uint64_t jobs, CyclesFrom from)
    : low(lowMemoryFor(data)),
      memories(memoriesFor(data, low)),
      access(data, memories),
      codelets(data.edges.empty() ? nullptr : std::make_unique<CodeletMemory>(data, from)),
      runner(data.executable, memories, access.rows(), jobs, measureBy(codelets.get())),
      clock(data.executable.programs),
      codelet_activity(data.executable.lowered.steps.size()) {
  setInitialValues(data, *this);
}

}  // namespace poplar::detail
