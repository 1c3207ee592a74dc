// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/ipu/cost/movement/zero.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/conv_reduce.h"
#include "models/ipu/cost/products/popsparse_block.h"

namespace ipusim::workloads {

namespace {

// The share of a tile that a plan may fill. The rest is for code, tables and the gaps between
// blocks.
constexpr double kUsableShare = 0.85;

/// Sizes of the average part, rounded up. Rows are counted in blocks.
struct AveragePart {
  std::uint64_t rows;
  std::uint64_t inner;
  std::uint64_t columns;
  std::uint64_t blocks;
  std::uint64_t touched_rows;   ///< number of rows that have a block
  std::uint64_t touched_inner;  ///< number of columns that have a block

  AveragePart(const SparseProblem& problem, const SparseSplits& splits)
      : rows(ceilDiv(problem.pattern.blockRows(), splits.rows)),
        inner(ceilDiv(problem.pattern.blockColumns(), splits.inner)),
        columns(std::min(problem.columns, columnsOf(problem, splits))),
        blocks(std::max<std::uint64_t>(1, ceilDiv(problem.pattern.blocks.size(), splits.parts()))),
        touched_rows(touched(rows)),
        touched_inner(touched(inner)) {}

 private:
  static std::uint64_t columnsOf(const SparseProblem& problem, const SparseSplits& splits) {
    const std::uint64_t grain = columnGrain(problem);
    return ceilDiv(ceilDiv(problem.columns, grain), splits.columns) * grain;
  }

  /// How many of `places` the draws of `blocks` blocks hit.
  [[nodiscard]] std::uint64_t touched(std::uint64_t places) const {
    const auto all = static_cast<double>(places);
    const double missed = std::exp(-static_cast<double>(blocks) / all);
    return static_cast<std::uint64_t>(std::ceil(all * (1 - missed)));
  }
};

class SparseEstimate {
 public:
  SparseEstimate(const Architecture& machine, const SparseProblem& problem,
                 const SparseSplits& splits)
      : machine_(machine),
        problem_(problem),
        splits_(splits),
        part_(problem, splits),
        row_elements_(part_.columns * problem.pattern.block) {}

  [[nodiscard]] Cycles total() const {
    return cyclesFor(Bytes(valueBytes() + denseBytesBrought()), machine_.fabric.exchange_rate) +
           multiply() + reduction();
  }

 private:
  [[nodiscard]] std::uint64_t valueBytes() const {
    return splits_.columns == 1
               ? 0
               : part_.blocks * problem_.pattern.blockElements() * sizeOf(problem_.input).value();
  }

  /// Whole parts go to all row parts at once. The two tiles of a bus receive them at double rate.
  [[nodiscard]] std::uint64_t denseBytesBrought() const {
    if (splits_.rows == 1) return 0;
    const std::uint64_t row = row_elements_ * sizeOf(problem_.input).value();
    const std::uint64_t shared = machine_.fabric.tiles_per_bus;
    const std::uint64_t streams = splits_.rows % shared == 0 ? shared : 1;
    return std::min(part_.touched_inner * row, part_.inner * row / streams);
  }

  [[nodiscard]] Cycles multiply() const {
    const Cycles clear =
        models::zeroPartialsCycles(machine_, {problem_.partials, part_.rows * row_elements_, 1});
    return clear + (problem_.pattern.block == 1 ? elementVertex() : blockVertex());
  }

  [[nodiscard]] Cycles elementVertex() const {
    return models::sparseForwardTileCycles(
        machine_, problem_.input, part_.columns, [this](std::uint64_t workers) {
          return std::vector<models::SparseRows>{
              {ceilDiv(part_.touched_rows, workers), ceilDiv(part_.blocks, workers)}};
        });
  }

  [[nodiscard]] Cycles blockVertex() const {
    models::SparseBlockShape shape{
        problem_.input, problem_.partials, problem_.pattern.block, {}, 1, 0, {}};
    shape.conv_units = models::ampUnits(machine_, problem_.input, problem_.partials);
    shape.columns = ceilDiv<std::uint64_t>(part_.columns, machine_.workers_per_tile);
    return models::sparseBlockCycles(machine_, shape, part_.blocks);
  }

  [[nodiscard]] Cycles reduction() const {
    const std::uint64_t outputs = ceilDiv(part_.rows * row_elements_, splits_.inner);
    const models::ConvReduction reduction{problem_.partials, problem_.output, outputs,
                                          splits_.inner};
    const models::ReductionDepths depths = models::reductionDepths(splits_.inner);
    Cycles cycles = models::convReductionCycles(machine_, reduction, depths);
    const models::ReductionStages stages = models::reductionStages(outputs * splits_.inner, depths);
    for (std::uint32_t s = 0; s < stages.count; ++s) {
      const std::uint64_t brought = (stages.stage[s].fan_in - 1) * stages.stage[s].outputs;
      cycles += cyclesFor(sizeOf(problem_.partials) * brought, machine_.fabric.exchange_rate);
    }
    return cycles;
  }

  const Architecture& machine_;
  const SparseProblem& problem_;
  SparseSplits splits_;
  AveragePart part_;
  std::uint64_t row_elements_;
};

/// The best plan so far.
class Choice {
 public:
  Choice(const Architecture& machine, const SparseProblem& problem)
      : machine_(machine),
        problem_(problem),
        usable_(static_cast<std::uint64_t>(static_cast<double>(machine.sram_per_tile.value()) *
                                           kUsableShare)) {}

  /// Tries every way to cut the rest with `rows` row parts that leaves no part empty.
  void consider(std::uint64_t rows) {
    const std::uint64_t tiles = machine_.tiles / rows;
    const std::uint64_t grains = ceilDiv(problem_.columns, columnGrain(problem_));
    const std::uint64_t most_inner = std::min(tiles, problem_.pattern.blockColumns());
    for (std::uint64_t inner = 1; inner <= most_inner; ++inner) {
      consider(SparseSplits{rows, inner, std::min(tiles / inner, grains)});
    }
  }

  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] const SparsePlan& plan() const { return *best_; }

 private:
  /// A plan that fits beats one that does not. Then the faster one wins, or the smaller one when
  /// none fits.
  void consider(const SparseSplits& splits) {
    const Bytes bytes = estimateSparseBytes(problem_, splits);
    const bool fits = bytes <= usable_;
    if (fits_ && !fits) return;
    const Cycles cycles = estimateSparse(machine_, problem_, splits);
    const bool first = !best_ || (fits && !fits_);
    if (!first && (fits ? cycles >= best_->cycles : bytes >= bytes_)) return;
    fits_ = fits;
    bytes_ = bytes;
    best_ = SparsePlan{splits, cycles};
  }

  const Architecture& machine_;
  const SparseProblem& problem_;
  Bytes usable_;
  std::optional<SparsePlan> best_;
  bool fits_ = false;
  Bytes bytes_;
};

}  // namespace

Cycles estimateSparse(const Architecture& machine, const SparseProblem& problem,
                      const SparseSplits& splits) {
  return SparseEstimate(machine, problem, splits).total();
}

Bytes estimateSparseBytes(const SparseProblem& problem, const SparseSplits& splits) {
  const AveragePart part(problem, splits);
  const std::uint64_t row = part.columns * problem.pattern.block;
  const std::uint64_t input = sizeOf(problem.input).value();
  const std::uint64_t partial = sizeOf(problem.partials).value();
  const std::uint64_t values = part.blocks * problem.pattern.blockElements();
  const std::uint64_t out = part.rows * row;
  // A share of the non-zeros, of the dense operand and of the result is in memory all the time.
  const std::uint64_t always =
      (ceilDiv(values, splits.columns) + ceilDiv(part.inner * row, splits.rows)) * input +
      ceilDiv(out, splits.inner) * sizeOf(problem.output).value();
  const std::uint64_t meta = 2 * (part.blocks + 2 * part.touched_rows);
  const std::uint64_t brought =
      (splits.columns == 1 ? 0 : values * input) +
      (splits.rows == 1 ? 0 : std::min(part.touched_inner, part.inner) * row * input);
  const std::uint64_t added = splits.inner == 1 ? 0 : out * partial;
  return Bytes(always + meta + out * partial + std::max(brought, added));
}

SparsePlan planSparse(const Architecture& machine, const SparseProblem& problem, SparseCuts cuts) {
  const std::uint64_t most_rows =
      std::min<std::uint64_t>(machine.tiles, problem.pattern.blockRows());
  Choice choice(machine, problem);
  for (std::uint64_t rows = 1; rows <= most_rows; ++rows) {
    choice.consider(rows);
    if (cuts == SparseCuts::InnerAndColumns && choice.fits()) break;
  }
  return choice.plan();
}

}  // namespace ipusim::workloads
