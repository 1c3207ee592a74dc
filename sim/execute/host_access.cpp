// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/host_access.h"

#include <map>

#include "ipusim/error.h"
#include "sim/execute/element_value.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::checker {

namespace {

using ShareToIndex = Ends<ShareElements, PackedElements>;

/// Calls `element(ends)` for every element that the levels from `level` inward meet.
template <typename Element>
void forEach(const Walk<ShareToIndex>& walk, std::size_t level, ShareToIndex ends,
             const Element& element) {
  if (level == walk.levels.size()) {
    element(ends);
    return;
  }
  for (std::uint64_t i = 0; i < walk.levels[level].count; ++i) {
    forEach(walk, level + 1, ends, element);
    ends += walk.levels[level].stride;
  }
}

}  // namespace

/// Calls `element(index, where)` with each row-major index of the tensor and its place in memory.
template <typename Element>
void HostAccess::forEachElement(const HostTensor& tensor, const Element& element) {
  const Bytes bytes = sizeOf(tensor.tensor.type());
  std::map<VariableId, MappingIndex> mappings;
  for (const PackedSection& section : packed(tensor.tensor.view())) {
    const Variable& variable = graph_.variable(section.variable);
    const MappingIndex& mapping = mappings.try_emplace(section.variable, variable).first->second;
    if (variable.lifetime != Lifetime::Always) {
      throw GraphError("tensor " + tensor.name + ": wanted a variable that lives always, found " +
                       variable.name + ", which the host cannot reach");
    }
    if (variable.type != tensor.tensor.type()) {
      throw GraphError("tensor " + tensor.name + ": wanted the type of its variable " +
                       variable.name);
    }
    for (const auto& part : cut(section.walk, mapping)) {
      std::byte* share = memories_.at(executable_.shareOf(section.variable, part.tile));
      forEach(part.walk, 0, part.walk.begin, [&](const ShareToIndex& ends) {
        element(ends.to.value(), share + (bytes * ends.from.value()).value());
      });
    }
  }
}

void HostAccess::write(const HostTensor& tensor, const Values& values) {
  if (values.size() != tensor.tensor.elements()) {
    throw GraphError("tensor " + tensor.name + ": wanted a value for each of its " +
                     std::to_string(tensor.tensor.elements()) + " elements, found " +
                     std::to_string(values.size()));
  }
  forEachElement(tensor, [&](std::uint64_t index, std::byte* where) {
    storeElement(tensor.tensor.type(), values[index], where);
  });
}

void HostAccess::loadConstants() {
  const auto& variables = graph_.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    if (!variable.constant) continue;
    const Tensor whole(static_cast<VariableId>(v), variable.type, {variable.elements});
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
