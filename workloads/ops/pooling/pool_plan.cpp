// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/pooling/pool_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace ipusim::workloads {

namespace {

using models::PoolingVertex;
using Sizes = std::vector<std::uint64_t>;

std::uint64_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The channels of a plane.
std::uint64_t planeChannels(const PoolWindow& window, PoolingVertex vertex) {
  const bool is_half = window.type == ElementType::Half;
  const std::uint64_t most = vertex == PoolingVertex::Sum ? (is_half ? 16 : 4) : (is_half ? 16 : 8);
  std::uint64_t channels = std::min(most, window.channels);
  while (window.channels % channels != 0) --channels;
  return channels;
}

/// All sizes of the largest part, each with the fewest parts that lead to it.
Sizes partsOf(std::uint64_t size, std::uint64_t most) {
  Sizes parts;
  for (std::uint64_t count = 1; count <= std::min(size, most); ++count) {
    if (count == 1 || ceilDiv(size, count) != ceilDiv(size, count - 1)) parts.push_back(count);
  }
  return parts;
}

class PoolPlanner {
 public:
  PoolPlanner(const Architecture& machine, const PoolWindow& window, PoolingVertex vertex,
              PoolingDirection direction)
      : machine_(machine),
        window_(window),
        vertex_(vertex),
        direction_(direction),
        results_(direction == PoolingDirection::Forward ? window.positions : window.field),
        channels_(planeChannels(window, vertex)) {}

  PoolPlan best() {
    const std::uint64_t planes = window_.samples * window_.channels / channels_;
    split({}, planes, machine_.tiles);
    return {channels_, best_};
  }

 private:
  /// Tries all parts of the next dimension. `parts` has those of the ones before, planes first.
  void split(const Sizes& parts, std::uint64_t size, std::uint64_t tiles) {
    for (const std::uint64_t count : partsOf(size, tiles)) {
      Sizes more = parts;
      more.push_back(count);
      if (more.size() <= results_.size()) {
        split(more, results_[more.size() - 1], tiles / count);
        continue;
      }
      const std::uint64_t cycles = cyclesOf(more);
      if (fewest_ && *fewest_ <= cycles) continue;
      fewest_ = cycles;
      best_ = more;
    }
  }

  [[nodiscard]] std::uint64_t cyclesOf(const Sizes& parts) const {
    const std::uint64_t planes =
        ceilDiv(window_.samples * window_.channels / channels_, parts.front());
    Sizes block(results_.size());
    std::uint64_t field = 1;
    for (std::size_t d = 0; d < block.size(); ++d) {
      block[d] = ceilDiv(results_[d], parts[d + 1]);
      field *= block[d] * window_.stride[d] + window_.window[d] -
               std::min(window_.window[d], window_.stride[d]);
    }
    const bool goes_forward = direction_ == PoolingDirection::Forward;
    const models::PoolingPlanShape shape{
        vertex_,
        block,
        1,
        planes,
        ceilDiv(channels_, std::uint64_t{machine_.vectorWidth(window_.type)}),
        goes_forward ? 1 : window_.stride.back(),
        product(window_.window)};
    const std::uint64_t results = product(block);
    const std::uint64_t moved = vertex_ == PoolingVertex::MaxGradient ? 2 * field + results : field;
    const Bytes bytes = sizeOf(window_.type) * (planes * channels_ * moved);
    constexpr std::uint64_t kBytesPerCycle = 4;
    return models::plannedPoolingCycles(machine_, shape).value() + bytes.value() / kBytesPerCycle;
  }

  const Architecture& machine_;
  const PoolWindow& window_;
  PoolingVertex vertex_;
  PoolingDirection direction_;
  const Sizes& results_;
  std::uint64_t channels_;
  Sizes best_;
  std::optional<std::uint64_t> fewest_;
};

}  // namespace

PoolPlan planPooling(const Architecture& machine, const PoolWindow& window, PoolingVertex vertex,
                     PoolingDirection direction) {
  return PoolPlanner(machine, window, vertex, direction).best();
}

}  // namespace ipusim::workloads
