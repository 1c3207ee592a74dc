// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::models {

namespace {

void expectRing(std::uint32_t replicas) {
  if (replicas == 1 || (replicas > 0 && replicas % 2 == 0)) return;
  throw ConfigError(
      fmt::format("a ring of replicas: wanted 1 or an even number, found {}", replicas));
}

CollectiveMethod methodOf(const Collective& collective) {
  if (collective.method == CollectiveMethod::Broadcast) return collective.method;
  return collective.replicas <= 2 ? CollectiveMethod::Ring : collective.method;
}

std::uint32_t stepsOf(const Collective& collective) {
  const bool meets = methodOf(collective) == CollectiveMethod::MeetInTheMiddle;
  return meets ? collective.replicas / 2 : collective.replicas - 1;
}

/// The places that a ring passes, one after the other.
using Order = std::vector<std::uint32_t>;

Order firstOrder(std::uint32_t replicas) {
  Order order(replicas);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

Order mirrorOf(const Collective& collective) {
  if (!collective.mirror.empty()) return collective.mirror;
  Order order = firstOrder(collective.replicas);
  std::reverse(order.begin(), order.end());
  return order;
}

/// A fragment on its way round the ring, one place per exchange.
struct FragmentRoute {
  std::uint32_t fragment;
  std::uint32_t start;  ///< index into the order
  bool is_clockwise;
  std::uint32_t first_exchange;
  std::uint32_t hops;
};

using Moves = std::vector<std::vector<FragmentMove>>;

void append(const FragmentRoute& route, const Order& order, Moves& moves) {
  const auto replicas = static_cast<std::uint32_t>(order.size());
  std::uint32_t at = route.start;
  for (std::uint32_t hop = 0; hop < route.hops; ++hop) {
    const std::uint32_t next = (at + (route.is_clockwise ? 1 : replicas - 1)) % replicas;
    moves[route.first_exchange + hop].push_back({order[at], order[next], route.fragment});
    at = next;
  }
}

/// The routes of one half of a collective along one order.
class FragmentRoutes {
 public:
  FragmentRoutes(CollectiveKind kind, const Collective& collective, Order order)
      : kind_(kind), steps_(stepsOf(collective)), order_(std::move(order)) {}

  /// Adds the route of a fragment that passes `hops` places on one side of its own place. A
  /// reduction ends there in the last exchange; a gather begins there in the first.
  void add(std::uint32_t fragment, bool is_clockwise, std::uint32_t hops, Moves& moves) const {
    const auto n = static_cast<std::uint32_t>(order_.size());
    const auto found = std::find(order_.begin(), order_.end(), fragment % n);
    const auto index = static_cast<std::uint32_t>(found - order_.begin());
    if (kind_ == CollectiveKind::AllGather) {
      return append({fragment, index, is_clockwise, 0, hops}, order_, moves);
    }
    const std::uint32_t start = (index + (is_clockwise ? n - hops : hops)) % n;
    append({fragment, start, is_clockwise, steps_ - hops, hops}, order_, moves);
  }

 private:
  CollectiveKind kind_;
  std::uint32_t steps_;
  Order order_;
};

void appendHalf(CollectiveKind kind, const Collective& collective, Moves& all) {
  const std::uint32_t n = collective.replicas;
  const bool meets = methodOf(collective) == CollectiveMethod::MeetInTheMiddle;
  const FragmentRoutes first(kind, collective, firstOrder(n));
  const FragmentRoutes second(kind, collective, mirrorOf(collective));
  Moves moves(stepsOf(collective));
  for (std::uint32_t f = 0; f < fragmentsOf(collective); ++f) {
    const bool is_clockwise = f / n % 2 == 0;
    (f < 2 * n ? first : second).add(f, is_clockwise, stepsOf(collective), moves);
    if (meets) first.add(f, false, n / 2 - 1, moves);
  }
  all.insert(all.end(), moves.begin(), moves.end());
}

/// The only exchange of a broadcast.
std::vector<FragmentMove> directMoves(const Collective& collective) {
  std::vector<FragmentMove> moves;
  const bool keeps_whole = collective.kind == CollectiveKind::AllReduce;
  for (std::uint32_t from = 0; from < collective.replicas; ++from) {
    for (std::uint32_t to = 0; to < collective.replicas; ++to) {
      if (from == to) continue;
      const std::uint32_t owner = collective.kind == CollectiveKind::AllGather ? from : to;
      moves.push_back({from, to, keeps_whole ? 0 : owner});
    }
  }
  return moves;
}

}  // namespace

std::uint32_t fragmentsOf(const Collective& collective) {
  switch (methodOf(collective)) {
    case CollectiveMethod::OppositeRings:
      return 2 * collective.replicas;
    case CollectiveMethod::QuadRing:
      return 4 * collective.replicas;
    case CollectiveMethod::Broadcast:
      return collective.kind == CollectiveKind::AllReduce ? 1 : collective.replicas;
    case CollectiveMethod::Ring:
    case CollectiveMethod::MeetInTheMiddle:
      return collective.replicas;
  }
  throw InternalError("no such method of a collective");
}

Bytes fragmentBytes(const Collective& collective) {
  return Bytes(ceilDiv<std::uint64_t>(collective.bytes.value(), fragmentsOf(collective)));
}

double collectiveSeconds(const Collective& collective, const RingRates& rates) {
  if (collective.replicas == 1) return 0;
  const double payload =
      static_cast<double>(fragmentBytes(collective).value()) / rates.bytes_per_second;
  if (methodOf(collective) == CollectiveMethod::Broadcast) {
    return rates.step_seconds + (collective.replicas - 1) * payload;
  }
  expectRing(collective.replicas);
  const double once = stepsOf(collective) * (rates.step_seconds + payload);
  return collective.kind == CollectiveKind::AllReduce ? 2 * once : once;
}

/// Source: the thresholds of graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT,
/// sdk-release-1.4), which calls them experimental. Those of an all-gather are on the fragment. The
/// bytes of a broadcast are the default of syncful.maxBroadcastSize in Graphcore's GCL user guide.
CollectiveMethod publishedMethod(CollectiveKind kind, std::uint32_t replicas, Bytes bytes) {
  constexpr std::uint64_t kMostBroadcastBytes = 2'048;
  constexpr std::uint64_t kOfFour = 1'245'184;
  constexpr std::uint64_t kOfEight = 4'980'736;
  constexpr std::uint64_t kOfSixteen = 39'845'888;
  if (kind == CollectiveKind::AllReduce && bytes.value() * replicas <= kMostBroadcastBytes) {
    return CollectiveMethod::Broadcast;
  }
  if (replicas <= 2) return CollectiveMethod::Ring;
  const bool gathers = kind == CollectiveKind::AllGather;
  const std::uint64_t size = gathers ? 2 * bytes.value() / replicas : bytes.value();
  const bool meets = size < kOfFour || (replicas > 4 && size < kOfEight) ||
                     (replicas > 8 && size < kOfSixteen) || replicas > 16;
  return meets ? CollectiveMethod::MeetInTheMiddle : CollectiveMethod::OppositeRings;
}

std::vector<std::vector<FragmentMove>> collectiveMoves(const Collective& collective) {
  if (collective.replicas == 1) return {};
  if (methodOf(collective) == CollectiveMethod::Broadcast) return {directMoves(collective)};
  expectRing(collective.replicas);
  Moves moves;
  if (collective.kind != CollectiveKind::AllGather) {
    appendHalf(CollectiveKind::ReduceScatter, collective, moves);
  }
  if (collective.kind != CollectiveKind::ReduceScatter) {
    appendHalf(CollectiveKind::AllGather, collective, moves);
  }
  return moves;
}

std::vector<Flow> flowsOf(const std::vector<FragmentMove>& moves, const Collective& collective,
                          const std::vector<std::uint32_t>& ring) {
  const Bytes bytes = fragmentBytes(collective);
  std::vector<Flow> flows;
  flows.reserve(moves.size());
  for (const FragmentMove& move : moves) flows.push_back({ring[move.from], ring[move.to], bytes});
  return flows;
}

double exchangesSeconds(const System& system, const Routes& routes, const Collective& collective,
                        const std::vector<std::uint32_t>& ring) {
  double seconds = 0;
  for (const auto& moves : collectiveMoves(collective)) {
    seconds += globalExchangeSeconds(system, routes, flowsOf(moves, collective, ring),
                                     collective.replicas);
  }
  return seconds;
}

CollectiveMethod cheapestBy(const std::function<double(CollectiveMethod)>& seconds) {
  CollectiveMethod cheapest = CollectiveMethod::Ring;
  double least = std::numeric_limits<double>::infinity();
  for (const CollectiveMethod method : kCollectiveMethods) {
    const double taken = seconds(method);
    if (taken >= least) continue;
    least = taken;
    cheapest = method;
  }
  return cheapest;
}

}  // namespace ipusim::models
