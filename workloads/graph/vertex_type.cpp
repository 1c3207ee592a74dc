// SPDX-License-Identifier: Apache-2.0
#include "ipusim/vertex_type.h"

#include <fmt/format.h>

#include <tuple>

#include "ipusim/error.h"

namespace ipusim {

namespace {

/// A value as TOML text.
struct ValueText {
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  /// The shortest digits that read back as the equal number, with the point that TOML requires.
  std::string operator()(double value) const { return fmt::format("{:#}", value); }
  std::string operator()(const std::string& word) const { return '"' + word + '"'; }
  std::string operator()(const std::vector<std::uint64_t>& values) const {
    return fmt::format("[{}]", fmt::join(values, ", "));
  }
};

}  // namespace

std::uint64_t Field::edges() const {
  std::uint64_t edges = 0;
  for (const EdgeGroup& group : groups) edges = checkedSum(edges, group.count);
  return edges;
}

std::uint64_t Field::elements() const {
  std::uint64_t elements = 0;
  for (const EdgeGroup& group : groups) {
    elements = checkedSum(elements, checkedProduct(group.count, group.elements));
  }
  return elements;
}

bool operator==(const Field& a, const Field& b) {
  return std::tie(a.name, a.direction, a.type, a.groups, a.memory, a.apart_from) ==
         std::tie(b.name, b.direction, b.type, b.groups, b.memory, b.apart_from);
}

Flops VertexWork::otherFlops() const {
  const Flops in_macs(checkedProduct<std::uint64_t>(checkedSum(half_macs, float_macs), 2));
  check(in_macs <= flops, "the operations of a vertex include those of its multiply-adds");
  return excess(flops, in_macs);
}

VertexWork withMacs(VertexWork work, ElementType operands, std::uint64_t macs) {
  check(operands == ElementType::Half || operands == ElementType::Float,
        "multiply-adds on half or float");
  (operands == ElementType::Half ? work.half_macs : work.float_macs) = macs;
  return work;
}

VertexWork allMacs(const VertexWork& work, ElementType operands) {
  return withMacs(work, operands, work.flops.value() / 2);
}

VertexWork workOn(const std::vector<Field>& fields, Flops flops) {
  VertexWork work{flops, {}, {}};
  for (const Field& field : fields) {
    const Bytes bytes = sizeOf(field.type) * field.elements();
    if (field.direction != FieldDirection::Output) work.loads += bytes;
    if (field.direction != FieldDirection::Input) work.stores += bytes;
  }
  return work;
}

Cycles VertexType::cycles(const Architecture& machine) const {
  if (!cost) throw InternalError(name + ": cycles that depend on data are not replayed yet");
  return cost(machine);
}

bool operator==(const VertexType& a, const VertexType& b) {
  return std::tie(a.name, a.maker, a.params, a.origin, a.kind, a.fields, a.sizes, a.work) ==
         std::tie(b.name, b.maker, b.params, b.origin, b.kind, b.fields, b.sizes, b.work);
}

std::string toText(const VertexType& type) {
  std::string text = "vertex = \"" + type.maker + "\"\n";
  for (const Param& param : type.params) {
    text += param.name + " = " + std::visit(ValueText{}, param.value) + '\n';
  }
  return text;
}

}  // namespace ipusim
