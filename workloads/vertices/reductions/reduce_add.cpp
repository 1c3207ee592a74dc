// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ipusim/error.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

using models::PartialsMemory;
using models::ReduceAddShape;
using models::ReduceInputs;

namespace {

// The out pointer, counts, and the array of partials or the table of their pointers.
// Source: poplibs lib/poplin/codelets/ReduceAdd.cpp.
constexpr Bytes kSingleStateBytes(16);
constexpr Bytes kSeveralStateBytes(12);
constexpr Bytes kReduceAddPointerBytes(4);
// Estimated: together with ConvPartial1x1Out and a transpose it makes up the 1.6 kB of vertex code
// that a matmul has per tile in a recorded BERT-large profile (graphcore/popliner tests).
constexpr Bytes kReduceAddCodeBytes(320);

constexpr Words<ReduceInputs, 2> kInputsWords{
    {{ReduceInputs::Several, "several"}, {ReduceInputs::Single, "single"}}};
constexpr Words<PartialsMemory, 2> kReduceAddMemoryWords{
    {{PartialsMemory::Any, "any"}, {PartialsMemory::Interleaved, "interleaved"}}};

/// The number of partials per output, the one on the tile included.
std::uint64_t depthOf(const ReduceAddShape& shape) {
  return shape.count + (shape.inputs == ReduceInputs::Single ? 1 : 0);
}

/// Each sum begins with the partial on the tile and takes the others in their order, in float.
template <typename Partial, typename Output>
void add(std::uint64_t outputs, std::uint64_t others, const VertexData& data) {
  auto* out = data.as<Output>(0, 0);
  const auto* own = data.as<Partial>(1, 0);
  const auto plus = [](float a, float b) { return a + b; };
  SomeFloats sums;
  for (std::uint64_t first = 0; first < outputs; first += kNumbersAtOnce) {
    const std::uint64_t some = std::min(kNumbersAtOnce, outputs - first);
    toFloats(own + first, some, sums.data());
    for (std::uint64_t p = 0; p < others; ++p) {
      mapNumbers(some, plus, sums.data(), data.as<Partial>(2, p) + first, sums.data());
    }
    fromFloats(sums.data(), some, out + first);
  }
}

Cycles reduceAddCost(const ReduceAddShape& shape, const Architecture& machine) {
  return models::reduceAddCycles(machine, shape);
}

void computeReduceAdd(const ReduceAddShape& shape, const VertexData& data) {
  withNumber(shape.partials, [&](auto partial) {
    withNumber(shape.output, [&](auto output) {
      add<decltype(partial), decltype(output)>(shape.outputs, depthOf(shape) - 1, data);
    });
  });
}

VertexType readReduceAdd(const ConfigReader& config, const Architecture& machine) {
  ReduceAddShape shape{readWord(config, "partials_type", kNumberWords),
                       readWord(config, "type", kNumberWords), readCount(config, "elements"),
                       config.whole("partials", 2, kMaxElements)};
  shape.memory = readWord(config, "memory", kReduceAddMemoryWords, PartialsMemory::Any);
  if (!config.has("inputs")) return reduceAddVertex(models::reduceAddFor(machine, shape));
  shape.inputs = readWord(config, "inputs", kInputsWords);
  if (shape.inputs == ReduceInputs::Single) --shape.count;
  return reduceAddVertex(shape);
}

}  // namespace

VertexType reduceAddVertex(const ReduceAddShape& shape) {
  const std::uint64_t depth = depthOf(shape);
  const bool single = shape.inputs == ReduceInputs::Single;
  check(depth >= 2 && shape.outputs > 0, "ReduceAdd with nothing to add");
  VertexType type;
  type.name = std::string("poplin::ReduceAdd<") + nameOf(shape.output) + "," +
              nameOf(shape.partials) + (single ? ",true>" : ",false>");
  type.maker = kReduceAddEntry.name;
  type.params = {{"type", wordOf(shape.output, kNumberWords)},
                 {"partials_type", wordOf(shape.partials, kNumberWords)},
                 {"elements", shape.outputs},
                 {"partials", depth},
                 {"inputs", wordOf(shape.inputs, kInputsWords)},
                 {"memory", wordOf(shape.memory, kReduceAddMemoryWords)}};
  type.kind = VertexKind::Supervisor;
  type.fields = {{"out", FieldDirection::Output, shape.output, {{1, shape.outputs}}},
                 {"own", FieldDirection::Input, shape.partials, {{1, shape.outputs}}},
                 {"partials", FieldDirection::Input, shape.partials, {{depth - 1, shape.outputs}}}};
  type.sizes = {single ? kSingleStateBytes : kSeveralStateBytes,
                single ? Bytes(0) : kReduceAddPointerBytes * depth, kReduceAddCodeBytes};
  type.work = workOn(type.fields, Flops((depth - 1) * shape.outputs));
  return withFunctions<ReduceAddShape>(std::move(type), shape, {reduceAddCost, computeReduceAdd});
}

const VertexEntry kReduceAddEntry{
    "reduce_add", "sum of partials, ReduceAdd: type, partials_type, elements, partials",
    readReduceAdd};

}  // namespace ipusim::workloads
