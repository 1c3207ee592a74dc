// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/cuts.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace ipusim::parallel {

namespace {

using workloads::ModuleRange;

/// How good a cut is: bytes that do not fit, then the longest section, then how uneven all are.
struct CutCost {
  double excess = std::numeric_limits<double>::infinity();
  double longest = 0;
  double squares = 0;

  friend bool operator<(const CutCost& a, const CutCost& b) {
    if (a.excess != b.excess) return a.excess < b.excess;
    if (a.longest != b.longest) return a.longest < b.longest;
    return a.squares < b.squares;
  }
};

class CutSearch {
 public:
  CutSearch(const ParallelTraining& training, StageMeter& meter)
      : training_(training), ipu_(training.computeIpu()), modules_(training.network->modules()) {
    stashing_.emplace_back();
    last_.emplace_back();
    for (std::size_t m = 0; m < modules_; ++m) {
      stashing_.push_back(sumsWith(stashing_.back(), meter.cost({m, m + 1}, 1)));
      last_.push_back(sumsWith(last_.back(), meter.cost({m, m + 1}, 0)));
    }
  }

  /// Sections that fit where any do. Otherwise the memory says nothing, and time alone decides.
  std::vector<ModuleRange> best() {
    const Found fitting = search(ipu_.totalSram());
    return fitting.cost.excess == 0 ? fitting.cuts : search(std::nullopt).cuts;
  }

 private:
  struct Found {
    CutCost cost;
    std::vector<ModuleRange> cuts;
  };

  Found search(std::optional<Bytes> capacity) {
    capacity_ = capacity;
    const std::uint32_t sections = training_.sections();
    std::vector<std::vector<Best>> best(sections + 1, std::vector<Best>(modules_ + 1));
    best[0][0].cost.excess = 0;
    for (std::uint32_t s = 0; s < sections; ++s) {
      for (std::size_t last = s + 1; last <= modules_; ++last) {
        for (std::size_t first = s; first < last; ++first) {
          const CutCost cost = with(best[s][first].cost, {first, last}, s);
          if (cost < best[s + 1][last].cost) best[s + 1][last] = {cost, first};
        }
      }
    }
    std::vector<ModuleRange> cuts;
    std::size_t last = modules_;
    for (std::uint32_t s = sections; s > 0; --s) {
      const std::size_t first = best[s][last].first;
      cuts.insert(cuts.begin(), {first, last});
      last = first;
    }
    return {best[sections][modules_].cost, cuts};
  }

  /// Sums over the modules so far.
  struct Sums {
    double cycles = 0;
    double bytes = 0;
    double saved = 0;
    double weights = 0;
  };
  struct Best {
    CutCost cost;
    std::size_t first = 0;
  };

  static Sums sumsWith(const Sums& before, const StageCost& cost) {
    const auto stash =
        static_cast<double>(cost.held[static_cast<std::size_t>(Holding::Stash)].value());
    const Bytes weights = cost.held[static_cast<std::size_t>(Holding::Weights)];
    const Cycles batch = cost.forward.length + cost.backward.length;
    return {before.cycles + static_cast<double>(batch.value()),
            before.bytes + static_cast<double>(cost.total().value()) - stash,
            before.saved + static_cast<double>(cost.saved.value()),
            before.weights + static_cast<double>(weights.value())};
  }

  [[nodiscard]] CutCost with(const CutCost& before, ModuleRange range,
                             std::uint32_t section) const {
    const std::vector<Sums>& sums = section + 1 == training_.sections() ? last_ : stashing_;
    const Sums& begin = sums[range.first];
    const Sums& end = sums[range.last];
    // A stage that recomputes keeps its input alone.
    const double saved =
        sums[training_.recomputesSections() ? range.first + 1 : range.last].saved - begin.saved;
    const double depth =
        training_.offload.activations ? 0 : static_cast<double>(training_.stashDepth(section));
    double bytes = end.bytes - begin.bytes + depth * saved;
    if (training_.offload.weights && training_.doublesBuffers())
      bytes += end.weights - begin.weights;
    const double cycles = end.cycles - begin.cycles;
    const double excess =
        capacity_ ? std::max(0.0, bytes - static_cast<double>(capacity_->value())) : 0;
    return {before.excess + excess, std::max(before.longest, cycles),
            before.squares + cycles * cycles};
  }

  const ParallelTraining& training_;
  Machine ipu_;
  std::size_t modules_;
  std::optional<Bytes> capacity_;
  // One entry more than modules. The last section needs no stash, and recomputes nothing.
  std::vector<Sums> stashing_;
  std::vector<Sums> last_;
};

}  // namespace

std::vector<ModuleRange> sectionCuts(const ParallelTraining& training, StageMeter& meter) {
  if (training.modules.empty()) {
    if (training.sections() == 1) return {{0, training.network->modules()}};
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
