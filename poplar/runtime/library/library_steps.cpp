// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/library/library_steps.h"

#include <fmt/format.h>

#include <cstring>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "sim/execute/element_value.h"

namespace poplar::detail {

namespace {

Ref<ProgramData> step(ProgramKind kind, std::uint64_t number) {
  auto* made = new ProgramData;
  made->kind = kind;
  made->number = number;
  return Ref<ProgramData>::taking(made);
}

TypeId typeOf(ipusim::ElementType type) {
  switch (type) {
    case ipusim::ElementType::Half:
      return TypeId::Half;
    case ipusim::ElementType::Float:
      return TypeId::Float;
    case ipusim::ElementType::Int32:
      return TypeId::Int;
    case ipusim::ElementType::UInt32:
      return TypeId::UnsignedInt;
    case ipusim::ElementType::UInt16:
      return TypeId::UnsignedShort;
    case ipusim::ElementType::Quarter:
      return TypeId::Quarter;
    case ipusim::ElementType::Bool:
      break;
  }
  return TypeId::Bool;
}

}  // namespace

void checkIsWholeIpu(const GraphData& graph, const std::string& what) {
  const unsigned ipus = graph.state->target.ipus;
  if (graph.tiles.empty() && ipus == 1) return;
  throw poplar_error(fmt::format("{}: wanted a graph of all tiles of one IPU, found {}", what,
                                 graph.tiles.empty()
                                     ? fmt::format("one of {} IPUs", ipus)
                                     : fmt::format("a virtual one of {} tiles", graph.tiles.size()))
                         .c_str());
}

ipusim::Tensor LibrarySteps::viewOf(const TensorData& tensor) {
  ipusim::Shape shape = tensor.view.shape();
  const std::uint64_t unit = shape.back();
  shape.pop_back();
  if (!shape.empty()) shape.back() *= unit;
  if (shape.empty() && unit > 1) shape = {unit};
  return tensor.view.reshape(shape);
}

TensorData* LibrarySteps::tensor(const ipusim::Tensor& view, TypeId type) const {
  auto made = std::make_unique<TensorData>();
  made->type = type;
  made->unit = storageOf(type).unit;
  ipusim::Shape shape = view.shape();
  if (made->unit > 1) shape.back() /= made->unit;
  shape.push_back(made->unit);
  made->view = view.reshape(shape);
  made->names = state_.names;
  return made.release();
}

/// Names the variables that the operations made, and gives constants their values.
void LibrarySteps::registerVariables() {
  const auto& variables = state_.variables.variables();
  for (std::size_t v = state_.names->variables.size(); v < variables.size(); ++v) {
    const ipusim::Variable& variable = variables[v];
    state_.names->variables.push_back({variable.name, static_cast<bool>(variable.constant)});
    if (!variable.constant) continue;
    const ipusim::Tensor all(static_cast<ipusim::VariableId>(v), variable.type,
                             {variable.elements});
    const std::size_t bytes = ipusim::sizeOf(variable.type).value();
    std::vector<std::byte> values(variable.elements * bytes);
    for (std::uint64_t e = 0; e < variable.elements; ++e) {
      ipusim::executor::storeElement(variable.type, variable.constant(e),
                                     values.data() + e * bytes);
    }
    state_.initial.push_back(
        {Ref<TensorData>::taking(tensor(all, typeOf(variable.type))), std::move(values)});
  }
}

Ref<ProgramData> LibrarySteps::converted(const ipusim::Sequence& sequence) const {
  auto* made = new ProgramData;
  for (const ipusim::Program& each : sequence.steps) made->steps.push_back(converted(each));
  return Ref<ProgramData>::taking(made);
}

Ref<ProgramData> LibrarySteps::converted(const ipusim::Program& program) const {
  if (const auto* sequence = std::get_if<ipusim::Sequence>(&program.step)) {
    return converted(*sequence);
  }
  if (const auto* execute = std::get_if<ipusim::Execute>(&program.step)) {
    return step(ProgramKind::LibraryExecute, ipusim::indexOf(execute->compute_set));
  }
  if (const auto* copy = std::get_if<ipusim::Copy>(&program.step)) {
    return step(ProgramKind::LibraryCopy, ipusim::indexOf(copy->copy));
  }
  if (const auto* undef = std::get_if<ipusim::WriteUndef>(&program.step)) {
    auto* made = new ProgramData;
    for (const ipusim::VariableId id : undef->variables) made->steps.push_back(undefOf(id));
    return Ref<ProgramData>::taking(made);
  }
  const auto* repeat = std::get_if<ipusim::Repeat>(&program.step);
  ipusim::check(repeat != nullptr, "a step that operations of the library add");
  auto* made = new ProgramData;
  made->kind = ProgramKind::Repeat;
  made->number = repeat->count;
  made->steps.push_back(converted(repeat->body));
  return Ref<ProgramData>::taking(made);
}

/// The step that says that a variable holds nothing.
Ref<ProgramData> LibrarySteps::undefOf(ipusim::VariableId id) const {
  const ipusim::Variable& variable = state_.variables.variable(id);
  const ipusim::Tensor all(id, variable.type, {variable.elements});
  const auto to = Ref<TensorData>::taking(tensor(all, typeOf(variable.type)));
  return Ref<ProgramData>::taking(makeWriteUndef(to.get()));
}

ProgramData* LibrarySteps::finish() {
  registerVariables();
  return retained(converted(program_).get());
}

}  // namespace poplar::detail
