// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "ipusim/error.h"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/field_checks.h"
#include "poplar/runtime/saved/saved_checks.h"

namespace poplar::detail {

namespace {

void checkValues(const StoredValues& values) {
  expect(values.bytes.size() == ipusim::checkedProduct(values.count, bytesOf(values.type)),
         "the bytes of its values");
}

/// What a call that made the setting checked.
void checkKept(const GraphState& state, const Vertex& vertex, const FieldSetting& setting) {
  checkValues(setting.values);
  const auto& field = fieldOf(state, vertex, setting.field);
  const bool is_size = setting.kind == FieldSetting::Kind::Size;
  const bool is_one = setting.values.type == TypeId::UnsignedLongLong && setting.values.count == 1;
  expect(!is_size || is_one, "the size of a field");
  expect(hasRows(field) || setting.tensors.size() <= 1, "one edge of a field");
  const bool has_matrix = setting.kind == FieldSetting::Kind::Rows;
  if (has_matrix) {
    const bool is_alone = setting.tensors.size() == 1 && setting.row == kWholeField;
    expect(is_alone && hasRows(field), "one tensor with the rows of a field");
  }
  for (const Ref<TensorData>& tensor : setting.tensors) {
    expect(bool(tensor), "the tensor of an edge");
    expect(!has_matrix || tensor->rank() == 2, "a tensor of rows");
    checkShape(vertex, field, *tensor, has_matrix ? kWholeField : 0);
  }
  checkSetting(state, vertex, setting);
}

void checkVertex(const GraphState& state, const Vertex& vertex) {
  expect(vertex.tile == kNoTile || vertex.tile < state.tiles(), "the tile of a vertex");
  if (!vertex.library) {
    expect(state.codelet(vertex.type) != nullptr, "the codelet of a vertex");
    for (const FieldSetting& setting : vertex.settings) checkKept(state, vertex, setting);
    return;
  }
  ipusim::VertexFamily family{vertex.library, {}, 1, {}, false, false};
  for (const ipusim::View& view : vertex.views) family.fields.push_back({view, 0});
  SavedVariables(state).check(family);
}

void checkComputeSets(const GraphState& state) {
  std::vector<bool> is_known(state.vertices.size());
  for (std::size_t c = 0; c < state.compute_sets.size(); ++c) {
    for (const std::uint64_t v : state.compute_sets[c].vertices) {
      expect(v < state.vertices.size() && state.vertices[v].compute_set == c && !is_known[v],
             "a compute set for each vertex");
      is_known[v] = true;
    }
  }
}

void checkInitial(const InitialValues& values) {
  expect(bool(values.tensor), "the tensor of its values");
  const std::size_t bytes = bytesOf(values.tensor->type);
  const std::size_t found = values.bytes.size();
  expect(found == bytes || found == bytes * values.tensor->elements(), "a value for each element");
}

/// Elements of a tensor, for which the device has room.
void checkRow(TypeId type, std::size_t elements, const TargetData& target, const char* wanted) {
  expect(type != TypeId::None, wanted);
  const std::uint64_t device =
      std::uint64_t{target.ipus} * target.tiles_per_ipu * target.bytes_per_tile;
  expect(ipusim::checkedProduct(elements, bytesOf(type)) <= device, wanted);
}

void checkFunction(const HostFunctionState& function, const GraphState& state) {
  const std::uint64_t arguments = std::uint64_t{function.inputs} + function.outputs;
  expect(function.first_stream + arguments <= state.streams.size(), "streams of a host function");
  for (std::uint64_t a = 0; a < arguments; ++a) {
    const StreamState& stream = state.streams[function.first_stream + a];
    const bool is_input = a < function.inputs;
    expect((stream.to == TransferTo::Host) == is_input, "the way of an argument");
    // An argument is a tensor.
    checkRow(stream.type, stream.elements, state.target, "the room of an argument");
  }
}

}  // namespace

void checkState(const GraphState& state) {
  expect(state.names->variables.size() == state.variables.variables().size(),
         "a name for each variable");
  for (const Vertex& vertex : state.vertices) checkVertex(state, vertex);
  checkComputeSets(state);
  for (const InitialValues& values : state.initial) checkInitial(values);
  for (const StreamState& stream : state.streams) {
    expect(stream.type != TypeId::None, "the type of a stream");
  }
  for (const HostTensorState& host : state.host_tensors) {
    expect(bool(host.tensor), "a tensor for the host");
  }
  for (const RemoteBufferState& buffer : state.remote_buffers) {
    checkRow(buffer.type, buffer.elements, state.target, "rows that a device has room for");
  }
  for (const HostFunctionState& function : state.host_functions) checkFunction(function, state);
  for (const Ref<ProgramData>& function : state.functions) {
    expect(bool(function), "the program of a function");
  }
}

void checkNumbers(const ProgramData& step, const GraphState& state) {
  const auto expect_below = [&step](std::size_t count, const char* wanted) {
    expect(step.number < count, wanted);
  };
  switch (step.kind) {
    case ProgramKind::Execute:
      return expect_below(state.compute_sets.size(), "the compute set of a step");
    case ProgramKind::LibraryExecute:
      return expect_below(state.variables.computeSets().size(), "the compute set of a step");
    case ProgramKind::LibraryCopy:
      return expect_below(state.variables.copies().size(), "the copy of a step");
    case ProgramKind::StreamIn:
    case ProgramKind::StreamOut:
      return expect_below(state.streams.size(), "the stream of a step");
    case ProgramKind::RemoteIn:
    case ProgramKind::RemoteOut:
      return expect_below(state.remote_buffers.size(), "the remote buffer of a step");
    case ProgramKind::HostCall:
      return expect_below(state.host_functions.size(), "the host function of a step");
    default:
      return;
  }
}

}  // namespace poplar::detail
