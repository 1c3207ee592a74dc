// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "poplar/codelets/codelets.h"
#include "poplar/detail/graph_api.hpp"
#include "poplar/runtime/graph/program_data.h"
#include "poplar/runtime/graph/tensor_data.h"

namespace poplar::detail {

constexpr std::uint32_t kNoTile = ~std::uint32_t{0};
constexpr std::uint64_t kWholeField = ~std::uint64_t{0};

/// Numbers of the host, kept.
struct StoredValues {
  TypeId type = TypeId::None;
  std::vector<std::byte> bytes;
  std::size_t count = 0;

  StoredValues() = default;
  explicit StoredValues(const HostValues& values);
  [[nodiscard]] HostValues view() const { return {type, bytes.data(), count}; }
};

/// What a call said of a field, or of a row of a field.
struct FieldSetting {
  enum class Kind : std::uint8_t {
    Tensors,       ///< an edge to each tensor
    Constants,     ///< an edge to `values`, which lie on the tile of the vertex
    InitialValue,  ///< `values` of a member of the vertex, or of an edge that nothing else has
    Size,          ///< `values` hold the number of elements
    Rows,          ///< an edge to each row of the one tensor
  };

  std::string field;
  std::uint64_t row = kWholeField;
  Kind kind = Kind::Tensors;
  std::vector<Ref<TensorData>> tensors = {};
  StoredValues values = {};
};

/// A vertex of a program: a codelet, or a vertex of this project's own library.
struct Vertex {
  std::string type;
  std::uint32_t compute_set = 0;
  std::uint32_t tile = kNoTile;
  std::vector<FieldSetting> settings = {};
  std::shared_ptr<const ipusim::VertexType> library = {};
  std::vector<ipusim::View> views = {};  ///< of a library vertex: one per field
  std::uint64_t estimate = 0;            ///< cycles by the program's own estimate; 0: none
};

struct ComputeSetState {
  std::string name;
  std::vector<std::uint64_t> vertices = {};
};

struct StreamState {
  std::string handle;
  TypeId type;
  std::size_t elements;
  TransferTo to;
};

struct HostTensorState {
  std::string handle;
  Ref<TensorData> tensor;
  TransferTo to;
};

struct RemoteBufferState {
  std::string handle;
  TypeId type;
  std::size_t elements;
  std::size_t rows;
};

/// A function of the host. Each argument has a stream of its own: first those to the host, then
/// those to the device.
struct HostFunctionState {
  std::string handle;
  std::uint32_t first_stream;
  std::uint32_t inputs;
  std::uint32_t outputs;
};

/// Values that elements have from the load on: one for all, or one for each.
struct InitialValues {
  Ref<TensorData> tensor;
  std::vector<std::byte> bytes;
};

/// All that a graph and its virtual graphs share.
struct GraphState {
  TargetData target;
  ipusim::Machine machine;
  ipusim::Graph variables;  ///< nothing but variables
  std::shared_ptr<VariableNames> names = std::make_shared<VariableNames>();
  std::vector<InitialValues> initial = {};
  std::vector<Vertex> vertices = {};
  std::vector<ComputeSetState> compute_sets = {};
  std::vector<StreamState> streams = {};
  std::vector<HostFunctionState> host_functions = {};
  std::vector<HostTensorState> host_tensors = {};
  std::vector<RemoteBufferState> remote_buffers = {};
  std::vector<Ref<ProgramData>> functions = {};
  std::vector<ipusim::codelets::Codelets> codelets = {};
  std::uint32_t constants = 0;  ///< how many constants without a name there are

  [[nodiscard]] const ipusim::codelets::VertexType* codelet(const std::string& name) const;
  [[nodiscard]] std::uint32_t tiles() const { return target.ipus * target.tiles_per_ipu; }
};

/// A graph, or a virtual graph of it.
struct GraphData : Shared {
  std::shared_ptr<GraphState> state;
  std::vector<unsigned> tiles = {};  ///< of a virtual graph; else empty
  TargetData target;

  /// The tile of the device. Throws invalid_tile_mapping for none; `what` is put on it.
  [[nodiscard]] std::uint32_t tileOf(unsigned tile, const std::string& what) const;
};

/// Adds a variable. The tensor has one reference, which the caller takes over.
TensorData* newVariable(GraphState& state, TypeId type, const std::vector<std::size_t>& shape,
                        const std::string& name, bool is_constant);
/// Adds a library vertex, on that tile of the device.
void addLibraryVertex(GraphState& state, std::uint32_t compute_set,
                      std::shared_ptr<const ipusim::VertexType> type, std::uint32_t tile,
                      std::vector<ipusim::View> views);

}  // namespace poplar::detail
