// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/host_access.h"

#include <map>

#include "ipusim/error.h"
#include "sim/execute/element_value.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::executor {

namespace {

using ShareToIndex = Ends<ShareElements, PackedElements>;

/// The elements of a piece of a tensor, each with its place in row-major order.
Walk<Ends<VariableElements, PackedElements>> walkOf(const Tensor::Piece& piece,
                                                    const Shape& shape) {
  Walk<Ends<VariableElements, PackedElements>> walk{{piece.offset, PackedElements(0)}};
  std::uint64_t distance = 1;
  for (std::size_t d = shape.size(); d-- > 0; distance *= shape[d]) {
    walk.begin.to += PackedElements(piece.begin[d] * distance);
    if (piece.extent[d] == 1) continue;
    walk.levels.insert(
        walk.levels.begin(),
        {piece.extent[d], {VariableElements(piece.stride[d]), PackedElements(distance)}});
  }
  walk.normalize();
  return walk;
}

/// Calls `run(begin, level)` for every run along the innermost level. Goes through the levels from
/// `outer` inward.
template <typename Run>
void forEachRun(const Walk<ShareToIndex>& walk, std::size_t outer, ShareToIndex begin,
                const Run& run) {
  const std::size_t levels = walk.levels.size();
  if (outer + 1 >= levels) {
    run(begin, levels == 0 ? Level<ShareToIndex>{1, {}} : walk.levels.back());
    return;
  }
  for (std::uint64_t i = 0; i < walk.levels[outer].count; ++i) {
    forEachRun(walk, outer + 1, begin, run);
    begin += walk.levels[outer].stride;
  }
}

}  // namespace

void HostAccess::expectReachable(const HostTensor& tensor) const {
  for (const Tensor::Piece& piece : tensor.tensor.pieces()) {
    const Variable& variable = graph_.variable(piece.variable);
    if (variable.lifetime == Lifetime::Always) continue;
    throw GraphError("tensor " + tensor.name + ": wanted a variable that lives always, found " +
                     variable.name + ", which the host cannot reach");
  }
}

/// Calls `use(run)` with the elements of the tensor, one run at a time.
template <typename Use>
void HostAccess::forEachRunOf(const HostTensor& tensor, const Use& use) {
  const Bytes bytes = sizeOf(tensor.tensor.type());
  std::map<VariableId, MappingIndex> mappings;
  for (const Tensor::Piece& piece : tensor.tensor.pieces()) {
    const Variable& variable = graph_.variable(piece.variable);
    const MappingIndex& mapping = mappings.try_emplace(piece.variable, variable).first->second;
    if (variable.type != tensor.tensor.type()) {
      throw GraphError("tensor " + tensor.name + ": wanted the type of its variable " +
                       variable.name);
    }
    for (const auto& part : cut(walkOf(piece, tensor.tensor.shape()), mapping)) {
      const BlockId share =
          executable_.lowered.share_of.at(indexOf(piece.variable)).at(part.tile.tile());
      forEachRun(part.walk, 0, part.walk.begin,
                 [&](const ShareToIndex& begin, const Level<ShareToIndex>& level) {
                   use(HostRun{level.count, begin.to.value(), level.stride.to.value(), share,
                               bytes * begin.from.value(), bytes * level.stride.from.value()});
                 });
    }
  }
}

std::byte* HostAccess::at(const HostRun& run) {
  return memories_.at(executable_.lowered.blocks.at(indexOf(run.block))) + run.offset.value();
}

namespace {

/// Calls `use(offset, bytes)` with each stretch of consecutive bytes that the run has in its block.
template <typename Use>
void forEachPart(const HostRun& run, Bytes element, const Use& use) {
  if (run.stride == element) {
    use(run.offset, run.count * element);
    return;
  }
  for (std::uint64_t i = 0; i < run.count; ++i) use(run.offset + i * run.stride, element);
}

}  // namespace

std::vector<HostRun> HostAccess::runsOf(const HostTensor& tensor) {
  std::vector<HostRun> runs;
  forEachRunOf(tensor, [&](const HostRun& run) { runs.push_back(run); });
  return runs;
}

void HostAccess::write(const HostTensor& tensor, const Values& values) {
  expectReachable(tensor);
  if (values.size() != tensor.tensor.elements()) {
    throw GraphError("tensor " + tensor.name + ": wanted a value for each of its " +
                     std::to_string(tensor.tensor.elements()) + " elements, found " +
                     std::to_string(values.size()));
  }
  forEachRunOf(tensor, [&](const HostRun& run) { put(tensor.tensor.type(), values, run); });
}

/// Writes the values of the run's elements.
void HostAccess::put(ElementType type, const Values& values, const HostRun& run) {
  storeElements(type, values.data() + run.index, run.index_stride, {run.count, run.stride.value()},
                at(run));
  ByteOwners* owners = memories_.owners();
  if (owners == nullptr) return;
  forEachPart(run, sizeOf(type), [&](Bytes offset, Bytes bytes) {
    owners->write({run.block, offset, bytes});
  });
}

void HostAccess::loadConstants() {
  const auto& variables = graph_.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    if (!variable.constant) continue;
    Values values(variable.elements);
    for (std::uint64_t e = 0; e < values.size(); ++e) values[e] = variable.constant(e);
    write({variable.name, Tensor(static_cast<VariableId>(v), variable.type, {variable.elements})},
          values);
  }
}

Values HostAccess::read(const HostTensor& tensor) {
  expectReachable(tensor);
  Values values(tensor.tensor.elements());
  const ElementType type = tensor.tensor.type();
  const ByteOwners* owners = memories_.owners();
  forEachRunOf(tensor, [&](const HostRun& run) {
    loadElements(type, at(run), {run.count, run.stride.value()}, values.data() + run.index,
                 run.index_stride);
    if (owners == nullptr) return;
    forEachPart(run, sizeOf(type), [&](Bytes offset, Bytes bytes) {
      owners->expectWritten({run.block, offset, bytes}, "the host's " + tensor.name);
    });
  });
  return values;
}

}  // namespace ipusim::executor
