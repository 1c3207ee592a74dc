// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/elementwise/dropout.h"

#include "models/ipu/cost/elementwise/random.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/random_hash.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Two pointers, the length, the probability and the scale.
// Source: poplibs lib/poprand/codelets/codelets.cpp.
constexpr Bytes kDropoutStateBytes(20);
constexpr std::uint64_t kDropoutLargestSeed = std::uint64_t{1} << 32U;

Cycles dropoutCost(const DropoutShape& shape, const Architecture& machine) {
  return models::randomCycles(machine, {models::RandomVertex::Dropout, shape.type, shape.elements});
}

void computeDropout(const DropoutShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    const auto* in = data.as<Number>(0, 0);
    const std::uint64_t first = *data.as<std::uint32_t>(1, 0);
    auto* out = data.as<Number>(2, 0);
    for (std::uint64_t e = 0; e < shape.elements; ++e) {
      const auto factor = static_cast<float>(shape.rule.factor(first + e));
      out[e] = static_cast<Number>(static_cast<float>(in[e]) * factor);
    }
  });
}

VertexType readDropout(const ConfigReader& config, const Architecture& /*machine*/) {
  constexpr double kLargestRate = 0.999;
  return dropoutVertex(
      {readWord(config, "type", kNumberWords),
       readCount(config, "elements"),
       {config.real("rate", 0, kLargestRate), config.whole("seed", 0, kDropoutLargestSeed, 0)}});
}

}  // namespace

double DropoutRule::factor(std::uint64_t element) const {
  constexpr double kRange = 18446744073709551616.0;  // 2^64
  const bool is_kept = static_cast<double>(mixedBits(mixedBits(seed) + element)) / kRange >= rate;
  return is_kept ? 1 / (1 - rate) : 0;
}

VertexType dropoutVertex(const DropoutShape& shape) {
  VertexType type;
  type.name = std::string("poprand::Dropout<") + nameOf(shape.type) + ">";
  type.maker = kDropoutEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)},
                 {"elements", shape.elements},
                 {"rate", shape.rule.rate},
                 {"seed", shape.rule.seed}};
  type.kind = VertexKind::Supervisor;
  type.fields = {{"in", FieldDirection::Input, shape.type, {{1, shape.elements}}},
                 {"first", FieldDirection::Input, ElementType::UInt32, {{1, 1}}},
                 {"out", FieldDirection::Output, shape.type, {{1, shape.elements}}}};
  type.sizes = {kDropoutStateBytes, Bytes(0), kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(shape.elements));
  return withFunctions<DropoutShape>(std::move(type), shape, {dropoutCost, computeDropout});
}

const VertexEntry kDropoutEntry{
    "dropout", "elements dropped at random, Dropout: type, elements, rate, seed", readDropout};

}  // namespace ipusim::workloads
