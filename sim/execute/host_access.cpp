// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/host_access.h"

#include <map>

#include "base/error.h"
#include "sim/execute/element_value.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::checker {

using compiler::Block;
using workloads::CutMove;
using workloads::MappingIndex;
using workloads::Move;
using workloads::MoveDim;
using workloads::MoveDims;
using workloads::Variable;

namespace {

/// Calls `element(from, to)` for every element of a move, offsets in elements, from level `level`
/// inward.
template <typename Element>
void walk(const MoveDims& dims, std::size_t level, std::uint64_t from, std::uint64_t to,
          const Element& element) {
  if (level == dims.size()) {
    element(from, to);
    return;
  }
  const MoveDim& dim = dims[level];
  for (std::uint64_t i = 0; i < dim.count; ++i) {
    walk(dims, level + 1, from + i * dim.from_stride, to + i * dim.to_stride, element);
  }
}

}  // namespace

/// Calls `element(index, where)` with each row-major index of the tensor and its place in memory.
template <typename Element>
void HostAccess::forEachElement(const HostTensor& tensor, const Element& element) {
  const Bytes bytes = sizeOf(tensor.tensor.type());
  std::map<VariableId, MappingIndex> mappings;
  for (const Move& move : workloads::packingMoves(tensor.tensor.view(), 0)) {
    const Variable& variable = graph_.variable(move.from);
    const MappingIndex& mapping = mappings.try_emplace(move.from, variable).first->second;
    if (variable.lifetime != workloads::Lifetime::Always) {
      throw InternalError(tensor.name + ": the host reaches only what lives always");
    }
    if (variable.type != tensor.tensor.type()) {
      throw InternalError(tensor.name + ": a variable of another type");
    }
    std::vector<CutMove> parts;
    workloads::cutBySide(move, workloads::Side::From, mapping, parts);
    for (const CutMove& part : parts) {
      const Block& block = executable_.shareOf(move.from, part.tile);
      std::byte* share = memories_.at(block);
      walk(part.move.dims, 0, part.move.from_offset, part.move.to_offset,
           [&](std::uint64_t from, std::uint64_t to) {
             element(to, share + (from * bytes).value());
           });
    }
  }
}

void HostAccess::write(const HostTensor& tensor, const Values& values) {
  check(values.size() == tensor.tensor.elements(), tensor.name + ": one value for each element");
  forEachElement(tensor, [&](std::uint64_t index, std::byte* where) {
    storeElement(tensor.tensor.type(), values[index], where);
  });
}

void HostAccess::loadConstants() {
  const auto& variables = graph_.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    if (!variable.constant) continue;
    const workloads::Tensor whole(static_cast<VariableId>(v), variable.type, {variable.elements});
    forEachElement({variable.name, whole}, [&](std::uint64_t index, std::byte* where) {
      storeElement(variable.type, variable.constant(index), where);
    });
  }
}

Values HostAccess::read(const HostTensor& tensor) {
  Values values(tensor.tensor.elements());
  forEachElement(tensor, [&](std::uint64_t index, std::byte* where) {
    values[index] = loadElement(tensor.tensor.type(), where);
  });
  return values;
}

}  // namespace ipusim::checker
