// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/cuts.h"

#include <algorithm>
#include <limits>

#include "sim/parallel/pipeline/schedule.h"

namespace ipusim::parallel {

namespace {

using workloads::ModuleRange;

/// How good a cut is: bytes that do not fit, then the longest stage, then how uneven all are.
struct Badness {
  double excess = std::numeric_limits<double>::infinity();
  double longest = 0;
  double squares = 0;

  friend bool operator<(const Badness& a, const Badness& b) {
    if (a.excess != b.excess) return a.excess < b.excess;
    if (a.longest != b.longest) return a.longest < b.longest;
    return a.squares < b.squares;
  }
};

class CutSearch {
 public:
  CutSearch(const ParallelTraining& training, StageMeter& meter)
      : training_(training), modules_(training.network.modules.size()) {
    sums_.emplace_back();
    for (std::size_t m = 0; m < modules_; ++m) {
      const StageCost cost = meter.cost({m, m + 1}, 1);
      const auto cycles = static_cast<double>((cost.forward.length + cost.backward.length).value());
      const auto stash =
          static_cast<double>(cost.held[static_cast<std::size_t>(Holding::Stash)].value());
      Sums next = sums_.back();
      next.cycles += cycles;
      next.bytes += static_cast<double>(cost.total().value()) - stash;
      next.saved += static_cast<double>(cost.saved.value());
      sums_.push_back(next);
    }
  }

  std::vector<ModuleRange> best() {
    const std::uint32_t stages = training_.stages;
    std::vector<std::vector<Best>> best(stages + 1, std::vector<Best>(modules_ + 1));
    best[0][0].badness.excess = 0;
    for (std::uint32_t s = 0; s < stages; ++s) {
      for (std::size_t last = s + 1; last <= modules_; ++last) {
        for (std::size_t first = s; first < last; ++first) {
          const Badness badness = with(best[s][first].badness, {first, last}, s);
          if (badness < best[s + 1][last].badness) best[s + 1][last] = {badness, first};
        }
      }
    }
    std::vector<ModuleRange> cuts;
    std::size_t last = modules_;
    for (std::uint32_t s = stages; s > 0; --s) {
      const std::size_t first = best[s][last].first;
      cuts.insert(cuts.begin(), {first, last});
      last = first;
    }
    return cuts;
  }

 private:
  /// Sums over the modules so far.
  struct Sums {
    double cycles = 0;
    double bytes = 0;
    double saved = 0;
  };
  struct Best {
    Badness badness;
    std::size_t first = 0;
  };

  [[nodiscard]] Badness with(const Badness& before, ModuleRange range, std::uint32_t stage) const {
    const PipelineSchedule schedule(training_.stages, training_.micro_batches);
    const Sums& begin = sums_[range.first];
    const Sums& end = sums_[range.last];
    const double depth = training_.activations == Storage::Streaming
                             ? 0
                             : static_cast<double>(schedule.stashDepth(stage));
    const double bytes = end.bytes - begin.bytes + depth * (end.saved - begin.saved);
    const double capacity = static_cast<double>(training_.pod.ipu.totalSram().value());
    const double cycles = end.cycles - begin.cycles;
    return {before.excess + std::max(0.0, bytes - capacity), std::max(before.longest, cycles),
            before.squares + cycles * cycles};
  }

  const ParallelTraining& training_;
  std::size_t modules_;
  std::vector<Sums> sums_;  ///< one entry more than modules
};

}  // namespace

std::vector<ModuleRange> stageCuts(const ParallelTraining& training, StageMeter& meter) {
  if (training.modules.empty()) {
    if (training.stages == 1) return {{0, training.network.modules.size()}};
    return CutSearch(training, meter).best();
  }
  std::vector<ModuleRange> cuts;
  for (const std::uint64_t count : training.modules) {
    const std::size_t first = cuts.empty() ? 0 : cuts.back().last;
    cuts.push_back({first, first + count});
  }
  return cuts;
}

}  // namespace ipusim::parallel
