// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/vertex_cycles.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/ipu/cost/amp.h"
#include "models/ipu/cost/conv_nx1.h"
#include "models/ipu/cost/hmac.h"
#include "models/ipu/cost/outer_product.h"
#include "models/ipu/cost/vmac.h"
#include "models/ipu/cost/workers.h"
#include "models/ipu/cost/zero.h"

namespace ipusim::workloads {
namespace {

// The bytes of SLIC besides a second result.
constexpr Bytes kSlicScratch(200);

// A row of as many positions runs at the rate of the engines, after its start.
constexpr std::uint64_t kLongRow = 16;

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// The output positions of a tile as rows along the innermost dimension.
struct TileRows {
  std::uint64_t rows;
  std::uint64_t length;
};

/// The number of outputs of which one costs slots. The others meet only zeros that dilation leaves.
std::uint64_t outputStep(ConvMethod method, const CandidateDim& dim) {
  switch (method) {
    case ConvMethod::Amp:
      return dim.tile_dilation / std::gcd(dim.tile_dilation, dim.tile_stride);
    case ConvMethod::Hmac:
      return dim.tile_dilation;
    case ConvMethod::Vmac:
    case ConvMethod::Slic:
    case ConvMethod::OuterProduct:
      break;
  }
  return 1;
}

TileRows tileRows(const ConvCandidate& candidate, const ConvShare& share) {
  TileRows rows{share.batch, 1};
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const std::uint64_t step = outputStep(candidate.vertex.method, candidate.dims.at(i));
    const std::uint64_t positions = ceilDiv(share.field.at(i), step);
    if (i + 1 == candidate.dim_count) {
      rows.length = positions;
    } else {
      rows.rows *= positions;
    }
  }
  return rows;
}

/// The slots of the pieces [begin, end) of a tile's positions, which are cut at the ends of rows.
template <typename Slots>
std::uint64_t pieceSlots(std::uint64_t begin, std::uint64_t end, std::uint64_t length,
                         Slots slots) {
  std::uint64_t sum = 0;
  const std::uint64_t first_end = std::min(end, roundUp(begin, length));
  if (first_end > begin) sum += slots(first_end - begin);
  if (const std::uint64_t whole = (end - first_end) / length; whole > 0)
    sum += whole * slots(length);
  if (const std::uint64_t rest = (end - first_end) % length; rest > 0) sum += slots(rest);
  return sum;
}

/// The slots of the slowest and of the fastest worker, when positions are shared out evenly.
template <typename Slots>
models::WorkerSlots evenSlots(const Architecture& machine, const TileRows& rows, Slots slots) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t positions = rows.rows * rows.length;
  models::WorkerSlots result{0, kNone};
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    const std::uint64_t sum = pieceSlots(worker * positions / workers,
                                         (worker + 1) * positions / workers, rows.length, slots);
    result = {std::max(result.slowest, sum), std::min(result.fastest, sum)};
  }
  return result;
}

/// Rows of a worker that gets whole rows, and one part of a row.
struct RowShare {
  std::uint64_t whole;
  std::uint64_t parts;  ///< number of parts of a row, beyond the whole ones
  std::uint64_t split;  ///< number of parts that make a row
};

RowShare rowShare(const Architecture& machine, std::uint64_t rows) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t split = workers / std::gcd(workers, rows);
  const std::uint64_t most = ceilDiv(rows * split, workers);
  return {most / split, most % split, split};
}

models::AmpEngine engineOf(const ConvCandidate& candidate) {
  const ConvVertex& vertex = candidate.vertex;
  return {candidate.input, vertex.partials, vertex.conv_units, candidate.weight_load};
}

/// True when a tile's share has the form of the vertex for 1x1 kernels, but for its kernel.
bool isOneRow(const ConvCandidate& candidate, const ConvShare& share) {
  if (candidate.batch != 1 || candidate.has_output_padding) return false;
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const CandidateDim& dim = candidate.dims.at(i);
    if (dim.tile_dilation != dim.tile_stride) return false;
    if (i + 1 < candidate.dim_count && share.field.at(i) != 1) return false;
  }
  return true;
}

/// The same for AMP, which takes one row of a kernel there.
bool isAmpOneRow(const Architecture& machine, const ConvCandidate& candidate,
                 const ConvShare& share) {
  return ampKernelHeight(machine, candidate) == 1 && isOneRow(candidate, share);
}

models::Amp1x1Shape amp1x1Shape(const ConvCandidate& candidate, const ConvShare& share) {
  return {engineOf(candidate), share.field.at(candidate.dim_count - 1),
          share.conv_groups,   share.in_groups,
          share.out_groups,    candidate.vertex.partial_chans_per_group};
}

models::ConvNx1Shape nx1Shape(const Architecture& machine, const ConvCandidate& candidate,
                              const ConvShare& share) {
  const std::uint32_t height = ampKernelHeight(machine, candidate);
  return {engineOf(candidate),
          height,
          ceilDiv<std::uint64_t>(share.kernel[0], height),
          share.kernelPositions() / share.kernel[0],
          share.conv_groups,
          share.in_groups,
          share.out_groups,
          candidate.vertex.partial_chans_per_group};
}

/// Cycles of clearing `elements` partials per group. As published, they are cleared at the rate of
/// floats, whatever their type.
Cycles clearCycles(const Architecture& machine, const ConvShare& share, std::uint64_t elements) {
  return models::zeroPartialsCycles(
      machine, {ElementType::Float, elements, share.conv_groups * share.out_groups});
}

Cycles ampCycles(const Architecture& machine, const ConvCandidate& candidate,
                 const ConvShare& share, const PositionSlots& slots) {
  if (share.kernelPositions() == 1 && isAmpOneRow(machine, candidate, share)) {
    return models::amp1x1PlanCycles(machine, amp1x1Shape(candidate, share));
  }
  const std::uint64_t partials =
      share.fieldPositions() * share.batch * candidate.vertex.partial_chans_per_group;
  return models::convNx1CyclesOf(machine, nx1Shape(machine, candidate, share), slots.amp) +
         clearCycles(machine, share, partials);
}

models::HmacShape hmacShape(const ConvCandidate& candidate, const ConvShare& share) {
  const ConvVertex& vertex = candidate.vertex;
  const bool one_by_one = share.kernelPositions() == 1 && isOneRow(candidate, share);
  return {one_by_one ? models::hmacVariant(candidate.input, vertex.partials)
                     : models::HmacVariant::General,
          candidate.input,
          vertex.partials,
          share.kernelPositions(),
          share.conv_groups,
          share.in_groups,
          share.out_groups,
          vertex.in_chans_per_group,
          vertex.partial_chans_per_group};
}

std::uint64_t hmacRowSlots(const Architecture& machine, const ConvCandidate& candidate,
                           const ConvShare& share, const models::HmacShape& shape) {
  const TileRows rows = tileRows(candidate, share);
  const RowShare worker = rowShare(machine, rows.rows);
  std::uint64_t slots = worker.whole * models::hmacRowSlots(machine, shape, rows.length);
  if (worker.parts > 0) {
    const std::uint64_t part = worker.parts * (rows.length + worker.split - 1) / worker.split;
    slots += models::hmacRowSlots(machine, shape, part);
  }
  return slots;
}

Cycles hmacCycles(const Architecture& machine, const ConvCandidate& candidate,
                  const ConvShare& share) {
  const models::HmacShape shape = hmacShape(candidate, share);
  const Cycles cycles =
      models::hmacCyclesOf(machine, shape, hmacRowSlots(machine, candidate, share, shape));
  const bool writes_once = shape.variant == models::HmacVariant::OneByOne && share.in_groups == 1 &&
                           shape.out_chans_per_group == 1;
  if (writes_once) return cycles;
  const std::uint64_t positions =
      tileRows(candidate, share).rows * share.field.at(candidate.dim_count - 1);
  return cycles + clearCycles(machine, share, positions * shape.out_chans_per_group);
}

models::VmacShape vmacShape(const ConvCandidate& candidate, const ConvShare& share) {
  const ConvVertex& vertex = candidate.vertex;
  // As published, the batch is neither cleared nor summed.
  return {vertex.partials, vertex.conv_groups_per_group, share.conv_groups, share.in_groups,
          share.fieldPositions()};
}

/// The slots of a worker's sums along the innermost kernel dimension, at one position of the other
/// kernel dimensions.
std::uint64_t vmacSumSlots(const Architecture& machine, const ConvCandidate& candidate,
                           const ConvShare& share) {
  const models::VmacShape shape = vmacShape(candidate, share);
  const RowShare worker = rowShare(machine, share.fieldPositions() * share.batch);
  const std::uint64_t length = share.kernel.at(candidate.dim_count - 1);
  std::uint64_t slots = worker.whole * models::vmacSumSlots(shape, length);
  if (worker.parts > 0) {
    slots += worker.parts * models::vmacSumSlots(shape, ceilDiv(length, worker.split));
  }
  return slots;
}

Cycles vmacCycles(const Architecture& machine, const ConvCandidate& candidate,
                  const ConvShare& share) {
  const std::uint64_t outer = share.kernelPositions() / share.kernel.at(candidate.dim_count - 1);
  return models::vmacCyclesOf(machine, vmacShape(candidate, share),
                              outer * vmacSumSlots(machine, candidate, share));
}

models::SlicShape slicShape(const ConvCandidate& candidate) {
  const ConvVertex& vertex = candidate.vertex;
  return {vertex.partials,
          vertex.chains,
          candidate.innermost().tile_stride,
          vertex.conv_groups_per_group,
          vertex.in_chans_per_group,
          1,
          1};
}

models::SlicWorkers slicWorkers(const Architecture& machine, const ConvCandidate& candidate,
                                const ConvShare& share) {
  const models::SlicShape shape = slicShape(candidate);
  const TileRows rows = tileRows(candidate, share);
  const auto slowest = [&](models::SlicPartials partials) {
    const auto slots = [&](std::uint64_t n) { return models::slicPieceSlots(shape, partials, n); };
    return models::slicStartSlots(shape) + evenSlots(machine, rows, slots).slowest;
  };
  return {slowest(models::SlicPartials::Written), slowest(models::SlicPartials::AddedTo),
          rows.rows * rows.length};
}

Cycles slicCycles(const Architecture& machine, const ConvCandidate& candidate,
                  const ConvShare& share, const PositionSlots& slots) {
  models::SlicShape shape = slicShape(candidate);
  shape.conv_group_groups = share.conv_groups;
  shape.sub_kernels = kernelUnits(machine, candidate, share.kernel);
  return models::slicCyclesOf(machine, shape, slots.slic);
}

models::OuterProductShape outerShape(const Architecture& machine, const ConvCandidate& candidate,
                                     const ConvShare& share) {
  const bool floats =
      candidate.input == ElementType::Float || candidate.vertex.partials == ElementType::Float;
  const std::uint32_t grouped = candidate.vertex.partial_chans_per_group;
  const std::uint64_t positions = share.field.at(candidate.dim_count - 1);
  return {floats ? ElementType::Float : ElementType::Half, models::largestShare(machine, positions),
          share.out_groups * grouped * share.conv_groups, grouped};
}

Cycles outerCycles(const Architecture& machine, const models::OuterProductShape& shape) {
  return models::tileCyclesOf(machine, models::outerProductCycles(machine, shape).value());
}

/// The number of kernel rows that the published planner pads to. When there are 16 engines, it
/// halves the rows of 8 engines that take fewer channels than weights, though the vertex takes as
/// many.
std::uint64_t paddedHeight(const Architecture& machine, const ConvCandidate& candidate) {
  const ConvVertex& vertex = candidate.vertex;
  const std::uint32_t height = ampKernelHeight(machine, candidate);
  const bool half_of_dual =
      height > 1 && vertex.conv_units * 2 == models::kDualAmpUnits &&
      models::ampUnits(machine, candidate.input, vertex.partials) == models::kDualAmpUnits;
  return half_of_dual ? height / 2 : height;
}

/// The kernel positions that the larger part lacks to whole windows of `window`.
std::uint64_t kernelPadding(std::uint64_t kernel, std::uint32_t parts, std::uint64_t window) {
  const std::uint64_t rest =
      std::max(kernel / parts % window, ceilDiv<std::uint64_t>(kernel, parts) % window);
  return (window - rest) % window;
}

/// The positions that SLIC reads of `positions`, with the zeros of their dilation and padding.
std::uint64_t paddedPositions(const CandidateDim& dim, std::uint64_t positions) {
  return 1 + (positions - 1) * dim.input_dilation + dim.input_padding;
}

/// One layer of the cycles of a share, by two shares that differ in it.
std::uint64_t difference(Cycles more, Cycles less) {
  return excess(more, less).value();
}

ConvShare oneOfEach(const ConvShare& share) {
  ConvShare one = share;
  one.conv_groups = 1;
  one.in_groups = 1;
  one.out_groups = 1;
  one.kernel = {1, 1, 1};
  return one;
}

/// The first in group writes its partials, and each later one adds to them.
std::uint64_t amp1x1UnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                               const ConvShare& one) {
  models::Amp1x1Shape shape = amp1x1Shape(candidate, one);
  const Cycles single = models::amp1x1PlanCycles(machine, shape);
  shape.in_groups = 2;
  const std::uint64_t adding = difference(models::amp1x1PlanCycles(machine, shape), single);
  shape.in_groups = 1;
  shape.out_groups = 2;
  return std::min(adding, difference(models::amp1x1PlanCycles(machine, shape), single));
}

std::uint64_t ampUnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                            const ConvShare& one, const PositionSlots& slots) {
  models::ConvNx1Shape shape = nx1Shape(machine, candidate, one);
  const Cycles single = models::convNx1CyclesOf(machine, shape, slots.amp);
  shape.kernel_inner = 2;
  const std::uint64_t unit = difference(models::convNx1CyclesOf(machine, shape, slots.amp), single);
  if (!isAmpOneRow(machine, candidate, one)) return unit;
  return std::min(unit, amp1x1UnitCycles(machine, candidate, one));
}

std::uint64_t hmacUnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                             const ConvShare& one) {
  models::HmacShape shape = hmacShape(candidate, one);
  const std::uint64_t rows = hmacRowSlots(machine, candidate, one, shape);
  const Cycles single = models::hmacCyclesOf(machine, shape, rows);
  ++shape.kernel_positions;
  return difference(models::hmacCyclesOf(machine, shape, rows), single);
}

std::uint64_t outerUnitCycles(const Architecture& machine, const ConvCandidate& candidate,
                              const ConvShare& one) {
  models::OuterProductShape shape = outerShape(machine, candidate, one);
  const Cycles single = outerCycles(machine, shape);
  shape.chans *= 2;
  return difference(outerCycles(machine, shape), single);
}

}  // namespace

PositionSlots positionSlots(const Architecture& machine, const ConvCandidate& candidate,
                            const ConvShare& share) {
  PositionSlots slots;
  if (candidate.vertex.method == ConvMethod::Slic) {
    slots.slic = slicWorkers(machine, candidate, share);
  }
  if (candidate.vertex.method != ConvMethod::Amp) return slots;
  const models::AmpEngine engine = engineOf(candidate);
  const TileRows rows = tileRows(candidate, share);
  slots.amp =
      evenSlots(machine, rows, [&](std::uint64_t n) { return models::convNx1RowSlots(engine, n); });
  slots.amp.slowest += models::convNx1StartSlots(engine);
  slots.amp.fastest += models::convNx1StartSlots(engine);
  return slots;
}

Cycles partialCalcCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots) {
  switch (candidate.vertex.method) {
    case ConvMethod::Amp:
      return ampCycles(machine, candidate, share, slots);
    case ConvMethod::Hmac:
      return hmacCycles(machine, candidate, share);
    case ConvMethod::Vmac:
      return vmacCycles(machine, candidate, share);
    case ConvMethod::Slic:
      return slicCycles(machine, candidate, share, slots);
    case ConvMethod::OuterProduct:
      break;
  }
  return outerCycles(machine, outerShape(machine, candidate, share));
}

std::uint64_t unitCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots) {
  const ConvShare one = oneOfEach(share);
  switch (candidate.vertex.method) {
    case ConvMethod::Amp:
      return ampUnitCycles(machine, candidate, one, slots);
    case ConvMethod::Hmac:
      return hmacUnitCycles(machine, candidate, one);
    case ConvMethod::Vmac: {
      ConvShare whole_rows = one;
      whole_rows.kernel.at(candidate.dim_count - 1) = candidate.innermost().kernel;
      return models::tileCyclesOf(machine, vmacSumSlots(machine, candidate, whole_rows)).value();
    }
    case ConvMethod::Slic:
      return models::tileCyclesOf(machine,
                                  std::min(slots.slic.slowest_written, slots.slic.slowest_added))
          .value();
    case ConvMethod::OuterProduct:
      break;
  }
  return outerUnitCycles(machine, candidate, one);
}

std::uint64_t unitSlotsPerPosition(const Architecture& machine, const ConvCandidate& candidate) {
  ConvShare one{};
  one.batch = 1;
  one.field = {1, 1, 1};
  one = oneOfEach(one);
  switch (candidate.vertex.method) {
    case ConvMethod::Amp: {
      const models::AmpEngine engine = engineOf(candidate);
      const std::uint64_t passes = candidate.vertex.partial_chans_per_group / engine.conv_units;
      return passes * (models::convNx1RowSlots(engine, kLongRow + 1) -
                       models::convNx1RowSlots(engine, kLongRow));
    }
    case ConvMethod::Hmac:
      return models::hmacPositionCycles(machine, hmacShape(candidate, one)).value();
    case ConvMethod::Vmac:
      return models::vmacSumSlots(vmacShape(candidate, one), candidate.innermost().kernel);
    case ConvMethod::Slic: {
      const models::SlicShape shape = slicShape(candidate);
      return models::slicPieceSlots(shape, models::SlicPartials::AddedTo, kLongRow + 1) -
             models::slicPieceSlots(shape, models::SlicPartials::AddedTo, kLongRow);
    }
    case ConvMethod::OuterProduct:
      break;
  }
  models::OuterProductShape shape = outerShape(machine, candidate, one);
  const Cycles single = models::outerProductCycles(machine, shape);
  ++shape.width;
  return difference(models::outerProductCycles(machine, shape), single);
}

std::uint64_t costlyPositions(const ConvCandidate& candidate) {
  std::uint64_t positions = candidate.batch;
  for (const CandidateDim& dim : candidate.dims) {
    positions *= ceilDiv(dim.outputs, outputStep(candidate.vertex.method, dim));
  }
  return positions;
}

std::uint64_t kernelUnits(const Architecture& machine, const ConvCandidate& candidate,
                          const std::array<std::uint64_t, kMaxFieldDims>& kernel) {
  const std::uint64_t positions = kernel[0] * kernel[1] * kernel[2];
  const std::uint64_t innermost = kernel.at(candidate.dim_count - 1);
  switch (candidate.vertex.method) {
    case ConvMethod::Amp:
      return positions / kernel[0] *
             ceilDiv<std::uint64_t>(kernel[0], ampKernelHeight(machine, candidate));
    case ConvMethod::Slic:
      return positions / innermost * ceilDiv<std::uint64_t>(innermost, models::kSlicWindow);
    case ConvMethod::Vmac:
      return positions / innermost;
    case ConvMethod::Hmac:
    case ConvMethod::OuterProduct:
      break;
  }
  return positions;
}

bool takes(const ConvCandidate& candidate, const ConvShare& share) {
  if (candidate.takesOneInGroup() && share.in_groups != 1) return false;
  if (candidate.takesOneOutGroup() && share.out_groups != 1) return false;
  if (candidate.vertex.method != ConvMethod::OuterProduct) return true;
  return !candidate.has_output_transform && !candidate.flips_or_dilates_input && share.batch == 1 &&
         share.kernelPositions() == 1 &&
         share.fieldPositions() == share.field.at(candidate.dim_count - 1);
}

WindowZeros windowZeros(const Architecture& machine, const ConvCandidate& candidate,
                        const ConvPoint& point, const ConvShare& share) {
  const ConvVertex& vertex = candidate.vertex;
  const bool slic = vertex.method == ConvMethod::Slic;
  const std::uint64_t window =
      slic ? models::kSlicWindow
           : (vertex.method == ConvMethod::Amp ? paddedHeight(machine, candidate) : 1);
  if (window == 1) return {};
  const std::uint32_t padded_dim = slic ? candidate.dim_count - 1 : 0;
  std::uint64_t kernel = 1;
  std::uint64_t field = 1;
  for (std::uint32_t i = 0; i < candidate.dim_count; ++i) {
    const CandidateDim& dim = candidate.dims.at(i);
    const std::uint64_t padding =
        i == padded_dim ? kernelPadding(dim.kernel, point.partition.kernel.at(i), window) : 0;
    const std::uint64_t positions = share.field.at(i) + padding * dim.kernel_dilation;
    kernel *= share.kernel.at(i) + padding;
    field *= slic ? paddedPositions(dim, positions) : positions;
  }
  const std::uint64_t in_chans = share.in_groups * vertex.in_chans_per_group * share.conv_groups *
                                 vertex.conv_groups_per_group;
  const std::uint64_t out_chans = share.out_groups * vertex.partial_chans_per_group;
  return {(field - share.fieldPositions()) * share.batch * in_chans,
          (kernel - share.kernelPositions()) * in_chans * out_chans};
}

Bytes scratchBytes(const ConvCandidate& candidate, const ConvShare& share) {
  if (candidate.vertex.method != ConvMethod::Slic) return Bytes(0);
  const Bytes partials = sizeOf(candidate.vertex.partials) * share.partials;
  return Bytes(ceilDiv<std::uint64_t>(partials.value(), share.conv_groups)) + kSlicScratch;
}

}  // namespace ipusim::workloads
