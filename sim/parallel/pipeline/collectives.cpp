// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/collectives.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/ipu/cost/exchange/ring_order.h"

namespace ipusim::parallel {

namespace {

using models::Collective;
using models::CollectiveKind;
using models::CollectiveMethod;
using models::Flow;

class Collectives {
 public:
  Collectives(const System& system, const ReplicaGroups& groups, std::vector<Bytes> bytes)
      : system_(system),
        routes_(system),
        groups_(groups),
        bytes_(std::move(bytes)),
        is_torus_(models::isTorus(system)) {
    time_.sent.assign(groups.stages, Bytes(0));
  }

  [[nodiscard]] const CollectiveTime& time() const { return time_; }

  void addReduction(const CollectiveChoice& choice) {
    time_.method = methodFor(CollectiveKind::ReduceScatter, choice);
    add({CollectiveKind::ReduceScatter, time_.method, is_torus_}, rackRings(time_.method), bytes_);
    if (groups_.racks > 1) {
      std::vector<Bytes> shares;
      for (const Bytes bytes : bytes_) {
        shares.emplace_back(ceilDiv<std::uint64_t>(bytes.value(), groups_.rack_replicas));
      }
      add({CollectiveKind::AllReduce, CollectiveMethod::Ring, false}, gatewayRings(), shares);
    }
  }

  void addGather(const CollectiveChoice& choice) {
    const CollectiveMethod gather = methodFor(CollectiveKind::AllGather, choice);
    add({CollectiveKind::AllGather, gather, is_torus_}, rackRings(gather), bytes_);
  }

 private:
  /// The IPUs of the replicas of a stage, in the order of the ring.
  struct Ring {
    std::uint32_t stage;
    std::vector<std::uint32_t> ipus;
    std::vector<std::uint32_t> mirror = {};  ///< as in models::Collective
  };

  /// One pass of a collective.
  struct CollectivePass {
    CollectiveKind kind;
    CollectiveMethod method;
    /// On a torus, rings of many stages pass through one another's IPUs. Stages then take turns,
    /// two at a time.
    bool is_split;
  };

  /// The replicas of a rack in the order of the ring. Replicas of several IPUs pass through one
  /// another, but for the mesh, where the ring goes up and down like that of single IPUs.
  [[nodiscard]] models::IpuRing orderInRack(CollectiveMethod method) const {
    const std::vector<std::uint32_t> replicas = models::consecutiveIpus(0, groups_.rack_replicas);
    if (groups_.stages == 1) return models::ringThrough(system_, replicas, method);
    const bool is_flat = system_.route != RouteRule::Ladder || is_torus_;
    return {is_flat ? replicas : models::ringOrder(system_, replicas)};
  }

  [[nodiscard]] std::vector<Ring> rackRings(CollectiveMethod method) const {
    const models::IpuRing order = orderInRack(method);
    std::vector<Ring> rings;
    for (std::uint32_t rack = 0; rack < groups_.racks; ++rack) {
      for (std::uint32_t stage = 0; stage < groups_.stages; ++stage) {
        Ring ring{stage, {}, order.mirror};
        for (const std::uint32_t replica : order.ipus) {
          ring.ipus.push_back((rack * groups_.rack_replicas + replica) * groups_.stages + stage);
        }
        rings.push_back(std::move(ring));
      }
    }
    return rings;
  }

  [[nodiscard]] std::vector<Ring> gatewayRings() const {
    std::vector<Ring> rings;
    const std::uint32_t rack_ipus = groups_.rack_replicas * groups_.stages;
    for (std::uint32_t ipu = 0; ipu < rack_ipus; ++ipu) {
      Ring ring{ipu % groups_.stages, {}};
      for (std::uint32_t rack = 0; rack < groups_.racks; ++rack) {
        ring.ipus.push_back(rack * rack_ipus + ipu);
      }
      rings.push_back(std::move(ring));
    }
    return rings;
  }

  [[nodiscard]] CollectiveMethod methodFor(CollectiveKind kind,
                                           const CollectiveChoice& choice) const {
    if (choice.rule == CollectiveRule::Fixed) return choice.fixed;
    if (choice.rule == CollectiveRule::Cheapest) return cheapest(kind);
    if (groups_.stages > 1) {
      return is_torus_ ? CollectiveMethod::MeetInTheMiddle : CollectiveMethod::Ring;
    }
    return models::publishedMethod(kind, groups_.rack_replicas,
                                   *std::max_element(bytes_.begin(), bytes_.end()));
  }

  [[nodiscard]] CollectiveMethod cheapest(CollectiveKind kind) const {
    return models::cheapestBy([&](CollectiveMethod method) {
      Collectives trial(system_, groups_, bytes_);
      trial.add({kind, method, is_torus_}, rackRings(method), bytes_);
      return trial.time_.seconds;
    });
  }

  /// Adds a collective over rings that move at once. `bytes` has one entry per stage.
  void add(const CollectivePass& part, const std::vector<Ring>& rings,
           const std::vector<Bytes>& bytes) {
    const auto replicas = static_cast<std::uint32_t>(rings.front().ipus.size());
    if (replicas == 1) return;
    const std::vector<std::uint32_t>& mirror = rings.front().mirror;
    for (const auto& moves :
         models::collectiveMoves({part.kind, part.method, replicas, Bytes(0), mirror})) {
      std::vector<std::vector<Flow>> by_stage(groups_.stages);
      for (const Ring& ring : rings) {
        const Collective collective{part.kind, part.method, replicas, bytes[ring.stage]};
        const std::vector<Flow> flows = models::flowsOf(moves, collective, ring.ipus);
        std::vector<Flow>& all = by_stage[ring.stage];
        // The first ring of each stage stands for all of them.
        if (ring.ipus.front() < groups_.stages) countSent(ring, flows);
        all.insert(all.end(), flows.begin(), flows.end());
      }
      exchange(by_stage, part.is_split && groups_.stages > 2);
    }
  }

  void countSent(const Ring& ring, const std::vector<Flow>& flows) {
    for (const Flow& flow : flows) {
      if (flow.from == ring.ipus.front()) time_.sent[ring.stage] += flow.bytes;
    }
  }

  /// Times one exchange of all stages or, if split, one exchange for every two stages.
  void exchange(const std::vector<std::vector<Flow>>& by_stage, bool is_split) {
    for (const std::vector<std::uint32_t>& together : is_split ? pairs() : allStages()) {
      std::vector<Flow> flows;
      for (const std::uint32_t stage : together) {
        flows.insert(flows.end(), by_stage[stage].begin(), by_stage[stage].end());
      }
      ++time_.exchanges;
      time_.seconds += models::globalExchangeSeconds(system_, routes_, flows, groups_.ipus());
      time_.sync_seconds += models::externalSyncSeconds(system_, groups_.ipus());
    }
  }

  [[nodiscard]] std::vector<std::vector<std::uint32_t>> allStages() const {
    return {models::consecutiveIpus(0, groups_.stages)};
  }

  /// Pairs of a stage on the even rail and one on the odd rail, both in the order of their bytes,
  /// so that stages with much to send go together.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> pairs() const {
    std::array<std::vector<std::uint32_t>, 2> rails;
    for (std::uint32_t stage = 0; stage < groups_.stages; ++stage) {
      rails.at(stage % 2).push_back(stage);
    }
    for (std::vector<std::uint32_t>& stages : rails) {
      std::stable_sort(stages.begin(), stages.end(),
                       [this](std::uint32_t a, std::uint32_t b) { return bytes_[a] > bytes_[b]; });
    }
    std::vector<std::vector<std::uint32_t>> pairs;
    for (std::size_t p = 0; p < rails[0].size(); ++p) {
      pairs.push_back({rails[0][p]});
      if (p < rails[1].size()) pairs.back().push_back(rails[1][p]);
    }
    return pairs;
  }

  const System& system_;
  models::Routes routes_;
  ReplicaGroups groups_;
  std::vector<Bytes> bytes_;
  bool is_torus_;
  CollectiveTime time_;
};

}  // namespace

CollectiveTime gradientCollective(const System& system, const ReplicaGroups& groups,
                                  const std::vector<Bytes>& bytes, const CollectiveChoice& choice) {
  Collectives collectives(system, groups, bytes);
  collectives.addReduction(choice);
  collectives.addGather(choice);
  return collectives.time();
}

CollectiveTime gradientReduction(const System& system, const ReplicaGroups& groups,
                                 const std::vector<Bytes>& bytes, const CollectiveChoice& choice) {
  Collectives collectives(system, groups, bytes);
  collectives.addReduction(choice);
  return collectives.time();
}

CollectiveTime shareGather(const System& system, const ReplicaGroups& groups,
                           const std::vector<Bytes>& bytes, const CollectiveChoice& choice) {
  Collectives collectives(system, groups, bytes);
  collectives.addGather(choice);
  return collectives.time();
}

}  // namespace ipusim::parallel
