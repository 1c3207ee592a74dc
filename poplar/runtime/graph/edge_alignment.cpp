// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/edge_alignment.h"

#include <algorithm>

namespace poplar::detail {

namespace {

/// Calls `visit` with each address that the pointers of a pattern have.
template <typename Visit>
void forEachAddress(const ipusim::compiler::EdgePattern& pattern, std::uint64_t block,
                    const Visit& visit) {
  const std::uint64_t pointers = pattern.walk.elements();
  for (std::uint64_t p = 0; p < pointers; ++p) {
    std::uint64_t address = block + pattern.walk.begin.value();
    std::uint64_t rest = p;
    for (auto level = pattern.walk.levels.rbegin(); level != pattern.walk.levels.rend(); ++level) {
      address += rest % level->count * level->stride.value();
      rest /= level->count;
    }
    visit(address);
  }
}

void count(const ipusim::compiler::BoundFamily& family, const ipusim::codelets::VertexType& codelet,
           const ExecutableData& data, EdgeAlignment& found) {
  const auto& fields = family.type->fields;
  const auto bound = family.fields.list();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto stated =
        std::find_if(codelet.fields.begin(), codelet.fields.end(),
                     [&](const auto& field) { return field.name == fields[f].name; });
    if (stated == codelet.fields.end() || stated->min_align <= stated->element.bytes) continue;
    for (const auto& pattern : bound[f].patterns) {
      const auto& block = data.executable.lowered.blocks[ipusim::indexOf(pattern.block)];
      forEachAddress(pattern, block.address.value(), [&](std::uint64_t address) {
        ++found.stated;
        if (address % stated->min_align != 0) ++found.missed;
      });
    }
  }
}

}  // namespace

EdgeAlignment alignmentOf(const ExecutableData& data) {
  EdgeAlignment found;
  for (const ipusim::compiler::Step& step : data.executable.lowered.steps) {
    for (const ipusim::compiler::BoundFamily& family : step.families) {
      const auto* const codelet = data.codelets.find(family.type->name);
      if (codelet != nullptr) count(family, *codelet, data, found);
    }
  }
  return found;
}

}  // namespace poplar::detail
