// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/engine/step_orders.h"
#include "poplar/runtime/graph/codelet_vertex.h"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/target.h"
#include "workloads/graph/copy_moves.h"

namespace poplar::detail {

using ipusim::HostDirection;
using ipusim::HostPath;
using ipusim::TileId;

void InstanceIndex::add(const StepRange& steps, std::uint32_t tile, std::uint64_t vertex) {
  for (std::uint32_t step = steps.first; step < steps.end; ++step) {
    by_step_and_tile_[{step, tile}].push_back(vertex);
  }
}

std::uint64_t InstanceIndex::vertexAt(const ipusim::VertexPlace& place) const {
  return by_step_and_tile_.at({static_cast<std::uint32_t>(place.step), place.tile.tile()})
      .at(place.index);
}

StepRange ExecutableData::rangeOf(const ProgramData& step) const {
  if (step.kind == ProgramKind::Execute) {
    const auto found = compute_sets.find(step.number);
    return found == compute_sets.end() ? StepRange{} : found->second;
  }
  const auto found = ranges.find(&step);
  return found == ranges.end() ? StepRange{} : found->second;
}

void Builder::run() {
  data_.in_use.resize(state_.variables.variables().size());
  for (const Ref<ProgramData>& program : data_.played) visit(*program);
  for (const HostTensorState& host : state_.host_tensors) use(*host.tensor);
  checkMappings();
  addVariables();
  for (const RemoteBufferState& buffer : state_.remote_buffers) {
    const Storage storage = storageOf(buffer.type);
    data_.graph.addRemoteBuffer(storage.type, buffer.elements * storage.unit, buffer.rows,
                                buffer.handle);
  }
  for (const ProgramData* step : steps_) addStep(*step);
  const auto orders_of = [this](const std::vector<std::uint32_t>& step_ends) {
    setRanges(step_ends);
    auto orders = stepOrders(data_, steps_);
    orders.always_live.insert(orders.always_live.end(), written_twice_.begin(),
                              written_twice_.end());
    return orders;
  };
  auto compiled = ipusim::compiler::compileSteps(
      data_.graph, systemOf(state_.target, state_.machine), orders_of);
  data_.executable = std::move(compiled.executable);
  addInstances();
}

void Builder::setRanges(const std::vector<std::uint32_t>& step_ends) {
  std::uint32_t first = 0;
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    const StepRange range{first, step_ends.at(l)};
    first = range.end;
    if (leaves_[l].program != nullptr) {
      data_.ranges[leaves_[l].program] = range;
    } else {
      data_.compute_sets[leaves_[l].compute_set] = range;
    }
  }
}

/// Adds the steps of `program` and of those inside it that were not met before.
void Builder::visit(const ProgramData& program) {
  if (!visited_.insert(&program).second) return;
  if (program.kind == ProgramKind::Call) {
    if (program.number >= data_.functions.size()) {
      throw control_program_error("Call: wanted a function of the graph, found another");
    }
    visit(*data_.functions[program.number]);
  }
  useAllOf(program);
  steps_.push_back(&program);
  for (const Ref<ProgramData>& step : program.steps) visit(*step);
}

namespace {

ipusim::Program copyStep(ipusim::Graph& graph, const ProgramData& program) {
  const std::string name = program.text.empty() ? "Copy" : program.text;
  const ipusim::Tensor& from = program.from->view;
  const ipusim::Tensor& to = program.to->view;
  // Without a reshape the copy may follow the order in which the elements lie.
  if (from.shape() == to.shape()) return graph.copy(from, to, name);
  const ipusim::Shape flat = {from.elements()};
  return graph.copy(from.reshape(flat), to.reshape(flat), name);
}

}  // namespace

void Builder::addStep(const ProgramData& program) {
  ipusim::Graph& graph = data_.graph;
  const auto add = [&](ipusim::Program step) {
    graph.program().add(std::move(step));
    leaves_.push_back({&program, 0});
  };
  const auto transfer = [&](const TensorData& tensor, HostDirection direction) {
    add(graph.stream(state_.streams.at(program.number).handle, {tensor.view}, direction,
                     HostPath::Link));
  };
  const auto remote = [&](const TensorData& tensor, ipusim::RemoteDirection direction) {
    ipusim::RemoteRow row = std::uint64_t{0};
    if (program.row) row = program.row->view;
    add(graph.remoteCopy({state_.remote_buffers.at(program.number).handle, direction,
                          static_cast<ipusim::RemoteBufferId>(program.number), row, tensor.view}));
  };
  switch (program.kind) {
    case ProgramKind::Execute:
      return addExecute(program);
    case ProgramKind::Copy:
      if (program.from->elements() == 0) return;
      return add(copyStep(graph, program));
    case ProgramKind::LibraryExecute:
    case ProgramKind::LibraryCopy:
      return add(libraryStep(program));
    case ProgramKind::StreamIn:
      return transfer(*program.to, HostDirection::ToChip);
    case ProgramKind::StreamOut:
      return transfer(*program.from, HostDirection::ToHost);
    case ProgramKind::RemoteIn:
      return remote(*program.to, ipusim::RemoteDirection::Load);
    case ProgramKind::RemoteOut:
      return remote(*program.from, ipusim::RemoteDirection::Store);
    case ProgramKind::If:
    case ProgramKind::Switch:
    case ProgramKind::RepeatWhile:
    case ProgramKind::Abort:
      if (program.from) add({ipusim::If{program.from->view, {}, {}}});
      return;
    case ProgramKind::Sequence:
    case ProgramKind::Repeat:
    case ProgramKind::Call:
    case ProgramKind::Print:
    case ProgramKind::Sync:
    case ProgramKind::CycleStamp:
    case ProgramKind::HostCall:
    case ProgramKind::WriteUndef:
      return;
  }
}

namespace {

/// Leaves out the sections of a field that have no elements: they lie on no tile.
ipusim::VertexFamily withElements(ipusim::VertexFamily family) {
  for (ipusim::Connection& field : family.fields) {
    field.view.erase(std::remove_if(field.view.begin(), field.view.end(),
                                    [](const auto& section) { return section.elements() == 0; }),
                     field.view.end());
  }
  return family;
}

}  // namespace

/// A step that operations of the library made, in the graph of the program.
ipusim::Program Builder::libraryStep(const ProgramData& program) {
  if (program.kind == ProgramKind::LibraryCopy) {
    const ipusim::CopyStep& copy = state_.variables.copies()[program.number];
    return data_.graph.copy(ipusim::runsOf(copy), copy.name);
  }
  const ipusim::ComputeSet& compute_set = state_.variables.computeSets()[program.number];
  const auto id = data_.graph.addComputeSet(compute_set.name);
  for (const ipusim::VertexFamily& family : compute_set.families) {
    data_.graph.addVertices(id, withElements(family));
  }
  return ipusim::execute(id);
}

void Builder::addExecute(const ProgramData& program) {
  if (program.number >= state_.compute_sets.size()) {
    throw control_program_error("Execute: wanted a compute set of the graph, found another");
  }
  if (!executed_.insert(program.number).second) return;
  const ComputeSetState& compute_set = state_.compute_sets[program.number];
  Writers writers;
  const auto id =
      data_.graph.addComputeSet(compute_set.name.empty() ? "ComputeSet" : compute_set.name);
  for (const std::uint64_t v : compute_set.vertices) {
    const Vertex& vertex = state_.vertices[v];
    if (vertex.tile == kNoTile) {
      throw invalid_tile_mapping(fmt::format("vertex {} of compute set {}: wanted a tile for it "
                                             "(Graph::setTileMapping), found none",
                                             vertex.type, compute_set.name)
                                     .c_str());
    }
    addVertex(id, v, writers);
  }
  const std::string warning = writers.warning(compute_set.name, state_.variables);
  if (!warning.empty()) fmt::print(stderr, "{}\n", warning);
  written_twice_.insert(writers.twice().begin(), writers.twice().end());
  data_.graph.program().add(ipusim::execute(id));
  leaves_.push_back({nullptr, program.number});
}

void Builder::addVertex(ipusim::ComputeSetId compute_set, std::uint64_t number, Writers& writers) {
  const Vertex& vertex = state_.vertices[number];
  ipusim::VertexFamily family{vertex.library, TileId(vertex.tile), 1, {}, false, true};
  std::vector<ipusim::View> views = vertex.views;
  if (!vertex.library) {
    BoundCodelet bound = bindCodelet(state_, vertex, data_);
    family.type = std::move(bound.type);
    data_.edges[number] = std::move(bound.edges);
    views = std::move(bound.views);
  }
  for (ipusim::View& view : views) family.fields.push_back({std::move(view), 0});
  writers.add(family);
  data_.graph.addVertices(compute_set, withElements(std::move(family)));
}

/// The shape of a program's variable: its last dimension is that of the parts of an element.
ipusim::Shape Builder::shapeOf(const ipusim::Variable& variable) {
  ipusim::Shape shape = variable.shape;
  if (!shape.empty() && shape.back() == 1) shape.pop_back();
  return shape;
}

/// The variables of the program's graph under their numbers. Those that nothing uses have no
/// elements. Which of them live always shows when the steps are known.
void Builder::addVariables() {
  const auto& variables = state_.variables.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::uint64_t elements = data_.in_use[v] ? variables[v].elements : 0;
    const ipusim::Tensor added = data_.graph.addVariable(
        variables[v].type, {elements}, variables[v].name, ipusim::Lifetime::Temporary);
    if (elements == 0) continue;
    data_.graph.setShape(added, shapeOf(variables[v]));
    for (const auto& interval : variables[v].mapping.intervals()) {
      data_.graph.setTileMapping(ipusim::contiguous(static_cast<ipusim::VariableId>(v),
                                                    interval.begin, interval.end - interval.begin),
                                 interval.tile);
    }
  }
}

void Builder::use(const TensorData& tensor) {
  for (const auto& piece : tensor.view.pieces())
    data_.in_use[ipusim::indexOf(piece.variable)] = true;
}

void Builder::use(const ipusim::View& view) {
  for (const ipusim::Section& section : view) {
    data_.in_use[ipusim::indexOf(section.variable)] = true;
  }
}

void Builder::useAllOf(const Vertex& vertex) {
  for (const FieldSetting& setting : vertex.settings) {
    for (const Ref<TensorData>& tensor : setting.tensors) use(*tensor);
  }
  for (const ipusim::View& view : vertex.views) use(view);
}

void Builder::useAllOf(const ProgramData& program) {
  if (program.kind == ProgramKind::WriteUndef) return;
  if (program.kind == ProgramKind::Execute && program.number < state_.compute_sets.size()) {
    for (const std::uint64_t v : state_.compute_sets[program.number].vertices) {
      useAllOf(state_.vertices[v]);
    }
  }
  if (program.kind == ProgramKind::LibraryExecute) {
    for (const auto& family : state_.variables.computeSets()[program.number].families) {
      for (const auto& field : family.fields) use(field.view);
    }
  }
  if (program.kind == ProgramKind::LibraryCopy) {
    ipusim::visitMoves(state_.variables.copies()[program.number], [this](const auto& move) {
      data_.in_use[ipusim::indexOf(move.from)] = true;
      data_.in_use[ipusim::indexOf(move.to)] = true;
    });
  }
  if (program.from) use(*program.from);
  if (program.to) use(*program.to);
  if (program.row) use(*program.row);
}

/// Throws where an element in use has no tile.
void Builder::checkMappings() const {
  const auto& variables = state_.variables.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (!data_.in_use[v]) continue;
    std::string missing;
    std::uint64_t next = 0;
    const auto gap = [&](std::uint64_t end) {
      if (next < end) missing += fmt::format("{}[{}, {})", missing.empty() ? "" : ", ", next, end);
    };
    for (const auto& interval : variables[v].mapping.intervals()) {
      gap(interval.begin);
      next = interval.end;
    }
    gap(variables[v].elements);
    if (missing.empty()) continue;
    throw invalid_tile_mapping(fmt::format("variable {}: wanted a tile for each of its {} elements "
                                           "(Graph::setTileMapping), found none for {}",
                                           variables[v].name, variables[v].elements, missing)
                                   .c_str());
  }
}

void Builder::addInstances() {
  for (const auto& [compute_set, range] : data_.compute_sets) {
    for (const std::uint64_t v : state_.compute_sets[compute_set].vertices) {
      data_.instances.add(range, state_.vertices[v].tile, v);
    }
  }
}

}  // namespace poplar::detail
