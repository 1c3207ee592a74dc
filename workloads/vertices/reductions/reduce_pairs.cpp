// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/reductions/reduce.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kPartials = 2;

// Pointers to output and partials, and the counts. The list of regions has tables instead.
// Source: poplibs lib/popops/codelets/reduction/*.cpp.
constexpr Bytes kReducePairsStateBytes(16);
constexpr Bytes kReducePairsRegionBytes(12);
// Estimated as for ReduceAdd.
constexpr Bytes kReducePairsCodeBytes(320);

const char* formOf(const ReducePairsShape& shape) {
  if (shape.rows == 1) return "StridedReduce";
  return shape.columns == 1 ? "ContinuousReduce" : "Reduce";
}

Cycles reducePairsCost(const ReducePairsShape& shape, const Architecture& machine) {
  const models::ReduceKind kind{models::ReduceOp::Add, shape.type, shape.type};
  if (shape.rows == 1) {
    return models::stridedReduceCycles(machine, {kind, kPartials, shape.columns, shape.stride});
  }
  if (shape.columns == 1) {
    return models::continuousReduceCycles(machine, {kind, kPartials, shape.rows});
  }
  const models::ReduceRegion region{shape.columns, {kPartials * shape.columns}};
  return models::reduceCycles(machine, kind, std::vector<models::ReduceRegion>(shape.rows, region));
}

void computeReducePairs(const ReducePairsShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    for (std::uint64_t r = 0; r < shape.rows; ++r) {
      mapNumbers(
          shape.columns, [](float a, float b) { return a + b; }, data.as<Number>(1, r),
          data.as<Number>(2, r), data.as<Number>(0, r));
    }
  });
}

VertexType readReducePairs(const ConfigReader& config, const Architecture& /*machine*/) {
  const std::uint64_t columns = readCount(config, "columns");
  return reducePairsVertex({readWord(config, "type", kNumberWords), readCount(config, "rows"),
                            columns, config.whole("stride", columns, kMaxElements, columns)});
}

}  // namespace

VertexType reducePairsVertex(const ReducePairsShape& shape) {
  check(shape.rows > 0 && shape.columns > 0, "a reduction to nothing");
  const EdgeGroups groups{{shape.rows, shape.columns}};
  const bool list = shape.rows != 1 && shape.columns != 1;
  VertexType type;
  type.name = std::string("popops::") + formOf(shape) + "<ReduceAdd," + nameOf(shape.type) + "," +
              nameOf(shape.type) + ">";
  type.maker = kReducePairsEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)},
                 {"rows", shape.rows},
                 {"columns", shape.columns},
                 {"stride", shape.stride}};
  type.kind = VertexKind::Worker;
  type.fields = {{"out", FieldDirection::Output, shape.type, groups},
                 {"first", FieldDirection::Input, shape.type, groups},
                 {"second", FieldDirection::Input, shape.type, groups}};
  type.sizes = {kReducePairsStateBytes, list ? kReducePairsRegionBytes * shape.rows : Bytes(0),
                kReducePairsCodeBytes};
  type.work = workOn(type.fields, Flops(shape.rows * shape.columns));
  return withFunctions<ReducePairsShape>(std::move(type), shape,
                                         {reducePairsCost, computeReducePairs});
}

const VertexEntry kReducePairsEntry{
    "reduce_pairs", "sum of two rows of partials, Reduce: type, rows, columns", readReducePairs};

}  // namespace ipusim::workloads
