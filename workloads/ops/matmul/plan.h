// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

// Plans how a matrix product is spread over the tiles of one IPU: a restatement of the published
// planner of poplin.
// Source: graphcore/poplibs lib/poplin/{MatMul,ConvPlan,ConvModel,ConvVertexType}.cpp (MIT).

namespace ipusim::workloads {

/// The pass that a product belongs to. The training passes differ in the rearrangements that they
/// can leave out. m, k and n of a problem are always those of its own pass.
enum class MatmulPass : std::uint8_t {
  NoneMatmul,    ///< a product by itself
  InferenceFwd,  ///< the forward pass of a fully connected layer that is never trained
  TrainingFwd,   ///< (m,k) x (k,n): planned together with the next two
  TrainingBwd,   ///< gradient of the input
  TrainingWu,    ///< gradient of the weights
};

/// The vertex that multiplies.
enum class MatmulMethod : std::uint8_t {
  Amp,           ///< ConvPartial1x1Out: the matrix engine
  Hmac,          ///< ConvPartialHorizontalMac(1x1): dot products along the in channels
  OuterProduct,  ///< one in channel
  AmpNx1,        ///< ConvPartialnx1: AMP, for fewer in channels than an engine holds weights
  Slic,          ///< ConvPartial1xNSLIC: a window of four along the field, a few channels
  Vmac,          ///< ConvPartialVerticalMac: several groups side by side, with one channel each
};

/// A set of methods that a search may use.
struct MethodSet {
  std::uint8_t bits;  // one bit per MatmulMethod

  static constexpr MethodSet only(MatmulMethod method) {
    return MethodSet{static_cast<std::uint8_t>(1U << static_cast<unsigned>(method))};
  }
  /// The methods whose plans can be lowered to vertices.
  static constexpr MethodSet lowered() {
    return only(MatmulMethod::Amp) | only(MatmulMethod::Hmac) | only(MatmulMethod::OuterProduct);
  }
  /// The methods that the published planner considers. Some of their plans can only be costed.
  static constexpr MethodSet published() {
    return lowered() | only(MatmulMethod::AmpNx1) | only(MatmulMethod::Slic) |
           only(MatmulMethod::Vmac);
  }
  friend constexpr MethodSet operator|(MethodSet a, MethodSet b) {
    return MethodSet{static_cast<std::uint8_t>(a.bits | b.bits)};
  }
  [[nodiscard]] constexpr bool has(MatmulMethod method) const {
    return (bits >> static_cast<unsigned>(method) & 1U) != 0;
  }
};

/// Whether a product may be computed in steps, one after the other, to save memory.
enum class SerialSplits : std::uint8_t { Allowed, None };

/// Whether several groups with one or two in channels may be planned as one group. Its weights are
/// zero, except for one block per combined group. Such a plan can only be costed.
enum class GroupCombining : std::uint8_t { None, Allowed };

/// The default of poplibs for availableMemoryProportion.
constexpr double kDefaultMemoryProportion = 0.6;

/// No plan can use more memory than a tile has, so a bound above twice the tile is no bound.
constexpr double kMaxMemoryProportion = 2;

/// The largest size of a product. With larger ones byte counts would not fit 64 bits.
constexpr std::uint64_t kMaxMatmulDimension = 1U << 24U;

/// `groups` independent products (m,k) x (k,n).
struct MatmulProblem {
  std::uint64_t groups = 1;
  std::uint64_t m = 1;
  std::uint64_t k = 1;
  std::uint64_t n = 1;
  ElementType input = ElementType::Float;
  ElementType output = ElementType::Float;
  ElementType partials = ElementType::Float;
  MatmulPass pass = MatmulPass::NoneMatmul;
  /// The share of a tile's memory that temporary data may take. Zero: as little memory as possible.
  double available_memory_proportion = kDefaultMemoryProportion;
  MethodSet methods = MethodSet::lowered();
  SerialSplits serial = SerialSplits::Allowed;
  GroupCombining combining = GroupCombining::None;
};

/// Which operand plays the weights. The product is planned as a convolution of a field of F
/// positions, with IC = k in channels and OC out channels. Its input is F x IC, and its weights are
/// IC x OC.
enum class OperandOrder : std::uint8_t {
  Swapped,  ///< weights = left operand: OC = m, F = n. The result lies as (n, m), m innermost.
  AsGiven,  ///< weights = right operand: OC = n, F = m. The result lies as (m, n), n innermost.
};

/// The product as the convolution that is split.
struct ConvSizes {
  std::uint64_t groups;     ///< conv groups
  std::uint64_t field;      ///< F
  std::uint64_t in_chans;   ///< IC
  std::uint64_t out_chans;  ///< OC
};

/// The vertex, and its grains.
struct VertexMethod {
  MatmulMethod kind = MatmulMethod::Amp;
  std::uint32_t conv_units = 0;  ///< number of AMP engines in use; 0 for other methods
  /// Elements that an engine loads per cycle; 0 for other methods.
  std::uint32_t input_load_elems = 0;
  std::uint32_t in_chans_per_group = 1;       ///< ic: grain of the in channels
  std::uint32_t partial_chans_per_group = 1;  ///< pc: grain of the out channels
  ElementType partials = ElementType::Float;  ///< type that the vertex writes
  std::uint32_t conv_groups_per_group = 1;    ///< cg: grain of the conv groups
  std::uint32_t chains = 0;  ///< SLIC: number of chains of engines in use; 0 for other methods
};

/// The splits. The product of all parallel splits is at most the number of tiles. Splitting a
/// dimension of N grains s ways gives each part floor(N/s) grains, and the last N mod s parts one
/// more. The steps of a serial split have equally many grains, rounded up; the grains that the last
/// step lacks are padding. Part (c, i, f, o) is on tile ((c * in_chans + i) * field + f) *
/// out_chans + o.
struct MatmulPartition {
  std::uint32_t field = 1;             ///< parts of the field
  std::uint32_t out_chans = 1;         ///< parts of the out channels, side by side
  std::uint32_t in_chans = 1;          ///< parts of the in channels: depth of the reduction
  std::uint32_t conv_groups = 1;       ///< parts of the conv groups
  std::uint32_t out_chans_serial = 1;  ///< parts of the out channels, one after the other
  std::uint32_t in_chans_serial = 1;   ///< parts of the in channels, one after the other
  std::uint32_t field_grain = 1;       ///< field positions that stay together

  [[nodiscard]] std::uint32_t tiles() const { return field * out_chans * in_chans * conv_groups; }
  /// The number of steps of the loop. At most one of the two serial splits is above 1.
  [[nodiscard]] std::uint32_t steps() const { return out_chans_serial * in_chans_serial; }
};

/// The estimate, term by term. All terms but the three that come once are those of one serial step.
struct PlanTerms {
  Cycles partial_calc;
  Cycles input_exchange;
  Cycles weight_exchange;
  Cycles reduce_first_exchange;  ///< charged even when nothing is reduced, as published
  Cycles reduce_rest_exchange;   ///< the later stages of a reduction
  Cycles reduce;
  Cycles transform_copy;      ///< copies that bring operands and result to the layout of the vertex
  Cycles transform_exchange;  ///< exchanges that bring them there
  Cycles tile_level_transform;    ///< zeros received to make the operands a whole kernel
  Cycles dynamic_slice;           ///< serial splits: takes out the operands of a step
  Cycles dynamic_update;          ///< serial out channels: puts the result of a step in place
  Cycles add_in_place;            ///< serial in channels: adds the result of a step
  Cycles output_cast;             ///< once, after the loop
  Cycles rearrange_before_slice;  ///< once: rearranges the weights before the loop
  Cycles broadcast_before_loop;   ///< once: sends the inputs before a loop over out channels

  /// The estimate of all `steps` serial steps.
  [[nodiscard]] Cycles total(std::uint32_t steps) const;
};

/// Whether the input of a loop over out channels is sent once before the loop, or in each step.
enum class InputBroadcast : std::uint8_t { EachStep, BeforeLoop };

/// Whether the three passes of a training layer share one partition.
enum class TrainingPlan : std::uint8_t { Separate, Joint };

struct MatmulPlan {
  OperandOrder order = OperandOrder::Swapped;
  ConvSizes conv{};
  VertexMethod method;
  MatmulPartition partition;
  InputBroadcast broadcast = InputBroadcast::EachStep;
  TrainingPlan training = TrainingPlan::Separate;
  /// Groups of the product that are combined in each group of `conv`.
  std::uint32_t combined_groups = 1;
  PlanTerms terms;
  Cycles pass_cycles;  ///< terms.total(partition.steps()), for this pass
  Cycles cycles;       ///< what was minimised: `pass_cycles`, or all three passes of a joint plan
  Bytes temp;          ///< temporary bytes on the fullest tile
  Bytes bound;  ///< bound of `temp`: doubled when nothing fitted, the largest number when it was
                ///< dropped
};

/// The plan with the fewest cycles, then the fewest temporary bytes, under the memory bound. When
/// nothing fits, the bound is doubled until it is twice a tile's memory, and is then dropped.
/// Throws ConfigError for sizes and proportions out of range, for types that the vertices do not
/// take (input half or float; a float input needs float partials), and when the allowed methods
/// cannot compute the product.
MatmulPlan planMatmul(const Architecture& machine, const MatmulProblem& problem);

/// The bytes that a plan's temporary data may take on a tile, at least one.
Bytes planMemoryBound(const Architecture& machine, double proportion);

/// The grains of part `index` of `parts`.
struct GrainRange {
  std::uint64_t first;
  std::uint64_t count;
};
GrainRange grainsOfPart(std::uint64_t grains, std::uint32_t parts, std::uint32_t index);

}  // namespace ipusim::workloads
