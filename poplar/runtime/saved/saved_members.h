// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/runtime/graph/graph_state.h"

// What a saved executable has of each type, in order. Writer and reader both go by this list.

namespace poplar::detail {

// The last value of each enumeration that is saved.
constexpr TypeId lastOf(TypeId /*type*/) {
  return TypeId::Quarter;
}
constexpr TargetType lastOf(TargetType /*type*/) {
  return TargetType::CPU;
}
constexpr TransferTo lastOf(TransferTo /*to*/) {
  return TransferTo::Host;
}
constexpr FieldSetting::Kind lastOf(FieldSetting::Kind /*kind*/) {
  return FieldSetting::Kind::Rows;
}
constexpr ProgramKind lastOf(ProgramKind /*kind*/) {
  return ProgramKind::WriteUndef;
}
constexpr ipusim::ElementType lastOf(ipusim::ElementType /*type*/) {
  return ipusim::ElementType::Quarter;
}
constexpr ipusim::VariableId lastOf(ipusim::VariableId /*variable*/) {
  return ipusim::VariableId{~std::uint32_t{0}};
}

/// `of(archive, object)` calls the archive with the members of the object.
template <typename Object>
struct Members;

template <typename Unit>
struct Members<ipusim::Level<Unit>> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& level) {
    archive(level.count, level.stride);
  }
};
template <typename Unit, std::size_t Inline>
struct Members<ipusim::Walk<Unit, Inline>> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& walk) {
    archive(walk.begin, walk.levels);
  }
};
template <typename From, typename To>
struct Members<ipusim::Ends<From, To>> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& ends) {
    archive(ends.from, ends.to);
  }
};
template <>
struct Members<ipusim::Section> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& section) {
    archive(section.variable, section.walk);
  }
};
template <>
struct Members<ipusim::Move> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& move) {
    archive(move.from, move.to, move.walk);
  }
};
template <>
struct Members<ipusim::Tensor::Piece> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& piece) {
    archive(piece.begin, piece.extent, piece.stride, piece.variable, piece.offset);
  }
};
template <>
struct Members<ipusim::Connection> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& data) {
    archive(data.view, data.step);
  }
};
template <>
struct Members<ipusim::VertexFamily> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& family) {
    archive(family.type, family.tile, family.count, family.fields, family.round_robin,
            family.apart);
  }
};
template <>
struct Members<TargetData> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& target) {
    archive(target.type, target.ipus, target.tiles_per_ipu, target.workers, target.bytes_per_tile,
            target.exchange_bytes_per_cycle, target.clock_hz, target.preset, target.architecture);
  }
};
template <>
struct Members<VariableNames::Variable> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& variable) {
    archive(variable.name, variable.is_constant);
  }
};
template <>
struct Members<StoredValues> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& values) {
    archive(values.type, values.bytes, values.count);
  }
};
template <>
struct Members<InitialValues> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& values) {
    archive(values.tensor, values.bytes);
  }
};
template <>
struct Members<FieldSetting> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& setting) {
    archive(setting.field, setting.row, setting.kind, setting.tensors, setting.values);
  }
};
template <>
struct Members<Vertex> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& vertex) {
    archive(vertex.type, vertex.compute_set, vertex.tile, vertex.settings, vertex.library,
            vertex.views, vertex.estimate);
  }
};
template <>
struct Members<ComputeSetState> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& compute_set) {
    archive(compute_set.name, compute_set.vertices);
  }
};
template <>
struct Members<StreamState> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& stream) {
    archive(stream.handle, stream.type, stream.elements, stream.to);
  }
};
template <>
struct Members<HostTensorState> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& host) {
    archive(host.handle, host.tensor, host.to);
  }
};
template <>
struct Members<HostFunctionState> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& function) {
    archive(function.handle, function.first_stream, function.inputs, function.outputs);
  }
};
template <>
struct Members<RemoteBufferState> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& buffer) {
    archive(buffer.handle, buffer.type, buffer.elements, buffer.rows);
  }
};
template <>
struct Members<TensorData> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& tensor) {
    archive(tensor.type, tensor.unit, tensor.view);
  }
};
template <>
struct Members<ProgramData> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& program) {
    archive(program.kind, program.number, program.text, program.from, program.to, program.row,
            program.is_true, program.cases, program.steps);
  }
};
/// The machine follows from the target.
template <>
struct Members<GraphState> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& state) {
    archive(state.codelets, state.names->variables, state.variables, state.initial, state.vertices,
            state.compute_sets, state.streams, state.host_functions, state.host_tensors,
            state.remote_buffers, state.functions);
  }
};

}  // namespace poplar::detail
