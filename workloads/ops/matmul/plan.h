// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/plan.h"

// Matrix products, which the vendor's library plans as convolutions: their field is a row of F
// positions, and their kernel has one element.
// Source: graphcore/poplibs lib/poplin/MatMul.cpp (MIT).

namespace ipusim::workloads {

/// `groups` independent products (m,k) x (k,n).
struct MatmulProblem {
  std::uint64_t groups = 1;
  std::uint64_t m = 1;
  std::uint64_t k = 1;
  std::uint64_t n = 1;
  ElementType input = ElementType::Float;
  ElementType output = ElementType::Float;
  ElementType partials = ElementType::Float;
  /// That of a product. m, k and n are those of this pass.
  ConvPass pass = ConvPass::NoneMatmul;
  /// The share of a tile's memory that temporary data may take. Zero: as little memory as possible.
  double available_memory_proportion = kDefaultMemoryProportion;
  std::optional<ConvMethod> method = {};  ///< the only one to try; none: all
  SerialSplits serial = SerialSplits::Allowed;
  /// A plan of combined groups can only be costed: its operands do not lie as they are given.
  GroupCombining combining = GroupCombining::None;
};

/// Which operand plays the weights. The input is F x IC with IC = k, and the weights are IC x OC.
enum class OperandOrder : std::uint8_t {
  Swapped,  ///< weights = left operand: OC = m, F = n. The result lies as (n, m), m innermost.
  AsGiven,  ///< weights = right operand: OC = n, F = m. The result lies as (m, n), n innermost.
};

/// The plan of the convolution that the product is in this order of operands. That convolution has
/// no swap left to do.
struct MatmulPlan {
  OperandOrder order = OperandOrder::Swapped;
  ConvPlan conv;
};

/// The product as a convolution to plan, with the left operand as the weights.
ConvProblem convOf(const MatmulProblem& problem);

/// Throws as planConv does, and ConfigError for sizes out of range.
MatmulPlan planMatmul(const Architecture& machine, const MatmulProblem& problem);

}  // namespace ipusim::workloads
