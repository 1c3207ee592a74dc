// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/ops/gather/planner/plan.h"

// The look-ups and updates of tables in networks, as the vendor's frameworks ask for their plans:
// each operation has one of its own.

namespace ipusim::workloads {

/// A table, (rows, columns), and how many of its rows are looked up or added to at once.
struct TableOfNode {
  ElementType type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t indices;
};

/// The plan of a node that looks up rows, or that adds to rows.
EmbeddingPlan lookUpPlan(const NodeSite& site, const TableOfNode& table);
EmbeddingPlan updatePlan(const NodeSite& site, const TableOfNode& table);

}  // namespace ipusim::workloads
