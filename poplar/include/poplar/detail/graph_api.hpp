// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/detail/program_api.hpp"
#include "poplar/detail/target_api.hpp"

namespace poplar {
namespace detail {

struct GraphData;
void retain(GraphData* graph);
void release(GraphData* graph);

/// Numbers in the host's memory, in the layout of `type`.
struct HostValues {
  TypeId type;
  const void* data;
  std::size_t count;
};

/// A field of a vertex; `row` counts rows of a field of rows, or is FieldRef::kWhole.
struct FieldName {
  std::uint64_t vertex;
  Text name;
  std::uint64_t row;
};

enum class MapVariable { Nowhere, Linearly };
enum class Single { No, Yes };
enum class Unmapped { Refuse, LeaveOut };

GraphData* makeGraph(const TargetData& target);
/// A graph whose tile i is tile tiles[i] of `graph`. Both have the same variables and vertices.
GraphData* makeVirtual(GraphData* graph, const unsigned* tiles, std::size_t count);
const TargetData& targetOf(const GraphData* graph);

/// The type and the sizes of a variable.
struct VariableShape {
  TypeId type;
  const std::size_t* sizes;
  std::size_t rank;
};
TensorData* addVariable(GraphData* graph, const VariableShape& shape, MapVariable mapping,
                        Text name);
/// One value for all elements, or one for each.
TensorData* addConstant(GraphData* graph, const VariableShape& shape, const HostValues& values,
                        Text name);
/// A variable with the shape and the mapping of `tensor`.
TensorData* addClone(GraphData* graph, const TensorData* tensor, TypeId type, Text name);
void setTile(GraphData* graph, const TensorData* tensor, unsigned tile);
/// Puts elements [begin, end) of the flattened tensor on a tile.
void setTile(GraphData* graph, const TensorData* tensor, std::size_t begin, std::size_t end,
             unsigned tile);
/// Calls `add` with ranges of the flattened tensor, in order.
void tilesOf(const GraphData* graph, const TensorData* tensor, Unmapped unmapped, void* to,
             void (*add)(void* to, unsigned tile, std::size_t begin, std::size_t end));
/// Spreads the elements over the tiles in grains, at least `least` elements on a tile; 0 for the
/// choice of poputil::mapTensorLinearly.
void mapLinearly(GraphData* graph, const TensorData* tensor, std::size_t least, std::size_t grain);
void setValues(GraphData* graph, const TensorData* tensor, const HostValues& values);

void addCodeletFile(GraphData* graph, Text path, Text flags);
void addCodeletText(GraphData* graph, Text source, Text flags);
std::uint32_t addComputeSet(GraphData* graph, Text name);
std::uint64_t addVertex(GraphData* graph, std::uint32_t compute_set, Text type);
void setVertexTile(GraphData* graph, std::uint64_t vertex, unsigned tile);
unsigned tileOfVertex(const GraphData* graph, std::uint64_t vertex);
void connectTensor(GraphData* graph, const FieldName& name, const TensorData* tensor);
void connectTensors(GraphData* graph, const FieldName& name, const TensorData* const* tensors,
                    std::size_t count);
/// Connects constants, which lie where the vertex is.
void connectValues(GraphData* graph, const FieldName& field, const HostValues& values,
                   Single single);
void setFieldValues(GraphData* graph, const FieldName& field, const HostValues& values,
                    Single single);
void setFieldSize(GraphData* graph, const FieldName& field, std::size_t size);
void setEstimate(GraphData* graph, std::uint64_t vertex, std::uint64_t cycles, std::uint64_t flops);

std::uint32_t addStream(GraphData* graph, Text handle, TypeId type, std::size_t elements,
                        TransferTo to);
void addHostTensor(GraphData* graph, Text handle, const TensorData* tensor, TransferTo to);
/// The streams of its arguments, which were made for it, follow one another: inputs, then outputs.
std::uint32_t addHostFunction(GraphData* graph, Text handle, std::uint32_t first_stream,
                              std::size_t inputs, std::size_t outputs);
std::uint32_t addRemoteBuffer(GraphData* graph, Text handle, TypeId type, std::size_t elements,
                              std::size_t rows);
/// Variables with their tiles, compute sets and streams, as JSON.
void describe(const GraphData* graph, Sink to);
/// Compute sets and the types of their vertices, as DOT.
void drawComputeSets(const GraphData* graph, Sink to);
void describeTensors(const TensorData* const* tensors, std::size_t count, Sink to);
std::uint32_t addFunction(GraphData* graph, const ProgramData* body);

}  // namespace detail
}  // namespace poplar
