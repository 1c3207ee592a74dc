// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/machine.h"
#include "tests/support/oracle_csv.h"
#include "workloads/ops/gather/planner/plan.h"

// Rows of the published plans of look-ups and updates.

namespace ipusim::workloads {

constexpr const char* kEmbeddingPlans = "embedding_plan.csv";

/// The machine of a row. One with 1216 tiles is of the first generation.
Architecture embeddingMachineOf(const tests::OracleRow& row);

EmbeddingProblem embeddingProblemOf(const tests::OracleRow& row);

EmbeddingSplits embeddingSplitsOf(const tests::OracleRow& row);

/// Whether the update vertices of the row search.
IndexOrder vertexOrderOf(const tests::OracleRow& row);

/// Expects every term of the row, in cycles and bytes.
void expectEmbeddingTerms(const tests::OracleRow& row, const EmbeddingTerms& terms);

/// One line: the splits and the order.
std::string describedEmbedding(const EmbeddingSplits& splits, IndexOrder order);

}  // namespace ipusim::workloads
