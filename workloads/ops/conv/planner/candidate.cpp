// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/candidate.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/slic.h"
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"
#include "workloads/ops/conv/planner/vertices/vertices.h"

namespace ipusim::workloads {
namespace {

// The most multiply-adds of a candidate, and the most slots. Sums of a few such numbers fit 64
// bits.
constexpr double kMostCounted = 2e18;

// The most channels of a group that SLIC takes at once.
constexpr std::uint32_t kSlicChans = 4;

/// The pairs of an output and a kernel element that meet an input and no zero.
std::uint64_t multiplied(const ConvDim& dim) {
  // An element meets every step-th output between the first and the last.
  const std::uint64_t step = dim.input.dilation / std::gcd(dim.input.dilation, dim.output.stride);
  std::uint64_t pairs = 0;
  for (std::uint64_t k = dim.weights.trunc_lower; k + dim.weights.trunc_upper < dim.kernel; ++k) {
    pairs = checkedSum(pairs, ceilDiv(outputsOfKernelElement(dim, k).size(), step));
  }
  return pairs;
}

CandidateDim candidateDim(const ConvDim& dim, bool moved) {
  CandidateDim result;
  result.outputs = dim.outputs();
  result.kernel = dim.kernel;
  result.used_inputs = usedInputs(dim).value_or(PositionRange{}).size();
  result.stride = dim.output.stride;
  result.input_dilation = dim.input.dilation;
  result.kernel_dilation = dim.weights.dilation;
  result.input_padding = dim.input.pad_lower + dim.input.pad_upper;
  result.multiplied = multiplied(dim);
  result.tile_dilation = moved ? 1 : result.input_dilation;
  result.tile_stride = moved ? 1 : result.stride;
  result.moved = moved;
  return result;
}

/// Two halves share a word, so with one out channel per group pairs of positions stay together.
std::uint32_t innermostGrain(const ConvParams& params, const ConvVertex& vertex) {
  const bool half_words = params.output == ElementType::Half &&
                          vertex.partial_chans_per_group % 2 != 0 &&
                          params.dims.back().outputs() % 2 == 0;
  return half_words ? 2 : 1;
}

void addDims(const TransformedConv& conv, ConvCandidate& candidate) {
  const ConvParams& params = conv.params;
  candidate.dim_count = static_cast<std::uint32_t>(params.dims.size());
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const ConvDim& dim = params.dims[i];
    const OutputTransform& out = dim.output;
    candidate.dims.at(i) = candidateDim(dim, conv.transforms.hasMoved(i));
    candidate.has_output_padding |= out.pad_lower + out.pad_upper > 0;
    candidate.has_output_transform |= !out.isNone();
    candidate.flips_or_dilates_input |= dim.input.flip || dim.input.dilation != 1;
  }
}

/// What the candidates of a transformed convolution share.
ConvCandidate sharedBy(const ConvProblem& problem, const TransformedConv& conv) {
  const ConvParams& params = conv.params;
  ConvCandidate candidate;
  candidate.pass = problem.pass;
  candidate.input = params.input;
  candidate.output = params.output;
  candidate.partials = problem.partials;
  candidate.vertex.weight_load = problem.weight_load;
  addDims(conv, candidate);
  candidate.groups = params.groups;
  candidate.batch = params.batch;
  candidate.in_chans = params.in_chans;
  candidate.out_chans = params.out_chans;
  candidate.swapped = conv.transforms.swap;
  candidate.expanded = !conv.transforms.expand.empty();
  candidate.out_chan_flattened = !conv.transforms.out_chan_flatten.empty();
  candidate.combined = conv.transforms.combined_groups > 1;
  return candidate;
}

std::uint64_t paddedMultiplyAdds(const ConvCandidate& candidate) {
  std::uint64_t count = checkedProduct(candidate.paddedGroups(), candidate.batch);
  count = checkedProduct(count, candidate.paddedIn());
  count = checkedProduct(count, candidate.paddedOut());
  for (const CandidateDim& dim : candidate.dims) count = checkedProduct(count, dim.multiplied);
  return count;
}

/// The multiply-adds per cycle by which the published planner sorts.
std::uint64_t multiplyRate(const Architecture& machine, ElementType input,
                           const ConvVertex& vertex) {
  if (vertex.method == ConvMethod::Slic) {
    return 2ULL * models::kSlicWindow * std::min(kSlicChans, vertex.in_chans_per_group);
  }
  const std::uint64_t width = machine.vectorWidth(input);
  return vertex.method == ConvMethod::Amp ? width * vertex.conv_units : width;
}

/// The share of the padded channels that are no padding.
double usefulShare(const ConvCandidate& candidate) {
  return static_cast<double>(candidate.in_chans * candidate.out_chans) /
         static_cast<double>(candidate.paddedIn() * candidate.paddedOut());
}

/// The multiply-adds of a candidate, those of padding among them.
double paddedWork(const ConvCandidate& candidate) {
  double work =
      static_cast<double>(candidate.batch) * static_cast<double>(candidate.paddedGroups()) *
      static_cast<double>(candidate.paddedIn()) * static_cast<double>(candidate.paddedOut());
  for (const CandidateDim& dim : candidate.dims) {
    work *= static_cast<double>(dim.outputs) * static_cast<double>(dim.kernel);
  }
  return work;
}

/// The slots that all workers together need for a candidate.
double slotsOf(const Architecture& machine, const ConvCandidate& candidate) {
  std::array<std::uint64_t, kMaxFieldDims> kernel{};
  for (std::size_t i = 0; i < kMaxFieldDims; ++i) kernel.at(i) = candidate.dims.at(i).kernel;
  const double grains = static_cast<double>(candidate.groupGrains()) *
                        static_cast<double>(candidate.inGrains()) *
                        static_cast<double>(candidate.outGrains());
  return grains * static_cast<double>(kernelUnits(machine, candidate, kernel)) *
         static_cast<double>(unitSlotsPerPosition(machine, candidate)) *
         static_cast<double>(costlyPositions(candidate));
}

/// True when cycles and bytes of a candidate may not fit 64 bits. Such a candidate has most of its
/// work in padding, or has a slow vertex, and is never the best.
bool isTooLarge(const Architecture& machine, const ConvCandidate& candidate) {
  return paddedWork(candidate) > kMostCounted || slotsOf(machine, candidate) > kMostCounted;
}

/// `shared` with its vertex.
ConvCandidate withVertex(const Architecture& machine, const ConvCandidate& shared,
                         const TransformedConv& conv, const ConvVertex& vertex,
                         SerialSplits serial) {
  ConvCandidate candidate = shared;
  candidate.vertex = vertex;
  candidate.vertex.weight_load = shared.vertex.weight_load;
  candidate.tile_result =
      sizeOf(vertex.partials) < sizeOf(shared.partials) ? vertex.partials : shared.partials;
  candidate.dims.at(candidate.dim_count - 1).grain = innermostGrain(conv.params, vertex);
  candidate.multiply_rate = multiplyRate(machine, candidate.input, vertex);
  if (serial == SerialSplits::None) return candidate;
  candidate.most_in_steps = ceilDiv<std::uint64_t>(conv.in_chans_before, vertex.in_chans_per_group);
  candidate.most_out_steps =
      ceilDiv<std::uint64_t>(conv.out_chans_before, vertex.partial_chans_per_group);
  return candidate;
}

/// Less is better.
auto rankOf(const ConvCandidate& candidate) {
  const double useful = usefulShare(candidate);
  return std::tuple(-static_cast<double>(candidate.multiply_rate) * useful, 1 - useful,
                    sizeOf(candidate.vertex.partials));
}

}  // namespace

std::uint32_t ampKernelHeight(const Architecture& machine, const ConvCandidate& candidate) {
  return models::ampWeightsPerUnit(machine, candidate.input) / candidate.vertex.in_chans_per_group;
}

ConvCandidate candidateOf(const Architecture& machine, const ConvProblem& problem,
                          const TransformedConv& conv, const ConvVertex& vertex) {
  ConvCandidate candidate =
      withVertex(machine, sharedBy(problem, conv), conv, vertex, problem.serial);
  candidate.multiply_adds = paddedMultiplyAdds(candidate);
  return candidate;
}

std::vector<ConvCandidate> candidatesOf(const Architecture& machine, const ConvProblem& problem,
                                        const TransformedConv& conv) {
  const ConvCandidate shared = sharedBy(problem, conv);
  std::vector<ConvCandidate> candidates;
  for (const ConvVertex& vertex : verticesOf(machine, problem, conv.params)) {
    ConvCandidate candidate = withVertex(machine, shared, conv, vertex, problem.serial);
    if (isTooLarge(machine, candidate)) continue;
    candidate.multiply_adds = paddedMultiplyAdds(candidate);
    candidates.push_back(candidate);
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const ConvCandidate& a, const ConvCandidate& b) { return rankOf(a) < rankOf(b); });
  return candidates;
}

}  // namespace ipusim::workloads
