// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/problem.h"

#include <fmt/format.h>

#include <initializer_list>

#include "ipusim/error.h"

namespace ipusim::workloads {
namespace {

/// Far above any machine's memory, and small enough that all counts fit 64 bits, and expected hits
/// a double.
constexpr double kMostPairs = 1e15;

void requireCount(const char* name, std::uint64_t size) {
  if (size >= 1 && size <= kMaxEmbeddingSize) return;
  throw ConfigError(
      fmt::format("embedding: {}: wanted 1 to {}, found {}", name, kMaxEmbeddingSize, size));
}

void requireProduct(const char* name, std::initializer_list<std::uint64_t> factors) {
  double found = 1;
  for (const std::uint64_t factor : factors) found *= static_cast<double>(factor);
  if (found <= kMostPairs) return;
  throw ConfigError(
      fmt::format("embedding: {}: wanted at most {}, found {:.3g}", name, kMostPairs, found));
}

/// Types for which there is a MultiUpdateOp.
bool hasUpdateOp(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float || type == ElementType::Int32 ||
         type == ElementType::UInt32;
}

void requireTypes(const EmbeddingProblem& problem) {
  if (!isUpdated(problem.use) || problem.update == RowUpdate::Replace) return;
  if (!hasUpdateOp(problem.type)) {
    throw ConfigError(
        fmt::format("embedding: wanted updates of half, float, int or unsigned int, found {}",
                    nameOf(problem.type)));
  }
  if (problem.update != RowUpdate::Add) return;
  const ElementType partials = problem.partials.value_or(problem.type);
  const bool widens = problem.type == ElementType::Half && partials == ElementType::Float;
  if (partials == problem.type || widens) return;
  throw ConfigError(fmt::format(
      "embedding: wanted partials of the table's type, or of float for half, found {} for {}",
      nameOf(partials), nameOf(problem.type)));
}

void requireGrain(const EmbeddingProblem& problem) {
  if (!problem.fixed.grain) return;
  if (*problem.fixed.grain >= 1 && *problem.fixed.grain <= problem.columns) return;
  throw ConfigError(fmt::format("embedding: grain: wanted 1 to {}, found {}", problem.columns,
                                *problem.fixed.grain));
}

}  // namespace

void requirePlannable(const EmbeddingProblem& problem) {
  requireCount("groups", problem.groups);
  requireCount("rows", problem.rows);
  requireCount("columns", problem.columns);
  requireCount("indices", problem.indices);
  requireProduct("elements of the table", {problem.groups, problem.rows, problem.columns});
  requireProduct("elements of the slices", {problem.groups, problem.indices, problem.columns});
  requireProduct("rows x indices", {problem.rows, problem.indices});
  requireTypes(problem);
  requireGrain(problem);
  const double proportion = problem.available_memory_proportion;
  if (proportion >= 0 && proportion <= kMaxEmbeddingProportion) return;
  throw ConfigError(
      fmt::format("embedding: wanted an available memory proportion from 0 to {}, found {}",
                  kMaxEmbeddingProportion, proportion));
}

}  // namespace ipusim::workloads
