// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/lowering/planned_tables.h"

namespace ipusim::workloads {
namespace {

EmbeddingPlan planOf(const NodeSite& site, const TableOfNode& table, TableUse use) {
  EmbeddingProblem problem;
  problem.type = table.type;
  problem.rows = table.rows;
  problem.columns = table.columns;
  problem.indices = table.indices;
  problem.use = use;
  problem.available_memory_proportion =
      site.products.memory_proportion.value_or(problem.available_memory_proportion);
  return planEmbedding(site.machine, problem);
}

}  // namespace

EmbeddingPlan lookUpPlan(const NodeSite& site, const TableOfNode& table) {
  return planOf(site, table, TableUse::Slice);
}

EmbeddingPlan updatePlan(const NodeSite& site, const TableOfNode& table) {
  return planOf(site, table, TableUse::Update);
}

}  // namespace ipusim::workloads
