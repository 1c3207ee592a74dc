// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/activity.h"

#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ipusim::run {

using compiler::BoundFamily;
using compiler::Executable;
using compiler::RowPart;
using compiler::Step;

namespace {

/// What the vertices of a type do.
class VertexActivities {
 public:
  explicit VertexActivities(const Architecture& architecture) : architecture_(architecture) {}

  /// The activity of one vertex. The reference holds until the next call.
  const Activity& of(const VertexType& type) {
    if (&type == last_type_) return *last_;
    const auto [known, is_new] = known_.try_emplace(&type);
    if (is_new) known->second = compute(type);
    last_type_ = &type;
    last_ = &known->second;
    return *last_;
  }

 private:
  [[nodiscard]] Activity compute(const VertexType& type) const {
    Activity activity;
    activity.half_macs = type.work.half_macs;
    activity.float_macs = type.work.float_macs;
    activity.other_flops = type.work.otherFlops();
    activity.loaded_bytes = type.work.loads;
    activity.stored_bytes = type.work.stores;
    // Cycles that depend on data stand for one run in its execution record.
    if (type.cost) activity.bundles = type.cycles(architecture_).value();
    return activity;
  }

  const Architecture& architecture_;
  std::unordered_map<const VertexType*, Activity> known_;
  const VertexType* last_type_ = nullptr;
  const Activity* last_ = nullptr;
};

/// Adds what `times` vertices like `one` do. The other counts of a vertex are zero.
void addVertices(const Activity& one, std::uint64_t times, Activity& sum) {
  const auto add = [times](std::uint64_t& of_sum, std::uint64_t of_one) {
    if (of_one == 0) return;
    of_sum = cappedSum(of_sum, cappedProduct(of_one, times));
  };
  const auto add_count = [&](auto& of_sum, auto of_one) {
    std::uint64_t value = of_sum.value();
    add(value, of_one.value());
    of_sum = std::decay_t<decltype(of_sum)>(value);
  };
  add(sum.half_macs, one.half_macs);
  add(sum.float_macs, one.float_macs);
  add_count(sum.other_flops, one.other_flops);
  add_count(sum.loaded_bytes, one.loaded_bytes);
  add_count(sum.stored_bytes, one.stored_bytes);
  add(sum.bundles, one.bundles);
}

/// Shares out a whole number in proportion to weights, without a rest.
class Shares {
 public:
  Shares(std::uint64_t whole, std::uint64_t weights) : whole_(whole), weights_(weights) {}

  /// The share of the next weight.
  std::uint64_t next(std::uint64_t weight) {
    weight_ += weight;
    const double part = static_cast<double>(weight_) / static_cast<double>(weights_);
    const auto until =
        weight_ == weights_
            ? whole_
            : static_cast<std::uint64_t>(std::llround(part * static_cast<double>(whole_)));
    return until - std::exchange(given_, until);
  }

 private:
  std::uint64_t whole_;
  std::uint64_t weights_;
  std::uint64_t weight_ = 0;
  std::uint64_t given_ = 0;
};

class Writer {
 public:
  Writer(const Executable& executable, Result& result)
      : executable_(executable), result_(result), vertices_(executable.system.ipu) {}

  void write() {
    for (std::size_t t = 0; t < result_.tiles.size(); ++t) {
      if (t < executable_.traffic.activity_of_tile.size())
        of(t) = executable_.traffic.activity_of_tile[t];
      addTimes(result_.tiles[t]);
    }
    for (std::size_t s = 0; s < result_.steps.size(); ++s) addStep(s);
    for (TileResult& tile : result_.tiles) tile.activity.tile_syncs = syncs_;
    addRestOfTime();
    for (const StepResult& step : result_.steps) result_.activity += step.activity;
  }

 private:
  Activity& of(std::size_t tile) { return result_.tiles[tile].activity; }

  void addTimes(TileResult& tile) const {
    tile.activity.busy_tile_cycles = tile.compute + tile.copy + tile.exchange;
    tile.activity.tile_cycles = result_.time.cycles;
  }

  void addStep(std::size_t s) {
    const Step& step = executable_.lowered.steps[s];
    StepResult& result = result_.steps[s];
    result.activity += executable_.traffic.volumes[s].activity * result.iterations;
    for (const BoundFamily& family : step.families) addFamily(family, result);
    switch (step.kind) {
      case StepKind::Sync:
        addSync(result);
        break;
      case StepKind::HostCopy:
        addHostCopy(step.host, result);
        break;
      case StepKind::RemoteBegin:
        begun_ = &step.remote;
        break;
      case StepKind::RemoteEnd:
        addRow(result);
        break;
      case StepKind::Compute:
      case StepKind::OnTileCopy:
      case StepKind::Exchange:
      case StepKind::GlobalExchange:
        break;
    }
  }

  void addFamily(const BoundFamily& family, StepResult& step) {
    const Activity& one = vertices_.of(*family.type);
    const std::uint64_t times = cappedProduct(family.count, step.iterations);
    addVertices(one, times, step.activity);
    addVertices(one, times, of(family.tile.tile()));
  }

  void addSync(StepResult& step) {
    syncs_ = cappedSum(syncs_, step.iterations);
    step.activity.tile_syncs = cappedProduct(step.iterations, result_.tiles.size());
  }

  /// Each tile has the part of the bytes that it has of the variables.
  void addHostCopy(const compiler::HostCopy& copy, StepResult& step) {
    std::vector<std::uint64_t> weights(result_.tiles.size(), copy.variables.empty() ? 1 : 0);
    for (const VariableId variable : copy.variables) {
      for (const BlockId id : executable_.lowered.share_of[indexOf(variable)]) {
        if (id == compiler::kNoBlock) continue;
        const compiler::Block& block = executable_.lowered.blocks[indexOf(id)];
        weights[block.tile.tile()] += block.bytes.value();
      }
    }
    std::uint64_t all = 0;
    for (const std::uint64_t weight : weights) all += weight;
    Shares shares(copy.bytes.value(), all);
    for (std::size_t t = 0; t < weights.size(); ++t) {
      if (weights[t] == 0) continue;
      Activity moved;
      moved.host_bytes = Bytes(shares.next(weights[t]));
      add(moved * step.iterations, t, step);
    }
  }

  /// The row that the last RemoteBegin has.
  void addRow(StepResult& step) {
    for (const RowPart& part : begun_->parts) {
      Activity moved;
      moved.streaming_bytes = begun_->bytesOf(part);
      add(moved * step.iterations, executable_.lowered.blocks[indexOf(part.block)].tile.tile(),
          step);
    }
  }

  void add(const Activity& activity, std::size_t tile, StepResult& step) {
    of(tile) += activity;
    step.activity += activity;
  }

  /// Gives the last step of the program the time of all tiles that no step has.
  void addRestOfTime() {
    if (executable_.lowered.positions.empty()) return;
    std::uint64_t rest = cappedProduct(result_.time.cycles.value(), result_.tiles.size());
    for (const StepResult& step : result_.steps) {
      rest -= std::min(rest, step.activity.tile_cycles.value());
    }
    Activity waits;
    waits.tile_cycles = Cycles(rest);
    result_.steps[indexOf(executable_.lowered.positions.back())].activity += waits;
  }

  const Executable& executable_;
  Result& result_;
  VertexActivities vertices_;
  const compiler::RowCopy* begun_ = nullptr;
  std::uint64_t syncs_ = 0;  ///< of each tile
};

}  // namespace

void addActivity(const Executable& executable, Result& result) {
  Writer(executable, result).write();
}

}  // namespace ipusim::run
