// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/vertex_choice.h"

#include <algorithm>
#include <optional>

#include "models/ipu/cost/reductions/reduce.h"

namespace ipusim::workloads {

namespace {

using models::ReduceOp;

// Bytes of a vertex's state, by which lists are broken up. Source: as in the header.
constexpr std::uint64_t kListBytes = 22;
constexpr std::uint64_t kListPartBytes = 8;
constexpr std::uint64_t kFormBytes = 12;  ///< of a vertex that is no list

bool hasSingleInput(const models::ReduceKind& kind) {
  const bool sums =
      kind.op == ReduceOp::Add || kind.op == ReduceOp::SquareAdd || kind.op == ReduceOp::LogAdd;
  return sums && kind.into == models::ReduceInto::Fresh;
}

/// True when the partials of each column are one run. A column of one row is taken as a row.
bool areRuns(const ColumnPattern& pattern, const PatternPart& part) {
  if (part.rows() == 1) return part.columns() == 1;
  return pattern.inner > 1 && pattern.outer == 1;
}

/// Joins parts that are neighbours in their pattern, and whose outputs are.
std::vector<PatternPart> joined(const std::vector<PatternPart>& parts) {
  std::vector<PatternPart> runs;
  for (const PatternPart& part : parts) {
    if (!runs.empty()) {
      PatternPart& last = runs.back();
      const bool is_next = last.pattern == part.pattern && last.end == part.begin &&
                           last.first == part.first && last.last == part.last;
      const bool goes_next =
          last.between.has_value() == part.between.has_value() &&
          (!part.between || (part.between->pattern == last.between->pattern &&
                             part.between->offset == last.between->offset + last.columns()));
      if (is_next && goes_next) {
        last.end = part.end;
        continue;
      }
    }
    runs.push_back(part);
  }
  return runs;
}

class VertexChoice {
 public:
  VertexChoice(const VertexInputs& inputs, const models::ReduceKind& kind)
      : inputs_(inputs), kind_(kind) {}

  /// The vertex that is no list and takes this part, if there is one.
  [[nodiscard]] std::optional<ReduceVertexPlan> formFor(const PatternPart& part) const {
    const bool runs = areRuns(inputs_.patterns[part.pattern], part);
    if (runs && part.columns() == 1 && hasSingleInput(kind_)) {
      return ReduceVertexPlan{ReduceVertexForm::SingleInput, kind_, {part}};
    }
    if (kind_.op == ReduceOp::Multiply) return std::nullopt;
    if (runs) return ReduceVertexPlan{ReduceVertexForm::Continuous, kind_, {part}};
    if (const std::uint64_t stride = strideOf(part); stride > 0) {
      return ReduceVertexPlan{ReduceVertexForm::Strided, kind_, {part}, stride};
    }
    return std::nullopt;
  }

  [[nodiscard]] ReduceVertexPlan listOf(const std::vector<PatternPart>& parts) const {
    const bool are_single = std::all_of(parts.begin(), parts.end(), [this](const auto& part) {
      return part.columns() == 1 || inputs_.patterns[part.pattern].inner > 1;
    });
    return {are_single ? ReduceVertexForm::SingleOutputs : ReduceVertexForm::Regions, kind_, parts};
  }

  /// The vertices of parts that no vertex but a list takes together.
  [[nodiscard]] std::vector<ReduceVertexPlan> brokenUp(
      const std::vector<PatternPart>& parts) const {
    std::vector<ReduceVertexPlan> vertices;
    std::vector<PatternPart> rest;
    std::vector<ReduceVertexPlan> apart;
    std::uint64_t apart_bytes = 0;
    for (const PatternPart& part : parts) {
      const auto form = formFor(part);
      if (form && form->form != ReduceVertexForm::SingleInput) {
        vertices.push_back(*form);
        continue;
      }
      rest.push_back(part);
      apart.push_back(form ? *form : listOf({part}));
      apart_bytes += form ? kFormBytes : kListBytes + kListPartBytes;
    }
    if (rest.empty()) return vertices;
    if (kListBytes + kListPartBytes * rest.size() <= apart_bytes) apart = {listOf(rest)};
    vertices.insert(vertices.end(), apart.begin(), apart.end());
    return vertices;
  }

 private:
  /// The stride of a Strided vertex, or none.
  [[nodiscard]] std::uint64_t strideOf(const PatternPart& part) const {
    const ColumnPattern& pattern = inputs_.patterns[part.pattern];
    const auto isMultiple = [](std::uint64_t elements, ElementType type, Bytes of) {
      return (sizeOf(type) * elements).value() % of.value() == 0;
    };
    if (pattern.inner != 1) return 0;
    if (!isMultiple(part.columns(), kind_.output, inputs_.core.atomic_store)) return 0;
    if (!isMultiple(part.columns(), kind_.partials, inputs_.core.data_path)) return 0;
    if (part.rows() == 1) return part.columns();
    const bool is_regular = pattern.stride != kAnyStride;
    if (is_regular && isMultiple(pattern.stride, kind_.partials, inputs_.core.data_path)) {
      return pattern.stride;
    }
    return inputs_.from == PartialsIn::Exchange ? part.columns() : 0;
  }

  const VertexInputs& inputs_;
  const models::ReduceKind& kind_;
};

/// An output region of a list, and its runs of partials.
struct ListRegion {
  std::uint64_t outputs;
  std::uint64_t runs;
  std::uint64_t elements;  ///< of each run
};

ListRegion regionOf(const ColumnPattern& pattern, const PatternPart& part) {
  if (pattern.inner > 1) {
    const std::uint64_t runs = ceilDiv(part.rows(), pattern.inner);
    return {1, runs, part.rows() / runs};
  }
  if (pattern.stride == part.columns()) return {part.columns(), 1, part.columns() * part.rows()};
  return {part.columns(), part.rows(), part.columns()};
}

/// Slots of a list of one region. The estimate grows by equal amounts with equal runs.
std::uint64_t regionSlots(const Architecture& machine, const models::ReduceKind& kind,
                          const ListRegion& region) {
  const auto withRuns = [&](std::uint64_t runs) {
    const std::vector<std::uint64_t> elements(runs, region.elements);
    return models::reduceCycles(machine, kind, {{region.outputs, elements}}).value();
  };
  const std::uint64_t one = withRuns(1);
  return one + (region.runs - 1) * (withRuns(2) - one);
}

Cycles listCycles(const Architecture& machine, const std::vector<ColumnPattern>& patterns,
                  const ReduceVertexPlan& vertex) {
  const std::uint64_t start = models::reduceCycles(machine, vertex.kind, {}).value();
  std::uint64_t slots = start;
  for (const PatternPart& part : vertex.parts) {
    const ColumnPattern& pattern = patterns[part.pattern];
    // Columns with an inner factor are regions of one output each, all alike.
    const std::uint64_t regions = pattern.inner > 1 ? part.columns() : 1;
    slots += regions * (regionSlots(machine, vertex.kind, regionOf(pattern, part)) - start);
  }
  return Cycles(slots);
}

}  // namespace

std::vector<ReduceVertexPlan> verticesFor(const VertexInputs& inputs,
                                          const models::ReduceKind& kind,
                                          const std::vector<PatternPart>& parts) {
  if (parts.empty()) return {};
  const VertexChoice choice(inputs, kind);
  const std::vector<PatternPart> runs = joined(parts);
  if (runs.size() == 1) {
    const auto form = choice.formFor(runs.front());
    return {form ? *form : choice.listOf(runs)};
  }
  return choice.brokenUp(runs);
}

Cycles reduceVertexCycles(const Architecture& machine, const std::vector<ColumnPattern>& patterns,
                          const ReduceVertexPlan& vertex) {
  const PatternPart& part = vertex.parts.front();
  switch (vertex.form) {
    case ReduceVertexForm::SingleInput:
    case ReduceVertexForm::Continuous:
      if (part.columns() > 1) {
        return models::continuousReduceCycles(machine, {vertex.kind, part.rows(), part.columns()});
      }
      if (vertex.kind.op == ReduceOp::LogAdd) break;
      return models::singleReduceCycles(machine, {vertex.kind, part.rows(), 1});
    case ReduceVertexForm::Strided:
      return models::stridedReduceCycles(machine,
                                         {vertex.kind, part.rows(), part.columns(), vertex.stride});
    case ReduceVertexForm::SingleOutputs:
    case ReduceVertexForm::Regions:
      break;
  }
  return listCycles(machine, patterns, vertex);
}

}  // namespace ipusim::workloads
