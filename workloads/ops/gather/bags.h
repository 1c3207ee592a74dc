// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/gather/planner/plan.h"

namespace ipusim::workloads {

/// How the rows of bags are summed.
enum class BagSum : std::uint8_t {
  Bags,       ///< one look-up and one sum per bag: embedding_bag unrolled
  OneGather,  ///< one look-up for all bags, and one sum
};

/// Bags of rows of a table. Each bag sums its rows.
struct Bags {
  std::uint64_t count;
  std::uint64_t size;  ///< rows of a bag
  std::uint64_t rows;  ///< of the table
  BagSum sum;

  /// Rows that are looked up at once.
  [[nodiscard]] std::uint64_t atOnce() const { return sum == BagSum::Bags ? size : count * size; }
};

/// Adds the steps of bags. The arguments of the constructor must outlive this object.
class BagSteps {
 public:
  /// `indices` are the numbers of the rows: bag by bag, or for OneGather the first of each bag,
  /// then the second of each, and so on. `name` stands before the names of all that is added.
  BagSteps(Graph& graph, const Architecture& machine, const Bags& bags, Tensor indices,
           std::string name, Program& program);

  /// The sums, (bags, columns), of rows of a table. The plan is for Bags::atOnce() look-ups.
  Tensor sums(const EmbeddingPlan& plan, const Tensor& table);
  /// The gradient of the table, (rows, columns), from that of the sums, (bags, columns). The plan
  /// is for Bags::atOnce() updates.
  Tensor gradient(const EmbeddingPlan& plan, const Tensor& sums);

 private:
  Tensor unrolledSums(const EmbeddingPlan& plan, const Tensor& table);
  Tensor unrolledGradient(const EmbeddingPlan& plan, const Tensor& sums);
  Tensor sumOf(const Tensor& rows, const std::string& name);
  Tensor addByColumns(ElementType type, const Shape& shape, const std::string& name);
  [[nodiscard]] Tensor indicesOf(std::uint64_t bag) const;

  Graph& graph_;
  const Architecture& machine_;
  Bags bags_;
  Tensor indices_;
  std::string name_;
  Program& program_;
};

}  // namespace ipusim::workloads
