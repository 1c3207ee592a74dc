// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/vertices/vertices.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/slic.h"
#include "workloads/ops/conv/planner/splits.h"

namespace ipusim::workloads {
namespace {

// The other number of engines for which AMP code exists, besides all engines.
constexpr std::uint32_t kFewAmpUnits = 8;

constexpr std::uint32_t kAnyNumberOfGroups = std::numeric_limits<std::uint32_t>::max();

/// What the lists of vertices are made for.
struct Vertices {
  const Architecture& machine;
  const ConvProblem& problem;
  const ConvParams& params;
  std::vector<ConvVertex> all;

  [[nodiscard]] bool hasHalfInput() const { return params.input == ElementType::Half; }
  [[nodiscard]] bool hasHalfPartials() const { return problem.partials == ElementType::Half; }
  [[nodiscard]] bool hasKernel() const {
    return std::any_of(params.dims.begin(), params.dims.end(),
                       [](const ConvDim& dim) { return dim.kernel != 1; });
  }
  /// True when all engines of the machine are twice those that every machine has.
  [[nodiscard]] bool hasDualAmp() const {
    return models::ampUnits(machine, params.input, problem.partials) == models::kDualAmpUnits;
  }
};

/// Adds HMAC with the fewest in channels of a group for each number of groups.
void addHmac(Vertices& vertices) {
  // Half channels come in pairs.
  const std::uint32_t step = vertices.hasHalfInput() ? 2 : 1;
  const std::uint32_t out_chans = vertices.hasHalfPartials() ? 2 : 1;
  const auto grains = ceilDiv<std::uint64_t>(vertices.params.in_chans, step);
  for (const std::uint32_t grouped : usefulSplits(grains, kAnyNumberOfGroups)) {
    vertices.all.push_back(
        {ConvMethod::Hmac, 0, 0, 1, grouped * step, out_chans, vertices.problem.partials});
  }
}

void addVmac(Vertices& vertices) {
  if (!vertices.hasHalfInput()) return;
  for (const std::uint32_t groups : {4U, 8U, 16U}) {
    if (groups > 4 && !vertices.hasHalfPartials()) break;
    vertices.all.push_back({ConvMethod::Vmac, 0, 0, groups, 1, 1, vertices.problem.partials});
  }
}

/// Adds AMP on groups of `in_chans` channels, with all numbers of engines and out channels. The out
/// channels of a group are as many as engines in use, or as many as an engine holds weights. The
/// latter takes several passes and is worth it only with all engines.
void addAmp(Vertices& vertices, std::uint32_t in_chans, ElementType partials) {
  const std::uint32_t most = models::ampUnits(vertices.machine, vertices.params.input, partials);
  const std::uint32_t weights = models::ampWeightsPerUnit(vertices.machine, vertices.params.input);
  std::vector<std::uint32_t> chans{most};
  if (weights > most) chans.push_back(weights);
  if (most > kFewAmpUnits) chans.push_back(kFewAmpUnits);
  for (const std::uint32_t units : {most, kFewAmpUnits}) {
    for (const std::uint32_t grouped : chans) {
      const bool fills = grouped % units == 0 && (grouped == units || grouped == weights);
      if (!fills || (grouped > units && units != most)) continue;
      if (vertices.problem.pass == ConvPass::FcInferenceFwd && grouped != units) continue;
      vertices.all.push_back({ConvMethod::Amp, units, 0, 1, in_chans, grouped, partials});
    }
    if (most <= kFewAmpUnits) break;
  }
}

/// Adds AMP on groups of as many in channels as an engine holds weights, or fewer. With fewer, an
/// engine takes several rows of a kernel at once.
void addAmps(Vertices& vertices) {
  const ElementType partials = vertices.problem.partials;
  const std::uint32_t weights = models::ampWeightsPerUnit(vertices.machine, vertices.params.input);
  const bool less_precise =
      vertices.hasHalfInput() && sizeOf(vertices.params.output) < sizeOf(partials);
  const std::uint32_t load = vertices.machine.vectorWidth(vertices.params.input);
  for (std::uint32_t chans = weights; chans >= load; chans /= 2) {
    addAmp(vertices, chans, partials);
    // When one load of weights holds all in channels, the tile sums nothing. Partials then need no
    // more precision than the result.
    const bool one_load =
        ceilDiv<std::uint64_t>(vertices.params.in_chans, chans) * chans == weights;
    if (less_precise && one_load && !vertices.hasKernel()) {
      addAmp(vertices, chans, vertices.params.output);
    }
  }
}

/// True when every dimension leaves the window of SLIC as it is. As published, the dilation of the
/// input does not matter, nor do the strides of outer dimensions.
bool takesWindow(const ConvParams& params) {
  const auto plain = [](const ConvDim& dim) {
    const OperandTransform& weights = dim.weights;
    return !dim.input.flip && !weights.flip && weights.dilation == 1 &&
           weights.pad_lower + weights.pad_upper == 0;
  };
  return params.dims.back().output.stride <= 2 &&
         std::all_of(params.dims.begin(), params.dims.end(), plain);
}

/// Adds SLIC for conv groups side by side and channels of each whose product is four. Half partials
/// with the dual AMP also allow all chains of engines, and 8 or 16 groups of one channel, four at a
/// time.
void addSlic(Vertices& vertices) {
  if (!vertices.hasHalfInput() || !takesWindow(vertices.params) ||
      isFullyConnected(vertices.problem.pass)) {
    return;
  }
  const bool dual = vertices.hasHalfPartials() && vertices.hasDualAmp();
  using Groups = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Groups> grains{{1, 4}, {2, 2}, {4, 1}};
  if (dual) grains.insert(grains.end(), {{8, 1}, {16, 1}});
  for (const std::uint32_t chains : {models::kSlicMostChains, models::kSlicFewChains}) {
    if (chains == models::kSlicMostChains && !dual) continue;
    for (const auto& [groups, chans] : grains) {
      vertices.all.push_back(
          {ConvMethod::Slic, 0, chains, groups, chans, chans, vertices.problem.partials});
    }
  }
}

/// An outer product writes partials of the type that it reads. That is precise enough when nothing
/// is summed.
void addOuterProduct(Vertices& vertices) {
  const ElementType type = vertices.params.input;
  const bool precise = sizeOf(type) >= sizeOf(vertices.problem.partials) ||
                       (vertices.params.in_chans == 1 && !vertices.hasKernel());
  if (!precise) return;
  vertices.all.push_back(
      {ConvMethod::OuterProduct, 0, 0, 1, 1, vertices.machine.vectorWidth(type), type});
}

/// Drops the vertices of methods that the problem does not ask for.
void keepAsked(Vertices& vertices) {
  const std::optional<ConvMethod>& asked = vertices.problem.method;
  if (!asked) return;
  std::vector<ConvVertex>& all = vertices.all;
  const auto is_other = [&](const ConvVertex& vertex) { return vertex.method != *asked; };
  all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
}

}  // namespace

std::vector<ConvVertex> verticesOf(const Architecture& machine, const ConvProblem& problem,
                                   const ConvParams& params) {
  Vertices vertices{machine, problem, params, {}};
  addHmac(vertices);
  addVmac(vertices);
  addAmps(vertices);
  addSlic(vertices);
  addOuterProduct(vertices);
  keepAsked(vertices);
  return std::move(vertices.all);
}

}  // namespace ipusim::workloads
