// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/exchange/collective_plan.h"
#include "workloads/ops/collective/fragments.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

/// The fragments of each level of a plan.
class LevelFragments {
 public:
  /// `kind` is that of the whole collective. Throws GraphError as Fragments does.
  LevelFragments(const Graph& graph, const Group& group, const models::CollectivePlan& plan,
                 models::CollectiveKind kind, const std::string& name);

  [[nodiscard]] const Fragments& of(std::size_t level, std::uint32_t part) const {
    return levels_[level][part];
  }

 private:
  std::vector<std::vector<Fragments>> levels_;  ///< by level and part
};

/// Turns the passes of a collective into copies, and vertices that add.
class CollectiveLowering {
 public:
  /// The arguments must outlive this object.
  CollectiveLowering(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                     std::string name);

  Program run(models::CollectiveKind kind);

 private:
  using Moves = std::vector<models::FragmentMove>;
  /// What members receive in an exchange: one entry per buffer of a member.
  using Slots = std::vector<Moves>;

  void reduceOnce(const models::Collective& collective, const Moves& moves, Program& program);
  void gatherOnce(const Moves& moves, Program& program);
  [[nodiscard]] static Slots slotsOf(const models::Collective& collective, const Moves& moves);
  /// Calls `visit` with each ring of the level that is lowered.
  template <typename Visit>
  void forEachRing(const Visit& visit) const;
  /// Adds what landed in the buffers to the members, one buffer after the other.
  void addUp(const Slots& slots, const std::string& name, Program& program);
  /// Sums all buffers of each member at once, in the order of the members.
  void sumUp(const Slots& slots, const std::string& name, Program& program);
  /// Adds the vertices that sum the pieces of a fragment at a place of a ring.
  void addSummers(const models::LevelRing& ring, std::uint32_t place, std::uint32_t fragment,
                  ComputeSetId set);
  /// Adds the copies of a move to the members themselves, or to the buffers of a slot.
  void addGathered(const models::LevelRing& ring, const models::FragmentMove& move,
                   std::vector<MoveRun>& copies) const;
  void addLanding(const models::LevelRing& ring, const models::FragmentMove& move,
                  VariableId buffer, std::vector<MoveRun>& copies) const;
  std::shared_ptr<const VertexType> adder(std::uint64_t elements);
  /// A vertex that sums one row per member.
  std::shared_ptr<const VertexType> summer(std::uint64_t elements);
  VariableId bufferOf(std::size_t slot, const models::LevelRing& ring, std::uint32_t place);
  [[nodiscard]] const Fragments& fragmentsOf(const models::LevelRing& ring) const {
    return fragments_->of(level_, ring.part);
  }
  [[nodiscard]] std::string nameOfTurn(const std::string& step, std::size_t turn) const;

  Graph& graph_;
  const Group& group_;
  const models::CollectivePlan& plan_;
  std::string name_;
  std::unique_ptr<LevelFragments> fragments_;
  std::size_t level_ = 0;  ///< that is lowered
  int reductions_ = 0;     ///< steps so far
  int gathers_ = 0;
  /// By level and slot: one entry per member, when first needed.
  std::vector<std::vector<std::vector<VariableId>>> buffers_;
  TypeCache<std::uint64_t> adders_;
  TypeCache<std::pair<std::uint64_t, std::uint64_t>> summers_;  ///< by rows and elements of one
};

}  // namespace ipusim::workloads
