// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/movement/multi_slice.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/movement/slice_params.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Pointers, sizes, the share of each worker, and the scale.
// Source: poplibs lib/popops/codelets/ScaledMultiUpdateOp.cpp.
constexpr Bytes kMultiUpdateAddStateBytes(36);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kMultiUpdateAddCodeBytes(240);

Cycles multiUpdateAddCost(const LookUpShape& shape, const Architecture& machine) {
  return multiUpdateAddCycles(machine, shape);
}

void computeMultiUpdateAdd(const LookUpShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    const auto* offsets = data.as<std::uint32_t>(0, 0);
    const auto* added = data.as<Number>(2, 0);
    const auto scale = static_cast<float>(*data.as<Number>(3, 0));
    for (std::uint64_t i = 0; i < shape.offsets; ++i, added += shape.elements) {
      const std::optional<std::uint32_t> found = rowOf(shape, offsets[i]);
      if (!found) continue;
      auto* row = data.as<Number>(1, 0) + *found * shape.elements;
      for (std::uint64_t e = 0; e < shape.elements; ++e) {
        row[e] =
            static_cast<Number>(static_cast<float>(row[e]) + scale * static_cast<float>(added[e]));
      }
    }
  });
}

/// Only the rows that are looked up are loaded and stored.
VertexWork workFor(const LookUpShape& shape) {
  const std::uint64_t touched = expectedHits(shape, shape.offsets, shape.rows) * shape.elements;
  const Bytes offsets = sizeOf(ElementType::UInt32) * shape.offsets;
  return allMacs({Flops(2 * touched), offsets + sizeOf(shape.type) * (2 * touched + 1),
                  sizeOf(shape.type) * touched},
                 shape.type);
}

}  // namespace

VertexType multiUpdateAddVertex(const LookUpShape& shape) {
  check(shape.rows > 0 && shape.elements > 0 && shape.offsets > 0, "a look-up of nothing");
  VertexType type;
  type.name = std::string("popops::ScaledMultiUpdateOp<") + nameOf(shape.type) + "," +
              nameOf(shape.type) + ",ADD>";
  type.maker = kMultiSliceEntry.name;
  type.params = lookUpParams(models::SliceDirection::Update, shape);
  type.kind = VertexKind::Supervisor;
  type.fields = {{"offsets", FieldDirection::Input, ElementType::UInt32, {{1, shape.offsets}}},
                 {"baseT", FieldDirection::InOut, shape.type, {{1, shape.rows * shape.elements}}},
                 {"subT", FieldDirection::Input, shape.type, {{1, shape.offsets * shape.elements}}},
                 {"scale", FieldDirection::Input, shape.type, {{1, 1}}}};
  type.sizes = {kMultiUpdateAddStateBytes, Bytes(0), kMultiUpdateAddCodeBytes};
  type.work = workFor(shape);
  return withFunctions<LookUpShape>(std::move(type), shape,
                                    {multiUpdateAddCost, computeMultiUpdateAdd});
}

Cycles multiUpdateAddCycles(const Architecture& machine, const LookUpShape& shape) {
  const bool parts =
      sizeOf(shape.type).value() * shape.elements % machine.atomic_store.value() != 0;
  return models::multiUpdateCycles(
      machine, {models::UpdateOp::ScaledAdd, shape.type, shape.type, shape.elements,
                updateLookUps(machine, shape), machine.atomic_store,
                parts ? models::SubWordWrites::Needed : models::SubWordWrites::Avoided});
}

}  // namespace ipusim::workloads
