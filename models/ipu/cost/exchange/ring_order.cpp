// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/ring_order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ipusim::models {

namespace {

using Order = std::vector<std::uint32_t>;

/// Up the even rail, down the odd one.
Order alongRails(const Order& ipus) {
  Order order;
  for (const std::uint32_t ipu : ipus) {
    if (ipu % 2 == 0) order.push_back(ipu);
  }
  for (auto ipu = ipus.rbegin(); ipu != ipus.rend(); ++ipu) {
    if (*ipu % 2 != 0) order.push_back(*ipu);
  }
  return order;
}

/// Looks for a ring in which neighbours are linked both ways. Steps are bounded: on a large system
/// without a ring the search would take too long.
class RingSearch {
 public:
  RingSearch(const System& system, const Order& ipus)
      : size_(ipus.size()), neighbours_(system.ipus), is_free_(system.ipus, false) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> linked;
    for (const LinkSet& set : system.links) linked.emplace(set.from, set.to);
    for (const std::uint32_t ipu : ipus) is_free_[ipu] = true;
    for (const auto& [from, to] : linked) {
      const bool both = is_free_[from] && is_free_[to] && linked.count({to, from}) > 0;
      if (both) neighbours_[from].push_back(to);
    }
    is_free_[ipus.front()] = false;
    path_ = {ipus.front()};
  }

  /// Empty: none was found.
  Order find() { return extend() ? path_ : Order(); }

 private:
  static constexpr std::size_t kMostSteps = 100'000;

  bool extend() {
    if (path_.size() == size_) {
      const Order& last = neighbours_[path_.back()];
      return std::binary_search(last.begin(), last.end(), path_.front());
    }
    if (++steps_ > kMostSteps) return false;
    const Order next = candidates();
    return std::any_of(next.begin(), next.end(),
                       [this](std::uint32_t ipu) { return closesThrough(ipu); });
  }

  /// Whether the path closes with that IPU next. If not, the path is as it was.
  bool closesThrough(std::uint32_t ipu) {
    path_.push_back(ipu);
    is_free_[ipu] = false;
    if (extend()) return true;
    is_free_[ipu] = true;
    path_.pop_back();
    return false;
  }

  /// The free neighbours of the last IPU. Those with the fewest free neighbours come first, because
  /// the ring may not be able to come back to them.
  [[nodiscard]] Order candidates() const {
    Order found;
    for (const std::uint32_t ipu : neighbours_[path_.back()]) {
      if (is_free_[ipu]) found.push_back(ipu);
    }
    std::stable_sort(found.begin(), found.end(), [this](std::uint32_t a, std::uint32_t b) {
      return freeAround(a) < freeAround(b);
    });
    return found;
  }

  [[nodiscard]] std::size_t freeAround(std::uint32_t ipu) const {
    const Order& around = neighbours_[ipu];
    return static_cast<std::size_t>(std::count_if(
        around.begin(), around.end(), [this](std::uint32_t other) { return is_free_[other]; }));
  }

  std::size_t size_;
  std::vector<Order> neighbours_;  ///< one entry per IPU of the system, sorted
  std::vector<bool> is_free_;      ///< one entry per IPU of the system
  Order path_;
  std::size_t steps_ = 0;
};

/// True where two mirrored orders that turn at every rung close.
bool turnsAtRungs(const System& system, const Order& ipus) {
  const std::uint32_t rack = std::min(system.rack_ipus, system.ipus);
  const bool is_rack = ipus.size() == rack && ipus.back() - ipus.front() + 1 == rack;
  return isTorus(system) && is_rack && rack % 4 == 0;
}

/// Crosses every rung: 0, 1, 3, 2, 4, 5, 7, 6 and so on, counted from the first IPU.
IpuRing acrossRungs(const Order& ipus) {
  IpuRing ring;
  for (std::uint32_t place = 0; place < ipus.size(); ++place) {
    const bool is_odd_rung = place / 2 % 2 != 0;
    ring.ipus.push_back(ipus[is_odd_rung ? place ^ 1U : place]);
    ring.mirror.push_back(place ^ 1U);
  }
  return ring;
}

}  // namespace

bool isTorus(const System& system) {
  constexpr std::uint32_t kTwoRungs = 4;  // they are neighbours already
  const std::uint32_t rack = std::min(system.rack_ipus, system.ipus);
  return system.route == RouteRule::Ladder && rack > kTwoRungs &&
         std::any_of(system.links.begin(), system.links.end(),
                     [&](const LinkSet& set) { return set.from == 0 && set.to == rack - 2; });
}

std::vector<std::uint32_t> ringOrder(const System& system, const Order& ipus) {
  if (ipus.size() <= 2) return ipus;
  if (system.route == RouteRule::Ladder) return alongRails(ipus);
  const Order found = RingSearch(system, ipus).find();
  return found.empty() ? ipus : found;
}

IpuRing ringThrough(const System& system, const Order& ipus, CollectiveMethod method) {
  const bool has_mirror = method == CollectiveMethod::QuadRing && turnsAtRungs(system, ipus);
  return has_mirror ? acrossRungs(ipus) : IpuRing{ringOrder(system, ipus)};
}

std::vector<std::uint32_t> consecutiveIpus(std::uint32_t first, std::uint32_t count) {
  Order ipus(count);
  std::iota(ipus.begin(), ipus.end(), first);
  return ipus;
}

}  // namespace ipusim::models
