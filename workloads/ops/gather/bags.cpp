// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/bags.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "workloads/ops/gather/planned_look_ups.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

BagSteps::BagSteps(Graph& graph, const Architecture& machine, const Bags& bags, Tensor indices,
                   std::string name, Program& program)
    : graph_(graph),
      machine_(machine),
      bags_(bags),
      indices_(std::move(indices)),
      name_(std::move(name)),
      program_(program) {}

Tensor BagSteps::indicesOf(std::uint64_t bag) const {
  return indices_.slice(bag * bags_.size, (bag + 1) * bags_.size, 0);
}

/// Adds a matrix with each column on one tile, spread as evenly as possible.
Tensor BagSteps::addByColumns(ElementType type, const Shape& shape, const std::string& name) {
  Tensor matrix = graph_.addVariable(type, shape, name);
  const std::uint64_t grain = machine_.vectorWidth(type);
  const std::uint64_t grains = ceilDiv(shape[1], grain);
  const std::uint64_t tiles = std::min<std::uint64_t>(machine_.tiles, grains);
  const VariableId variable = matrix.pieces().front().variable;
  for (std::uint64_t row = 0; row < matrix.elements(); row += shape[1]) {
    for (std::uint64_t t = 0; t < tiles; ++t) {
      const std::uint64_t begin = t * grains / tiles * grain;
      const std::uint64_t end = std::min(shape[1], (t + 1) * grains / tiles * grain);
      if (begin >= end) continue;
      graph_.setTileMapping(contiguous(variable, row + begin, end - begin),
                            TileId(static_cast<std::uint32_t>(t)));
    }
  }
  return matrix;
}

/// Adds the sum of a bag's rows, or of those of all bags, which may lie anywhere. Every column is
/// brought to one tile first.
Tensor BagSteps::sumOf(const Tensor& rows, const std::string& name) {
  const Tensor own =
      addByColumns(rows.type(), {bags_.size, rows.elements() / bags_.size}, name + "/rows");
  program_.add(graph_.copy(rows, own.reshape(rows.shape()), name + "/rows"));
  return sumRows(graph_, machine_, own, {name}, program_);
}

Tensor BagSteps::unrolledSums(const EmbeddingPlan& plan, const Tensor& table) {
  std::vector<Tensor> sums;
  for (std::uint64_t bag = 0; bag < bags_.count; ++bag) {
    const std::string own = name_ + "/bags/" + std::to_string(bag);
    const Tensor rows = gatherRows(graph_, machine_, {plan, table, indicesOf(bag)}, own, program_);
    sums.push_back(sumOf(rows, own).reshape({1, table.shape()[1]}));
  }
  return concat(sums, 0);
}

Tensor BagSteps::sums(const EmbeddingPlan& plan, const Tensor& table) {
  if (bags_.sum == BagSum::Bags) return unrolledSums(plan, table);
  const std::string name = name_ + "/gather";
  const Tensor gathered = gatherRows(graph_, machine_, {plan, table, indices_}, name, program_);
  return sumOf(gathered, name).reshape({bags_.count, table.shape()[1]});
}

Tensor BagSteps::unrolledGradient(const EmbeddingPlan& plan, const Tensor& sums) {
  const std::string bags = name_ + "/bagsGradient";
  Tensor all;
  Tensor first;
  for (std::uint64_t bag = 0; bag < bags_.count; ++bag) {
    const std::string own = bags + "/" + std::to_string(bag);
    const Tensor rows =
        scatterAddRows(graph_, machine_,
                       {plan, sums.slice(bag, bag + 1, 0).broadcast(bags_.size, 0), indicesOf(bag)},
                       {own}, program_);
    const Tensor stored = storageOf(graph_, rows);
    if (bag == 0) {
      first = rows;
      all = addByColumns(sums.type(), {bags_.count, stored.elements()}, bags + "/all");
    }
    const Tensor place = all.slice(bag, bag + 1, 0).reshape(stored.shape());
    program_.add(graph_.copy(stored, place, own + "/keep"));
  }
  const Tensor sum = sumRows(graph_, machine_, all, {bags}, program_);
  return first.inVariable(sum.pieces().front().variable);
}

Tensor BagSteps::gradient(const EmbeddingPlan& plan, const Tensor& sums) {
  if (bags_.sum == BagSum::Bags) return unrolledGradient(plan, sums);
  const std::uint64_t columns = sums.shape()[1];
  const std::uint64_t rows = bags_.count * bags_.size;
  const Tensor source =
      sums.reshape({1, bags_.count, columns}).broadcast(bags_.size, 0).reshape({rows, columns});
  return scatterAddRows(graph_, machine_, {plan, source, indices_}, {name_ + "/scatter"}, program_);
}

}  // namespace ipusim::workloads
