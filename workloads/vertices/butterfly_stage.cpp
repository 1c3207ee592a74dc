// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/butterfly_stage.h"

#include "base/error.h"
#include "models/ipu/cost/butterfly.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kLines = 0;
constexpr std::size_t kTwiddles = 1;
constexpr std::size_t kOut = 2;
constexpr std::size_t kPartners = 3;

// Four pointers and four sizes.
constexpr std::uint64_t kStateBytes = 24;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 250;

/// out = t[0] first + t[1] second, element by element.
template <typename Number>
void combine(const Number* t, const Number* first, const Number* second, std::uint64_t elements,
             Number* out) {
  for (std::uint64_t e = 0; e < elements; ++e) {
    out[e] = static_cast<Number>(static_cast<float>(t[0]) * static_cast<float>(first[e]) +
                                 static_cast<float>(t[1]) * static_cast<float>(second[e]));
  }
}

}  // namespace

ButterflyStage::ButterflyStage(const ButterflyStageShape& shape) : shape_(shape) {
  check(shape.features > 0 && shape.rows > 0, "a butterfly of nothing");
  const EdgeGroups lines{{1, shape.features * shape.rows}};
  fields_ = {{"lines", FieldDirection::Input, shape.type, lines},
             {"twiddles", FieldDirection::Input, shape.type, {{1, 4 * shape.twiddles}}},
             {"out", FieldDirection::Output, shape.type, lines}};
  if (shape.outputs != ButterflyOutputs::Both) {
    fields_.push_back({"partners", FieldDirection::Input, shape.type, lines});
  }
}

std::string ButterflyStage::name() const {
  return std::string(shape_.outputs == ButterflyOutputs::Both ? "ButterflyPairs<"
                                                              : "ButterflyHalves<") +
         nameOf(shape_.type) + ">";
}

Cycles ButterflyStage::cycles(const models::Machine& machine) const {
  if (shape_.outputs == ButterflyOutputs::Both) {
    return models::butterflyPairCycles(machine, {shape_.type, shape_.features / 2, shape_.rows});
  }
  return models::butterflyHalfCycles(machine, {shape_.type, shape_.features, shape_.rows});
}

Bytes ButterflyStage::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes ButterflyStage::codeBytes() const {
  return Bytes(kCodeBytes);
}

void ButterflyStage::compute(const VertexData& data) const {
  withNumber(shape_.type, [&](auto number) {
    using Number = decltype(number);
    const auto* lines = data.as<Number>(kLines, 0);
    const auto* twiddles = data.as<Number>(kTwiddles, 0);
    auto* out = data.as<Number>(kOut, 0);
    const std::uint64_t rows = shape_.rows;
    if (shape_.outputs != ButterflyOutputs::Both) {
      const auto* partners = data.as<Number>(kPartners, 0);
      const bool first = shape_.outputs == ButterflyOutputs::First;
      for (std::uint64_t f = 0; f < shape_.features; ++f) {
        const Number* t = twiddles + f % shape_.twiddles * 4 + (first ? 0 : 2);
        const Number* own = lines + f * rows;
        const Number* other = partners + f * rows;
        combine(t, first ? own : other, first ? other : own, rows, out + f * rows);
      }
      return;
    }
    for (std::uint64_t pair = 0; pair < shape_.features / 2; ++pair) {
      const std::uint64_t low = pair / shape_.stride * 2 * shape_.stride + pair % shape_.stride;
      const std::uint64_t high = low + shape_.stride;
      const Number* t = twiddles + pair % shape_.twiddles * 4;
      combine(t, lines + low * rows, lines + high * rows, rows, out + low * rows);
      combine(t + 2, lines + low * rows, lines + high * rows, rows, out + high * rows);
    }
  });
}

}  // namespace ipusim::workloads
