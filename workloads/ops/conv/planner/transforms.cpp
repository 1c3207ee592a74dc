// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/transforms.h"

#include <algorithm>

#include "models/ipu/cost/products/amp.h"

namespace ipusim::workloads {
namespace {

// Vertices have two field dimensions at least.
constexpr std::size_t kLeastDims = 2;

std::uint32_t dimCount(const ConvParams& params) {
  return static_cast<std::uint32_t>(params.dims.size());
}

/// Along a dimension without a kernel, dilating the result costs less than dilating the input.
bool canDilateAfter(const ConvDim& dim) {
  const OperandTransform& in = dim.input;
  const OutputTransform& out = dim.output;
  return in.dilation != 1 && in.pad_lower + in.pad_upper == 0 && out.stride == 1 &&
         out.trunc_lower + out.trunc_upper == 0 && dim.kernelPositions() == 1;
}

void dilateAfter(ConvDim& dim) {
  dim.input.dilation = 1;
  dim.output.pad_lower = 0;
  dim.output.pad_upper = 0;
}

/// A dimension of zeros alone has no kernel to expand.
bool canExpand(const ConvDim& dim) {
  return dim.field >= dim.kernel && (dim.kernel != 1 || !dim.hasNoTransform()) &&
         dim.weights.elementsLeft(dim.kernel) > 0;
}

void outChanFlatten(ConvParams& params, const DimList& dims) {
  if (dims.empty()) return;
  params = swappedConv(params);
  for (const std::uint32_t dim : dims) {
    expandDim(params, dim);
    // The batch becomes the out channels again.
    params.batch = checkedProduct(params.batch, params.dims[dim].field);
    params.dims[dim].field = 1;
  }
  params = swappedConv(params);
}

bool canOutChanFlatten(const ConvDim& dim) {
  return dim.outputs() != 1 && dim.field <= dim.kernel && dim.input.elementsLeft(dim.field) > 0;
}

bool canFlatten(const ConvDim& dim) {
  return dim.kernelPositions() == 1 && dim.hasNoTransform();
}

/// Makes one row of the batch and all dimensions without kernel and transform.
void flatten(ConvParams& params, ConvTransforms& transforms) {
  transforms.flatten.clear();
  for (std::uint32_t dim = 0; dim < dimCount(params); ++dim) {
    if (canFlatten(params.dims[dim])) transforms.flatten.push_back(dim);
  }
  if (transforms.flatten.empty()) return;
  std::uint64_t positions = params.batch;
  params.batch = 1;
  for (const std::uint32_t dim : transforms.flatten) {
    positions = checkedProduct(positions, params.dims[dim].field);
    params.dims[dim].field = 1;
  }
  params.dims[transforms.flatten.back()].field = positions;
}

void combineGroups(ConvParams& params, std::uint32_t count) {
  params.groups = ceilDiv<std::uint64_t>(params.groups, count);
  params.in_chans *= count;
  params.out_chans *= count;
}

/// How many groups may be combined into one: until their in channels fill a load of weights.
std::vector<std::uint32_t> combinedGroups(const Architecture& machine, const ConvParams& params,
                                          GroupCombining combining) {
  std::vector<std::uint32_t> counts{1};
  const std::uint64_t most_chans = params.input == ElementType::Half ? 2 : 1;
  if (combining == GroupCombining::None || params.groups == 1 || params.in_chans > most_chans) {
    return counts;
  }
  const auto chans = static_cast<std::uint32_t>(params.in_chans);
  const std::uint32_t most = models::ampWeightsPerUnit(machine, params.input) / chans;
  for (std::uint32_t count = machine.vectorWidth(params.input) / chans; count <= most; count *= 2) {
    counts.push_back(count);
  }
  return counts;
}

/// All subsets of `dims`. The bits of a subset's number say which of `dims` it has; innermost
/// dimensions come first.
std::vector<DimList> subsetsOf(const DimList& dims) {
  std::vector<DimList> subsets;
  for (std::uint32_t number = 0; number < 1U << dims.size(); ++number) {
    DimList subset;
    for (std::size_t i = dims.size(); i-- > 0;) {
      if ((number >> i & 1U) != 0) subset.push_back(dims[i]);
    }
    subsets.push_back(subset);
  }
  return subsets;
}

/// The dimensions of `params` for which `holds`.
template <typename Condition>
DimList dimsWhere(const ConvParams& params, Condition holds) {
  DimList dims;
  for (std::uint32_t dim = 0; dim < dimCount(params); ++dim) {
    if (holds(params.dims[dim])) dims.push_back(dim);
  }
  return dims;
}

/// The transforms that come before any choice.
ConvTransforms givenTransforms(const ConvParams& params) {
  ConvTransforms given;
  const std::size_t dims = std::max(params.dims.size(), kLeastDims);
  given.extra_dims = static_cast<std::uint32_t>(dims - params.dims.size());
  given.dilate_after = dimsWhere(params, canDilateAfter);
  for (std::uint32_t& dim : given.dilate_after) dim += given.extra_dims;
  std::reverse(given.dilate_after.begin(), given.dilate_after.end());
  return given;
}

/// Where choices are listed, and which.
struct Choices {
  const Architecture& machine;
  GroupCombining combining;
  std::vector<TransformedConv>& all;
};

/// Adds `flat`, whose dimensions are flattened, with groups combined in all ways.
void addCombined(const TransformedConv& flat, const Choices& choices) {
  for (const std::uint32_t count :
       combinedGroups(choices.machine, flat.params, choices.combining)) {
    TransformedConv combined = flat;
    combined.transforms.combined_groups = count;
    combineGroups(combined.params, count);
    choices.all.push_back(combined);
  }
}

/// Adds `expanded` after all choices that are left.
void addChoices(const ConvParams& expanded, const TransformedConv& chosen, const Choices& choices) {
  for (const DimList& dims : subsetsOf(dimsWhere(expanded, canOutChanFlatten))) {
    TransformedConv next = chosen;
    next.params = expanded;
    next.transforms.out_chan_flatten = dims;
    outChanFlatten(next.params, dims);
    flatten(next.params, next.transforms);
    addCombined(next, choices);
  }
}

/// Swapping the operands of a product leaves a product.
void addProducts(const ConvParams& params, const Choices& choices) {
  for (const bool swap : {false, true}) {
    TransformedConv product{givenTransforms(params), params, 0, 0};
    ConvParams& conv = product.params;
    if (swap) std::swap(conv.dims.back().field, conv.out_chans);
    product.transforms.swap = swap;
    product.in_chans_before = conv.in_chans;
    product.out_chans_before = conv.out_chans;
    conv.dims.insert(conv.dims.begin(), product.transforms.extra_dims, ConvDim{});
    flatten(conv, product.transforms);
    addCombined(product, choices);
  }
}

}  // namespace

void expandDim(ConvParams& params, std::uint32_t index) {
  ConvDim& dim = params.dims[index];
  params.in_chans = checkedProduct(params.in_chans, dim.weights.elementsLeft(dim.kernel));
  ConvDim expanded;
  expanded.field = dim.outputs();
  dim = expanded;
}

ConvParams swappedAsTold(const ConvParams& params, const ConvTransforms& transforms) {
  ConvParams result = params;
  result.dims.insert(result.dims.begin(), transforms.extra_dims, ConvDim{});
  for (const std::uint32_t dim : transforms.dilate_after) dilateAfter(result.dims[dim]);
  return transforms.swap ? swappedConv(result) : result;
}

TransformedConv transformedConv(const ConvParams& params, const ConvTransforms& transforms) {
  TransformedConv result{transforms, swappedAsTold(params, transforms), 0, 0};
  result.in_chans_before = result.params.in_chans;
  result.out_chans_before = result.params.out_chans;
  for (const std::uint32_t dim : transforms.expand) expandDim(result.params, dim);
  outChanFlatten(result.params, transforms.out_chan_flatten);
  flatten(result.params, result.transforms);
  combineGroups(result.params, transforms.combined_groups);
  return result;
}

std::vector<TransformedConv> transformsOf(const Architecture& machine, const ConvProblem& problem) {
  const ConvParams& params = problem.params;
  std::vector<TransformedConv> all;
  const Choices choices{machine, problem.combining, all};
  if (isProduct(problem.pass)) {
    addProducts(params, choices);
    return all;
  }
  for (const bool swap : {false, true}) {
    TransformedConv chosen{givenTransforms(params), {}, 0, 0};
    chosen.transforms.swap = swap;
    const ConvParams swapped = swappedAsTold(params, chosen.transforms);
    chosen.in_chans_before = swapped.in_chans;
    chosen.out_chans_before = swapped.out_chans;
    for (const DimList& dims : subsetsOf(dimsWhere(swapped, canExpand))) {
      chosen.transforms.expand = dims;
      ConvParams expanded = swapped;
      for (const std::uint32_t dim : dims) expandDim(expanded, dim);
      addChoices(expanded, chosen, choices);
    }
  }
  return all;
}

bool ConvTransforms::hasMoved(std::uint32_t dim) const {
  const auto has = [dim](const DimList& dims) {
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
  };
  return has(expand) || has(out_chan_flatten) || has(flatten);
}

}  // namespace ipusim::workloads
