// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/candidates.h"

#include <algorithm>
#include <utility>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {
namespace {

using models::BinaryOp;

/// A range of `size` elements that ends where `range` does.
Range endOf(const Range& range, std::uint64_t size) {
  return {range.end - size, range.end};
}

/// The indices whose candidates a place reads: the `size` that end where those that it holds do.
Range windowOf(const EmbeddingPlan& plan, std::uint64_t step, const EmbeddingPlace& place,
               std::uint64_t size) {
  const Range held = heldSlices(plan, step, place);
  return held.size() < size ? endOf(held, size) : held;
}

/// Adds a constant where `like` lies.
Tensor addConstantLike(Graph& graph, const Tensor& like, const ConstantValues& values,
                       const std::string& name) {
  Tensor constant = graph.addConstant(like.type(), {like.elements()}, values, name);
  mapAlike(graph, like, constant);
  return constant;
}

ConstantValues always(std::uint64_t number) {
  return [number](std::uint64_t) { return static_cast<double>(number); };
}

}  // namespace

Candidates::Candidates(Graph& graph, const Architecture& machine, const EmbeddingPlan& plan,
                       std::uint64_t step, std::string name)
    : graph_(graph),
      machine_(machine),
      plan_(plan),
      step_(step),
      name_(std::move(name)),
      looked_up_(ceilDiv(plan.problem.indices, plan.splits.serial * plan.splits.look_ups)),
      picked_(ceilDiv<std::uint64_t>(looked_up_, plan.splits.rows)) {
  const std::uint64_t of_part = plan.splits.rows * looked_up_ * plan.problem.columns;
  storage_ =
      graph.addVariable(plan.problem.type, {plan.splits.look_ups * of_part}, name_ + "/candidates");
  visitPlaces(plan, [&](const EmbeddingPlace& place) {
    const Tensor own = found(place);
    if (own.elements() > 0) graph_.setTileMapping(own, tileOf(plan_, place));
  });
}

Range Candidates::indices(const EmbeddingPlace& place) const {
  const Range own = lookedUpIndices(plan_, step_, place);
  return own.size() == 0 ? own : endOf(own, looked_up_);
}

Tensor Candidates::blockOfColumns(const EmbeddingPlace& place) const {
  const std::uint64_t rows = plan_.splits.rows * looked_up_;
  const std::uint64_t elements = rows * plan_.problem.columns;
  const Tensor own = storage_.slice(place.look_up * elements, (place.look_up + 1) * elements, 0);
  return rowsOfBlock(own, {rows, {0, rows}, blockOf(plan_, place).columns});
}

Tensor Candidates::found(const EmbeddingPlace& place) const {
  return blockOfColumns(place).slice(place.row * looked_up_, (place.row + 1) * looked_up_, 0);
}

Tensor Candidates::tableOf(const EmbeddingPlace& place) const {
  const Tensor block = blockOfColumns(place);
  const std::uint64_t first = windowOf(plan_, step_, place, picked_).begin - indices(place).begin;
  return block.reshape({plan_.splits.rows, looked_up_, block.shape()[1]})
      .slice(first, first + picked_, 1);
}

Tensor Candidates::candidateNumbers(const Tensor& indices, const Range& own, Program& program) {
  const Tensor in = indices.slice(own.begin, own.end, 0);
  const std::uint64_t part_rows = blockOf(plan_, {}).rows.size();
  Elementwise elementwise(graph_, machine_, program);
  const std::string part = name_ + "/candidate/part";
  // A division by a power of two is a shift.
  // Source: graphcore/poplibs lib/popops/ElementWise.cpp (MIT).
  const bool shifts = isPowerOfTwo(part_rows);
  const Tensor divisors =
      addConstantLike(graph_, in, always(shifts ? ceilLog2(part_rows) : part_rows), part);
  const Tensor numbers = elementwise.binary(shifts ? BinaryOp::ShiftRight : BinaryOp::Divide, in,
                                            divisors, part, Lifetime::Temporary);
  const std::string first = name_ + "/candidate/first";
  elementwise.binaryInPlace(BinaryOp::Multiply, numbers,
                            addConstantLike(graph_, in, always(picked_), first), first);
  const std::string number = name_ + "/candidate/number";
  elementwise.binaryInPlace(BinaryOp::Add, numbers,
                            addConstantLike(graph_, in, placesInWindows(own), number), number);
  return numbers;
}

/// The number of each of the step's indices in the window of the place that holds its result.
ConstantValues Candidates::placesInWindows(const Range& own) const {
  return [plan = plan_, step = step_, looked_up = looked_up_, picked = picked_,
          own](std::uint64_t index) {
    EmbeddingPlace place;
    place.look_up = static_cast<std::uint32_t>(index / looked_up);
    place.row = static_cast<std::uint32_t>(index % looked_up / picked);
    return static_cast<double>(own.begin + index - windowOf(plan, step, place, picked).begin);
  };
}

void Candidates::pick(const Picked& picked, Program& program) {
  const Range& own = picked.slices.indices();
  const Tensor numbers = candidateNumbers(picked.indices, own, program);
  const ComputeSetId compute_set = graph_.addComputeSet(name_ + "/multiSlice/pick");
  TypeCache<std::pair<std::uint64_t, std::uint64_t>> types;
  visitPlaces(plan_, [&](const EmbeddingPlace& place) {
    const Range held = heldSlices(plan_, step_, place);
    const std::uint64_t width = blockOf(plan_, place).columns.size();
    if (held.size() == 0 || width == 0) return;
    const std::uint64_t rows = plan_.splits.rows * picked_;
    const LookUpShape shape{plan_.problem.type, rows, width, held.size(), 0, rows};
    const auto& vertex = types.get({width, held.size()}, [&] { return multiSliceVertex(shape); });
    graph_.addVertices(compute_set,
                       {vertex,
                        tileOf(plan_, place),
                        1,
                        {{numbers.slice(held.begin - own.begin, held.end - own.begin, 0).view()},
                         {tableOf(place).view()},
                         {picked.slices.slices(picked.storage, place, held).view()}}});
  });
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
