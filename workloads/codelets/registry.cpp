// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/registry.h"

#include "workloads/codelets/amp.h"
#include "workloads/codelets/copy.h"
#include "workloads/codelets/fill.h"
#include "workloads/codelets/reduce_add.h"
#include "workloads/codelets/transpose.h"

namespace ipusim::workloads {

using models::ElementType;
using models::Machine;

namespace {

// No field of a vertex can outgrow a tile by more than this.
constexpr std::uint64_t kMaxElements = 1U << 24U;

ElementType readType(const ConfigReader& config, const std::string& key) {
  return config.choice(key, {"half", "float"}) == "half" ? ElementType::Half : ElementType::Float;
}

std::shared_ptr<const Codelet> makeAmp(const ConfigReader& config, const Machine& machine) {
  const ElementType inputs = readType(config, "type");
  const ElementType partials = readType(config, "partials_type");
  if (inputs == ElementType::Float && partials == ElementType::Half) {
    throw config.error("partials_type", "\"float\" with float inputs");
  }
  models::Amp1x1Shape shape{};
  shape.engine = {inputs, partials, models::ampUnits(machine, inputs, partials)};
  shape.field = config.whole("field", 1, kMaxElements);
  shape.conv_groups = 1;
  shape.in_groups = config.whole("in_groups", 1, kMaxElements, 1);
  shape.out_groups = config.whole("out_groups", 1, kMaxElements, 1);
  shape.out_chans_per_group = shape.engine.conv_units;
  return std::make_shared<ConvPartial1x1Out>(shape, models::ampWeightsPerUnit(machine, inputs));
}

std::shared_ptr<const Codelet> makeCopy(const ConfigReader& config, const Machine&) {
  const CopyRuns runs{config.whole("runs", 1, kMaxElements, 1),
                      config.whole("elements", 1, kMaxElements)};
  return std::make_shared<Copy>(readType(config, "type"), std::vector<CopyRuns>{runs});
}

std::shared_ptr<const Codelet> makeReduceAdd(const ConfigReader& config, const Machine& machine) {
  const models::ReduceAddShape shape{readType(config, "partials_type"), readType(config, "type"),
                                     config.whole("elements", 1, kMaxElements),
                                     config.whole("partials", 2, kMaxElements)};
  return std::make_shared<ReduceAdd>(machine, shape);
}

std::shared_ptr<const Codelet> makeTranspose(const ConfigReader& config, const Machine& machine) {
  const ElementType type = readType(config, "type");
  const std::uint64_t rows = config.whole("rows", 1, kMaxElements);
  const std::uint64_t columns = config.whole("columns", 1, kMaxElements);
  const std::uint64_t matrices = config.whole("matrices", 1, kMaxElements, 1);
  return std::make_shared<Transpose>(
      type, models::transposeVertexFor(machine, sizeOf(type), rows, columns, matrices), rows,
      columns, matrices);
}

std::shared_ptr<const Codelet> makeZero(const ConfigReader& config, const Machine&) {
  return std::make_shared<Zero>(readType(config, "type"),
                                config.whole("regions", 1, kMaxElements, 1),
                                config.whole("elements", 1, kMaxElements));
}

}  // namespace

const std::vector<CodeletKind>& codeletKinds() {
  static const std::vector<CodeletKind> kKinds = {
      {"amp", "matrix engine, ConvPartial1x1Out: type, partials_type, field, in_groups, out_groups",
       makeAmp},
      {"copy", "copy on a tile: type, elements (of a run), runs", makeCopy},
      {"reduce_add", "sum of partials, ReduceAdd: type, partials_type, elements, partials",
       makeReduceAdd},
      {"transpose", "transpose on a tile: type, rows, columns, matrices", makeTranspose},
      {"zero", "clear, Fill and Fill2d: type, elements (of a region), regions", makeZero},
  };
  return kKinds;
}

}  // namespace ipusim::workloads
