// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/collective.h"

#include <fmt/format.h>

#include <limits>

#include "ipusim/error.h"

namespace ipusim::models {

namespace {

void expectRing(std::uint32_t replicas) {
  if (replicas == 1 || (replicas > 0 && replicas % 2 == 0)) return;
  throw ConfigError(
      fmt::format("a ring of replicas: wanted 1 or an even number, found {}", replicas));
}

CollectiveMethod methodOf(const Collective& collective) {
  return collective.replicas <= 2 ? CollectiveMethod::Ring : collective.method;
}

std::uint32_t stepsOf(const Collective& collective) {
  const bool meets = methodOf(collective) == CollectiveMethod::MeetInTheMiddle;
  return meets ? collective.replicas / 2 : collective.replicas - 1;
}

/// A fragment on its way round the ring, one place per exchange.
struct Journey {
  std::uint32_t fragment;
  std::uint32_t start;
  bool is_clockwise;
  std::uint32_t first_exchange;
  std::uint32_t hops;
};

using Moves = std::vector<std::vector<FragmentMove>>;

void append(const Journey& journey, std::uint32_t replicas, Moves& moves) {
  std::uint32_t at = journey.start;
  for (std::uint32_t hop = 0; hop < journey.hops; ++hop) {
    const std::uint32_t next = (at + (journey.is_clockwise ? 1 : replicas - 1)) % replicas;
    moves[journey.first_exchange + hop].push_back({at, next, journey.fragment});
    at = next;
  }
}

/// The journey of a fragment that passes `hops` places on one side of its place. A reduction ends
/// there in the last exchange; a gather begins there in the first.
Journey journey(std::uint32_t fragment, bool is_clockwise, std::uint32_t hops, CollectiveKind kind,
                const Collective& collective) {
  const std::uint32_t n = collective.replicas;
  const std::uint32_t place = fragment % n;
  if (kind == CollectiveKind::AllGather) return {fragment, place, is_clockwise, 0, hops};
  const std::uint32_t start = (place + (is_clockwise ? n - hops : hops)) % n;
  return {fragment, start, is_clockwise, stepsOf(collective) - hops, hops};
}

void appendHalf(CollectiveKind kind, const Collective& collective, Moves& all) {
  const std::uint32_t n = collective.replicas;
  const bool meets = methodOf(collective) == CollectiveMethod::MeetInTheMiddle;
  Moves moves(stepsOf(collective));
  for (std::uint32_t f = 0; f < fragmentsOf(collective); ++f) {
    const bool is_clockwise = f < n;
    append(journey(f, is_clockwise, stepsOf(collective), kind, collective), n, moves);
    if (meets) append(journey(f, false, n / 2 - 1, kind, collective), n, moves);
  }
  all.insert(all.end(), moves.begin(), moves.end());
}

}  // namespace

std::uint32_t fragmentsOf(const Collective& collective) {
  const bool both_ways = methodOf(collective) == CollectiveMethod::OppositeRings;
  return (both_ways ? 2 : 1) * collective.replicas;
}

Bytes fragmentBytes(const Collective& collective) {
  return Bytes(ceilDiv<std::uint64_t>(collective.bytes.value(), fragmentsOf(collective)));
}

double collectiveSeconds(const Collective& collective, const RingRates& rates) {
  expectRing(collective.replicas);
  if (collective.replicas == 1) return 0;
  const double payload =
      static_cast<double>(fragmentBytes(collective).value()) / rates.bytes_per_second;
  const double once = stepsOf(collective) * (rates.step_seconds + payload);
  return collective.kind == CollectiveKind::AllReduce ? 2 * once : once;
}

/// Source: the thresholds of graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT,
/// sdk-release-1.4), which calls them experimental. Those of an all-gather are on the fragment.
CollectiveMethod publishedMethod(CollectiveKind kind, std::uint32_t replicas, Bytes bytes) {
  constexpr std::uint64_t kOfFour = 1'245'184;
  constexpr std::uint64_t kOfEight = 4'980'736;
  constexpr std::uint64_t kOfSixteen = 39'845'888;
  if (replicas <= 2) return CollectiveMethod::Ring;
  const bool gathers = kind == CollectiveKind::AllGather;
  const std::uint64_t size = gathers ? 2 * bytes.value() / replicas : bytes.value();
  const bool meets = size < kOfFour || (replicas > 4 && size < kOfEight) ||
                     (replicas > 8 && size < kOfSixteen) || replicas > 16;
  return meets ? CollectiveMethod::MeetInTheMiddle : CollectiveMethod::OppositeRings;
}

std::vector<std::uint32_t> ladderRing(std::uint32_t replicas) {
  expectRing(replicas);
  std::vector<std::uint32_t> ring;
  for (std::uint32_t r = 0; r < replicas; r += 2) ring.push_back(r);
  for (std::uint32_t r = replicas; r >= 2; r -= 2) ring.push_back(r - 1);
  return ring;
}

std::vector<std::vector<FragmentMove>> collectiveMoves(const Collective& collective) {
  expectRing(collective.replicas);
  Moves moves;
  if (collective.replicas == 1) return moves;
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

double exchangesSeconds(const Pod& pod, const Routes& routes, const Collective& collective,
                        const std::vector<std::uint32_t>& ring) {
  double seconds = 0;
  for (const auto& moves : collectiveMoves(collective)) {
    seconds +=
        globalExchangeSeconds(pod, routes, flowsOf(moves, collective, ring), collective.replicas);
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

CollectiveMethod cheapestMethod(const Pod& pod, CollectiveKind kind, Bytes bytes,
                                const std::vector<std::uint32_t>& ring) {
  const Routes routes(pod);
  const auto replicas = static_cast<std::uint32_t>(ring.size());
  return cheapestBy([&](CollectiveMethod method) {
    return exchangesSeconds(pod, routes, {kind, method, replicas, bytes}, ring);
  });
}

}  // namespace ipusim::models
