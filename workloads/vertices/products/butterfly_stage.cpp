// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/products/butterfly.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kLines = 0;
constexpr std::size_t kTwiddles = 1;
constexpr std::size_t kButterflyStageOut = 2;
constexpr std::size_t kPartners = 3;

// Four pointers and four sizes.
constexpr Bytes kButterflyStageStateBytes(24);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kButterflyStageCodeBytes(250);

constexpr Words<ButterflyOutputs, 3> kOutputsWords{{{ButterflyOutputs::Both, "both"},
                                                    {ButterflyOutputs::First, "first"},
                                                    {ButterflyOutputs::Second, "second"}}};

/// out = t[0] first + t[1] second, element by element.
template <typename Number>
void combine(const Number* t, const Number* first, const Number* second, std::uint64_t elements,
             Number* out) {
  const auto of_first = static_cast<float>(t[0]);
  const auto of_second = static_cast<float>(t[1]);
  mapNumbers(
      elements, [=](float x, float y) { return of_first * x + of_second * y; }, first, second, out);
}

/// Each line is the first or the second of a pair whose other line arrives.
template <typename Number>
void computeHalves(const ButterflyStageShape& shape, const VertexData& data) {
  const bool first = shape.outputs == ButterflyOutputs::First;
  const auto* lines = data.as<Number>(kLines, 0);
  const auto* partners = data.as<Number>(kPartners, 0);
  const auto* twiddles = data.as<Number>(kTwiddles, 0);
  auto* out = data.as<Number>(kButterflyStageOut, 0);
  for (std::uint64_t f = 0; f < shape.features; ++f) {
    const Number* t = twiddles + f % shape.twiddles * 4 + (first ? 0 : 2);
    const Number* own = lines + f * shape.rows;
    const Number* other = partners + f * shape.rows;
    combine(t, first ? own : other, first ? other : own, shape.rows, out + f * shape.rows);
  }
}

/// Both lines of each pair are on the tile.
template <typename Number>
void computePairs(const ButterflyStageShape& shape, const VertexData& data) {
  const auto* lines = data.as<Number>(kLines, 0);
  const auto* twiddles = data.as<Number>(kTwiddles, 0);
  auto* out = data.as<Number>(kButterflyStageOut, 0);
  const std::uint64_t rows = shape.rows;
  for (std::uint64_t pair = 0; pair < shape.features / 2; ++pair) {
    const std::uint64_t low = pair / shape.stride * 2 * shape.stride + pair % shape.stride;
    const std::uint64_t high = low + shape.stride;
    const Number* t = twiddles + pair % shape.twiddles * 4;
    combine(t, lines + low * rows, lines + high * rows, rows, out + low * rows);
    combine(t + 2, lines + low * rows, lines + high * rows, rows, out + high * rows);
  }
}

void computeButterflyStage(const ButterflyStageShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    if (shape.outputs == ButterflyOutputs::Both) {
      computePairs<decltype(number)>(shape, data);
    } else {
      computeHalves<decltype(number)>(shape, data);
    }
  });
}

Cycles butterflyStageCost(const ButterflyStageShape& shape, const Architecture& machine) {
  if (shape.outputs == ButterflyOutputs::Both) {
    return models::butterflyPairCycles(machine, {shape.type, shape.features / 2, shape.rows});
  }
  return models::butterflyHalfCycles(machine, {shape.type, shape.features, shape.rows});
}

std::vector<Field> fieldsOf(const ButterflyStageShape& shape) {
  const EdgeGroups lines{{1, shape.features * shape.rows}};
  std::vector<Field> fields{
      {"lines", FieldDirection::Input, shape.type, lines},
      {"twiddles", FieldDirection::Input, shape.type, {{1, 4 * shape.twiddles}}},
      {"out", FieldDirection::Output, shape.type, lines}};
  if (shape.outputs != ButterflyOutputs::Both) {
    fields.push_back({"partners", FieldDirection::Input, shape.type, lines});
  }
  return fields;
}

VertexType readButterflyStage(const ConfigReader& config, const Architecture& /*machine*/) {
  const ButterflyStageShape shape{readWord(config, "type", kNumberWords),
                                  readCount(config, "features"),
                                  readCount(config, "rows"),
                                  readCount(config, "stride"),
                                  readCount(config, "twiddles"),
                                  readWord(config, "outputs", kOutputsWords)};
  if (shape.outputs == ButterflyOutputs::Both && shape.features % (2 * shape.stride) != 0) {
    throw config.error("features", "a whole multiple of twice the stride with both outputs");
  }
  return butterflyStageVertex(shape);
}

}  // namespace

VertexType butterflyStageVertex(const ButterflyStageShape& shape) {
  check(shape.features > 0 && shape.rows > 0, "a butterfly of nothing");
  const bool both = shape.outputs == ButterflyOutputs::Both;
  VertexType type;
  type.name = std::string(both ? "ButterflyPairs<" : "ButterflyHalves<") + nameOf(shape.type) + ">";
  type.maker = kButterflyStageEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)},
                 {"features", shape.features},
                 {"rows", shape.rows},
                 {"stride", shape.stride},
                 {"twiddles", shape.twiddles},
                 {"outputs", wordOf(shape.outputs, kOutputsWords)}};
  type.kind = VertexKind::Supervisor;
  type.fields = fieldsOf(shape);
  type.sizes = {kButterflyStageStateBytes, Bytes(0), kButterflyStageCodeBytes};
  // An output is a product, and a multiply-add onto it.
  const std::uint64_t outputs = shape.features * shape.rows;
  type.work = withMacs(workOn(type.fields, Flops(3 * outputs)), shape.type, outputs);
  return withFunctions<ButterflyStageShape>(std::move(type), shape,
                                            {butterflyStageCost, computeButterflyStage});
}

const VertexEntry kButterflyStageEntry{
    "butterfly_stage",
    "pairs of lines times 2 x 2 twiddles: type, features, rows, stride, twiddles, outputs",
    readButterflyStage};

}  // namespace ipusim::workloads
