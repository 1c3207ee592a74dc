// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/config/words.h"
#include "models/ipu/cost/exchange/collective_words.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/ops/collective/collective.h"
#include "workloads/sources/named/parts/rounding.h"

namespace ipusim::workloads {

using models::CollectiveChoice;
using models::CollectiveKind;
using models::CollectiveMethod;
using models::CollectivePlan;
using models::MemberGroups;

namespace {

constexpr std::uint64_t kMostIpus = 1024;
constexpr std::uint64_t kCollectiveMostElements = std::uint64_t{1} << 32U;

enum class ExchangeOp : std::uint8_t {
  AllReduce,
  ReduceScatter,
  AllGather,
  Broadcast,
  AllToAll,
  Permute
};

constexpr Words<ExchangeOp, 6> kExchangeOps{{{ExchangeOp::AllReduce, "all_reduce"},
                                             {ExchangeOp::ReduceScatter, "reduce_scatter"},
                                             {ExchangeOp::AllGather, "all_gather"},
                                             {ExchangeOp::Broadcast, "broadcast"},
                                             {ExchangeOp::AllToAll, "all_to_all"},
                                             {ExchangeOp::Permute, "permute"}}};

bool goesRound(ExchangeOp op) {
  return op == ExchangeOp::AllReduce || op == ExchangeOp::ReduceScatter ||
         op == ExchangeOp::AllGather;
}

CollectiveKind kindOf(ExchangeOp op) {
  if (op == ExchangeOp::AllReduce) return CollectiveKind::AllReduce;
  return op == ExchangeOp::AllGather ? CollectiveKind::AllGather : CollectiveKind::ReduceScatter;
}

enum class Grouping : std::uint8_t { All, Consecutive, Orthogonal, Strided };

constexpr Words<Grouping, 4> kGroupings{{{Grouping::All, "all"},
                                         {Grouping::Consecutive, "consecutive"},
                                         {Grouping::Orthogonal, "orthogonal"},
                                         {Grouping::Strided, "strided"}}};

MemberGroups readGroups(const ConfigReader& config, const System& system) {
  const auto grouping = readWord(config, "groups", kGroupings, Grouping::All);
  if (grouping == Grouping::All) return {system.ipus, system.ipus, 1};
  MemberGroups groups{system.ipus, system.ipus, 1};
  if (config.has("group_size")) {
    groups.size = static_cast<std::uint32_t>(config.whole("group_size", 1, kMostIpus));
  }
  if (system.ipus % groups.size != 0) {
    throw config.error("group_size", fmt::format("a divisor of the {} IPUs", system.ipus));
  }
  const std::uint32_t count = system.ipus / groups.size;
  if (grouping == Grouping::Orthogonal) groups.stride = count;
  if (grouping == Grouping::Strided) {
    groups.stride = static_cast<std::uint32_t>(config.whole("group_stride", 1, kMostIpus, 1));
    if (count % groups.stride != 0) {
      throw config.error("group_stride", fmt::format("a divisor of the {} groups", count));
    }
  }
  return groups;
}

CollectivePlan readPlan(const ConfigReader& config, const System& system,
                        const models::CollectiveTask& task) {
  const auto choice = readWord(config, "method", models::kCollectiveWords, {});
  CollectivePlan plan = planCollective(system, task, choice);
  for (const models::RingLevel& level : plan) {
    const bool is_ring = level.method != CollectiveMethod::Broadcast;
    if (!is_ring || level.ringSize() == 1 || level.ringSize() % 2 == 0) continue;
    throw config.error("method", fmt::format("\"broadcast\", as a ring has an even number of "
                                             "IPUs and a group in a rack has {}",
                                             level.ringSize()));
  }
  return plan;
}

/// One variable per IPU, spread evenly over its tiles in words.
Group addGroup(Graph& graph, const System& system, const Variable& like) {
  const std::uint64_t grain = std::max<std::uint64_t>(1, 4 / sizeOf(like.type).value());
  const std::uint64_t grains = ceilDiv(like.elements, grain);
  Group group;
  for (std::uint32_t ipu = 0; ipu < system.ipus; ++ipu) {
    const Tensor tensor = graph.addVariable(like.type, {like.elements},
                                            fmt::format("{}{}", like.name, ipu), Lifetime::Always);
    for (std::uint32_t t = 0; t < system.ipu.tiles; ++t) {
      const std::uint64_t begin = std::min(grains * t / system.ipu.tiles * grain, like.elements);
      const std::uint64_t end =
          std::min(grains * (t + 1) / system.ipu.tiles * grain, like.elements);
      if (begin == end) continue;
      graph.setTileMapping(contiguous(variableOf(tensor), begin, end - begin),
                           TileId(ipu * system.ipu.tiles + t));
    }
    group.push_back(tensor);
  }
  return group;
}

std::vector<HostTensor> hostTensors(const Group& group, const std::string& name) {
  std::vector<HostTensor> tensors;
  for (std::size_t m = 0; m < group.size(); ++m) {
    tensors.push_back({fmt::format("{}{}", name, m), group[m]});
  }
  return tensors;
}

/// The groups, by the numbers of their members.
using Groups = std::vector<std::vector<std::uint32_t>>;
using MemberValues = std::vector<TensorValues>;

TensorValues sumOf(const MemberValues& values, const std::vector<std::uint32_t>& members) {
  TensorValues sum(values.front().size(), 0);
  for (const std::uint32_t m : members) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[m][i];
  }
  return sum;
}

double toleranceOf(const MemberGroups& groups, ElementType type) {
  return groups.size * unitOf(type);
}

/// The own part of each member that has one.
std::vector<HostTensor> ownTensors(const Group& group, const OwnRanges& own) {
  std::vector<HostTensor> parts;
  for (std::size_t m = 0; m < group.size(); ++m) {
    if (own[m].empty()) continue;
    parts.push_back({fmt::format("member{}", m), partOf(group[m], own[m])});
  }
  return parts;
}

/// What the members of a group hold after an all-gather.
TensorValues gathered(const MemberValues& inputs, const OwnRanges& own,
                      const std::vector<std::uint32_t>& members) {
  TensorValues whole(inputs.front().size());
  for (const std::uint32_t m : members) {
    for (const auto& [begin, end] : own[m]) {
      std::copy(inputs[m].begin() + begin, inputs[m].begin() + end, whole.begin() + begin);
    }
  }
  return whole;
}

/// The own part of each member that has one.
MemberValues scattered(const MemberValues& wholes, const OwnRanges& own) {
  MemberValues parts;
  for (std::size_t m = 0; m < own.size(); ++m) {
    if (own[m].empty()) continue;
    TensorValues& part = parts.emplace_back();
    for (const auto& [begin, end] : own[m]) {
      part.insert(part.end(), wholes[m].begin() + begin, wholes[m].begin() + end);
    }
  }
  return parts;
}

MemberValues afterRings(ExchangeOp op, const Groups& groups, const MemberValues& inputs,
                        const OwnRanges& own) {
  MemberValues results(inputs.size());
  for (const std::vector<std::uint32_t>& members : groups) {
    const TensorValues whole =
        op == ExchangeOp::AllGather ? gathered(inputs, own, members) : sumOf(inputs, members);
    for (const std::uint32_t m : members) results[m] = whole;
  }
  return op == ExchangeOp::ReduceScatter ? scattered(results, own) : results;
}

Program ringProgram(ExchangeOp op, Graph& graph, const Group& group, const CollectivePlan& plan) {
  if (op == ExchangeOp::AllGather) return allGather(graph, group, plan, "all_gather");
  if (op == ExchangeOp::ReduceScatter) return reduceScatter(graph, group, plan, "reduce_scatter");
  return allReduce(graph, group, plan, "all_reduce");
}

/// A reduce-scatter, an all-gather, or both.
void buildRings(ExchangeOp op, const Groups& groups, const CollectivePlan& plan, const Group& group,
                BuiltWorkload& built) {
  const OwnRanges own = ownRanges(built.graph, group, plan);
  const auto inputs = hostTensors(group, "member");
  const auto outputs = op == ExchangeOp::ReduceScatter ? ownTensors(group, own) : inputs;
  built.program = ringProgram(op, built.graph, group, plan);
  built.host = [=] { return HostTensors{inputs, outputs}; };
  built.reference->compute = [=](const MemberValues& values) {
    return Expected(afterRings(op, groups, values, own));
  };
}

/// Slice s of member m is slice m of member s.
MemberValues transposed(const MemberValues& inputs) {
  MemberValues results = inputs;
  const std::size_t each = inputs.front().size() / inputs.size();
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    for (std::size_t e = 0; e < inputs[m].size(); ++e) {
      results[e / each][m * each + e % each] = inputs[m][e];
    }
  }
  return results;
}

/// What the members of one group hold after the copies.
MemberValues afterCopies(ExchangeOp op, const MemberValues& inputs) {
  if (op == ExchangeOp::AllToAll) return transposed(inputs);
  if (op == ExchangeOp::Broadcast) return {inputs.size(), inputs.front()};
  MemberValues results = inputs;
  std::rotate(results.begin(), results.end() - 1, results.end());
  return results;
}

template <typename Value>
std::vector<Value> membersIn(const std::vector<Value>& all,
                             const std::vector<std::uint32_t>& members) {
  std::vector<Value> some;
  some.reserve(members.size());
  for (const std::uint32_t m : members) some.push_back(all[m]);
  return some;
}

/// The copies in one group, as steps that all groups have.
CopySteps copiesIn(ExchangeOp op, const Group& from, const Group& to) {
  if (op == ExchangeOp::Broadcast) return broadcast(from.front(), to);
  if (op == ExchangeOp::AllToAll) return allToAll(from, to, "all_to_all");
  std::vector<std::uint32_t> next(from.size());
  std::iota(next.begin(), next.end(), 1);
  next.back() = 0;
  return permute(from, to, next);
}

/// Copies from one tensor of each IPU to another. All groups copy at once.
void buildCopies(ExchangeOp op, const Groups& groups, const Group& from, const Group& to,
                 BuiltWorkload& built) {
  CopySteps steps;
  for (const std::vector<std::uint32_t>& members : groups) {
    const CopySteps more = copiesIn(op, membersIn(from, members), membersIn(to, members));
    steps.resize(more.size());
    for (std::size_t s = 0; s < more.size(); ++s) {
      steps[s].insert(steps[s].end(), more[s].begin(), more[s].end());
    }
  }
  built.program = copySteps(built.graph, steps, wordOf(op, kExchangeOps));
  built.host = [=] { return HostTensors{hostTensors(from, "from"), hostTensors(to, "to")}; };
  built.reference->compute = [=](const MemberValues& inputs) {
    MemberValues results(inputs.size());
    for (const std::vector<std::uint32_t>& members : groups) {
      const MemberValues some = afterCopies(op, membersIn(inputs, members));
      for (std::size_t m = 0; m < members.size(); ++m) results[members[m]] = some[m];
    }
    return Expected(results);
  };
}

/// What an IPU holds before a collective.
Variable readData(const ConfigReader& config) {
  Variable data{
      "data", readWord(config, "type", kNumberWords, ElementType::Float), 0, Lifetime::Always, {}};
  data.elements = config.whole("elements", 1, kCollectiveMostElements);
  return data;
}

/// The pieces that all rings of a pass move, and the vertices that add them. A fragment has a piece
/// on every tile that has a word of it.
LeastSize leastOfPass(const System& system, const CollectivePlan& plan,
                      const models::CollectivePass& pass, Bytes bytes) {
  const models::Collective collective = collectiveOf(plan, pass, bytes);
  double moves = 0;
  for (const auto& step : collectiveMoves(collective)) moves += static_cast<double>(step.size());
  double rings = 0;
  for (const auto& turn : plan[pass.level].turns) rings += static_cast<double>(turn.size());
  const std::uint64_t words =
      ceilDiv(collective.bytes.value(), std::uint64_t{4} * fragmentsOf(collective));
  const auto pieces = static_cast<double>(std::min<std::uint64_t>(words, system.ipu.tiles));
  LeastSize least;
  // Two pieces of equal lengths are one walk.
  least.moves = moves * rings * pieces / 2;
  if (pass.kind == CollectiveKind::AllGather) return least;
  const bool at_once = collective.method == CollectiveMethod::Broadcast;
  least.families = (at_once ? collective.replicas : moves) * rings * pieces;
  return least;
}

}  // namespace

LeastSize leastCollective(const ConfigReader& config, const System& system) {
  const ExchangeOp op = readWord(config, "op", kExchangeOps);
  LeastSize least;
  if (!goesRound(op) || system.ipus == 1) return least;
  const Variable data = readData(config);
  const Bytes bytes = data.elements * sizeOf(data.type);
  const CollectivePlan plan =
      readPlan(config, system, {readGroups(config, system), kindOf(op), bytes});
  for (const models::CollectivePass& pass : passesOf(plan, kindOf(op))) {
    least = least + leastOfPass(system, plan, pass, bytes);
  }
  return least;
}

BuiltWorkload buildCollective(const ConfigReader& config, const System& system) {
  if (system.ipus == 1) throw config.error("kind", "another one, or a machine of several IPUs");
  const ExchangeOp op = readWord(config, "op", kExchangeOps);
  Variable like = readData(config);
  const MemberGroups of_ipus = readGroups(config, system);
  if (op == ExchangeOp::AllToAll && like.elements % of_ipus.size != 0) {
    throw config.error("elements", fmt::format("a multiple of the {} IPUs", of_ipus.size));
  }
  const Groups groups = membersOf(of_ipus);
  BuiltWorkload built;
  built.reference = Reference{{}, goesRound(op) ? toleranceOf(of_ipus, like.type) : 0};
  if (goesRound(op)) {
    const Bytes bytes = like.elements * sizeOf(like.type);
    const CollectivePlan plan = readPlan(config, system, {of_ipus, kindOf(op), bytes});
    buildRings(op, groups, plan, addGroup(built.graph, system, like), built);
    built.flops = built.graph.flops(built.program);
    return built;
  }
  const Group from = addGroup(built.graph, system, like);
  like.name = "result";
  buildCopies(op, groups, from, addGroup(built.graph, system, like), built);
  return built;
}

}  // namespace ipusim::workloads
