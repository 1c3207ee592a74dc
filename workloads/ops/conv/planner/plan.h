// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/products/amp.h"
#include "workloads/ops/conv/planner/params.h"

// Plans how a convolution or a matrix product is spread over the tiles of one IPU: a restatement of
// the published planner of poplin.
// Source: graphcore/poplibs lib/poplin/{ConvPlan,ConvModel,ConvVertexType,ConvUtil}.cpp and
// PerformanceEstimation.hpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// The pass that a convolution belongs to. The passes differ in the rearrangements that they pay. A
/// matrix product is a convolution of a kernel of one element: a field of F positions of IC in
/// channels, and OC out channels.
enum class ConvPass : std::uint8_t {
  None,          ///< a convolution by itself
  InferenceFwd,  ///< of a layer that is never trained
  TrainingFwd,
  TrainingBwd,     ///< gradient of the input
  TrainingWu,      ///< gradient of the weights
  NoneMatmul,      ///< a product by itself
  FcInferenceFwd,  ///< the product of a fully connected layer that is never trained
  FcTrainingFwd,   ///< of one that trains: may be planned together with the next two
  FcTrainingBwd,   ///< gradient of the input
  FcTrainingWu,    ///< gradient of the weights
};

constexpr bool isFullyConnected(ConvPass pass) {
  return pass == ConvPass::FcInferenceFwd || pass == ConvPass::FcTrainingFwd ||
         pass == ConvPass::FcTrainingBwd || pass == ConvPass::FcTrainingWu;
}
constexpr bool isProduct(ConvPass pass) {
  return pass == ConvPass::NoneMatmul || isFullyConnected(pass);
}

/// Whether a convolution may be computed in steps, one after the other, to save memory.
enum class SerialSplits : std::uint8_t { Allowed, None };

/// Whether several groups with one or two in channels may be planned as one group. Its weights are
/// zero, except for one block per combined group.
enum class GroupCombining : std::uint8_t { Allowed, None };

/// The default of poplibs for availableMemoryProportion.
constexpr double kDefaultMemoryProportion = 0.6;

/// No plan can use more memory than a tile has, so a bound above twice the tile is no bound.
constexpr double kMaxMemoryProportion = 2;

/// The largest size of a dimension. With larger ones byte counts would not fit 64 bits.
constexpr std::uint64_t kMaxConvDimension = 1U << 24U;

/// The vertex that multiplies, in the order in which the published planner lists them.
enum class ConvMethod : std::uint8_t {
  Hmac,  ///< ConvPartialHorizontalMac: dot products along the in channels
  Vmac,  ///< ConvPartialVerticalMac: several groups side by side, with one channel each
  Amp,   ///< ConvPartial1x1Out or ConvPartialnx1: the matrix engine
  Slic,  ///< ConvPartial1xNSLIC: a window of four along a row, a few channels
  OuterProduct,
};

/// A convolution to plan. `params` are those of the pass itself: see backwardConv and
/// weightUpdateConv.
struct ConvProblem {
  ConvParams params;
  ConvPass pass = ConvPass::None;
  ElementType partials = ElementType::Half;
  /// The share of a tile's memory that temporary data may take. Zero: as little memory as possible.
  double available_memory_proportion = kDefaultMemoryProportion;
  models::WeightLoad weight_load = models::WeightLoad::Bits64;
  std::optional<ConvMethod> method = {};  ///< the only one to try; none: all
  SerialSplits serial = SerialSplits::Allowed;
  GroupCombining combining = GroupCombining::Allowed;
};

/// The vendor's name of a method.
const char* nameOf(ConvMethod method);

/// Dimensions by their number, outermost 0, in the order in which they are transformed.
using DimList = std::vector<std::uint32_t>;

/// What is done to the whole convolution before it is split, in this order.
struct ConvTransforms {
  std::uint32_t extra_dims = 0;  ///< dimensions of size 1 that are added outermost
  /// Dimensions whose result is dilated after the convolution and whose input is not dilated
  /// before.
  DimList dilate_after;
  bool swap = false;         ///< input and kernel change places, and batch and out channels
  DimList expand;            ///< kernel positions become in channels
  DimList out_chan_flatten;  ///< output positions become out channels
  DimList flatten;           ///< become one row with the batch, in the place of the last of them
  std::uint32_t combined_groups = 1;  ///< groups side by side in one, with zero weights between

  /// True for a dimension whose positions are no longer those of the convolution.
  [[nodiscard]] bool hasMoved(std::uint32_t dim) const;
};

/// The vertex, and its grains.
struct ConvVertex {
  ConvMethod method = ConvMethod::Amp;
  std::uint32_t conv_units = 0;  ///< number of AMP engines in use; 0 for other methods
  std::uint32_t chains = 0;      ///< SLIC: number of chains of engines in use
  std::uint32_t conv_groups_per_group = 1;
  std::uint32_t in_chans_per_group = 1;
  std::uint32_t partial_chans_per_group = 1;
  ElementType partials = ElementType::Half;                     ///< type that the vertex writes
  models::WeightLoad weight_load = models::WeightLoad::Bits64;  ///< AMP
};

/// One number per dimension.
using PerDim = std::array<std::uint32_t, kMaxFieldDims>;

/// The splits. The product of all parallel splits is at most the number of tiles. Splitting a
/// dimension of N grains s ways gives each part floor(N/s) grains, and the last N mod s parts one
/// more. The steps of a serial split have equally many grains, rounded up; the grains that the last
/// step lacks are padding. Parts take tiles from 0 on:
/// those of the out channels lie next to each other, then those of the field (innermost dimension
/// first), of the batch, of the kernel (innermost first), of the in channels and of the conv
/// groups.
struct ConvPartition {
  PerDim field{1, 1, 1};
  PerDim kernel{1, 1, 1};  ///< the innermost dimension is never split
  std::uint32_t batch = 1;
  std::uint32_t conv_groups = 1;
  std::uint32_t out_chans = 1;
  std::uint32_t in_chans = 1;
  std::uint32_t out_chans_serial = 1;  ///< parts of the out channels, one after the other
  std::uint32_t in_chans_serial = 1;   ///< parts of the in channels, one after the other

  [[nodiscard]] std::uint32_t fieldParts() const { return field[0] * field[1] * field[2]; }
  [[nodiscard]] std::uint32_t kernelParts() const { return kernel[0] * kernel[1] * kernel[2]; }
  /// Tiles that hold a partial of each result.
  [[nodiscard]] std::uint32_t reductionDepth() const { return kernelParts() * in_chans; }
  [[nodiscard]] std::uint32_t tiles() const {
    return fieldParts() * kernelParts() * batch * conv_groups * out_chans * in_chans;
  }
  [[nodiscard]] std::uint32_t steps() const { return out_chans_serial * in_chans_serial; }
};

/// Whether the input of a loop over out channels is sent once before the loop, or in each step.
enum class ConvBroadcast : std::uint8_t { EachStep, BeforeLoop };

/// Rearranging an operand before the convolution, or the result after it.
struct ConvRearrangeTerms {
  Cycles copy;
  Cycles exchange;
  Bytes bytes;  ///< held on a tile
};

/// The estimate, term by term. All terms but those that come once are those of one serial step.
struct ConvTerms {
  Cycles dynamic_slice;  ///< serial splits: takes out the operands of a step
  ConvRearrangeTerms inputs;
  ConvRearrangeTerms weights;
  ConvRearrangeTerms output;
  Cycles input_exchange;
  Cycles weight_exchange;
  Cycles reduce_first_exchange;  ///< charged even when nothing is reduced, as published
  Cycles reduce_rest_exchange;   ///< the later stages of a reduction
  Cycles tile_level_transform;   ///< zeros received to make the operands whole windows
  Cycles partial_calc;
  Cycles reduce;
  Cycles dynamic_update;  ///< serial out channels: puts the result of a step in place
  Cycles add_in_place;    ///< serial in channels: adds the result of a step
  Cycles output_cast;     ///< once, after the loop
  Cycles
      rearrange_before_slice;  ///< once: brings the weights of a product to where they are sliced
  /// Once: brings the inputs to their tiles before a loop over out channels. `inputs` and
  /// `input_exchange` are then zero.
  Cycles broadcast_copy;
  Cycles broadcast_exchange;

  Bytes multiplying_bytes;  ///< operands and partials of a tile
  Bytes transform_bytes;    ///< the largest rearrangement, source and result
  Bytes tile_level_bytes;   ///< zeros around the operands
  Bytes reducing_bytes;     ///< partials that a reduction in stages receives
  Bytes adding_bytes;       ///< the result that a loop over in channels adds to
  Bytes broadcast_bytes;    ///< inputs held through a loop
  Bytes sliced_bytes;       ///< rearranged weights held through a loop

  /// The estimate of all `steps` serial steps.
  [[nodiscard]] Cycles total(std::uint32_t steps) const;
  /// Temporary bytes of the fullest tile.
  [[nodiscard]] Bytes temp() const;
};

/// Whether the three passes of a fully connected layer share one partition.
enum class TrainingPlan : std::uint8_t { Separate, Joint };

struct ConvPlan {
  ConvParams params;          ///< the problem's, in canonical form
  ConvTransforms transforms;  ///< how `params` become `transformed`
  ConvParams transformed;     ///< what the splits divide, not padded to whole grains
  ConvVertex vertex;
  PerDim field_grain{1, 1, 1};  ///< field positions that stay together
  ConvPartition partition;
  ConvBroadcast broadcast = ConvBroadcast::EachStep;
  ElementType tile_result = ElementType::Half;  ///< type that tiles exchange for the reduction
  TrainingPlan training = TrainingPlan::Separate;
  ConvTerms terms;
  Cycles pass_cycles;  ///< terms.total(partition.steps()), for this pass
  Cycles cycles;       ///< what was minimised: `pass_cycles`, or all three passes of a joint plan
  Bytes temp;
  Bytes bound;  ///< bound of `temp` under which the plan was found; the largest number without one
};

/// The plan with the fewest cycles, then the fewest temporary bytes, under the memory bound. When
/// nothing fits, the bound is doubled until it is twice a tile's memory, and is then dropped.
/// Throws ConfigError for sizes and proportions out of range, for types that the vertices do not
/// take (input half or float; a float input needs float partials), and for a method that cannot
/// compute the convolution. Plans of the process's disk cache are taken from there.
ConvPlan planConv(const Architecture& machine, const ConvProblem& problem);

/// The bytes that a plan's temporary data may take on a tile, at least one.
Bytes planMemoryBound(const Architecture& machine, double proportion);

/// The grains of part `index` of `parts`.
struct GrainRange {
  std::uint64_t first;
  std::uint64_t count;
};
GrainRange grainsOfPart(std::uint64_t grains, std::uint32_t parts, std::uint32_t index);

}  // namespace ipusim::workloads
