// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/compiled.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

// One word per pointer and per size.
// Source: Graphcore, Writing vertices in C++.
constexpr Bytes kUserAddStateBytes(12);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kUserAddCodeBytes(250);

Cycles userAddCost(const UserAddShape& shape, const Architecture& machine) {
  return models::compiledCycles(machine, {shape.elements, 1});
}

void computeUserAdd(const UserAddShape& shape, const VertexData& data) {
  auto* sum = data.as<float>(0, 0);
  const auto* more = data.as<float>(1, 0);
  for (std::uint64_t i = 0; i < shape.elements; ++i) sum[i] += more[i];
}

VertexType readUserAdd(const ConfigReader& config, const Architecture& /*machine*/) {
  return userAddVertex({readCount(config, "elements")});
}

}  // namespace

VertexType userAddVertex(const UserAddShape& shape) {
  check(shape.elements > 0, "a sum of nothing");
  VertexType type;
  type.name = "CompiledAdd";
  type.maker = kUserAddEntry.name;
  type.params = {{"elements", shape.elements}};
  type.origin = Origin::User;
  type.kind = VertexKind::Worker;
  type.fields = {{"sum", FieldDirection::InOut, ElementType::Float, {{1, shape.elements}}},
                 {"more", FieldDirection::Input, ElementType::Float, {{1, shape.elements}}}};
  type.sizes = {kUserAddStateBytes, Bytes(0), kUserAddCodeBytes};
  type.work = workOn(type.fields, Flops(shape.elements));
  return withFunctions<UserAddShape>(std::move(type), shape, {userAddCost, computeUserAdd});
}

const VertexEntry kUserAddEntry{"user_add", "sum in place in a user's C++: elements", readUserAdd};

}  // namespace ipusim::workloads
