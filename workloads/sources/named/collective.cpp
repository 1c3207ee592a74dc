// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/words.h"
#include "models/ipu/cost/collective_words.h"
#include "models/ipu/system/element_words.h"
#include "workloads/ops/collective/collective.h"

namespace ipusim::workloads {

using models::CollectiveChoice;
using models::CollectiveKind;
using models::CollectiveMethod;
using models::CollectiveRule;

namespace {

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32U;
/// The distance from 1 to the next number of the type. A sum over n members is off by at most n of
/// them.
constexpr double kFloatUnit = 1.0 / (1U << 23U);
constexpr double kHalfUnit = 1.0 / (1U << 10U);

enum class Op : std::uint8_t { AllReduce, ReduceScatter, AllGather, Broadcast, AllToAll, Permute };

constexpr Words<Op, 6> kOps{{{Op::AllReduce, "all_reduce"},
                             {Op::ReduceScatter, "reduce_scatter"},
                             {Op::AllGather, "all_gather"},
                             {Op::Broadcast, "broadcast"},
                             {Op::AllToAll, "all_to_all"},
                             {Op::Permute, "permute"}}};

bool goesRound(Op op) {
  return op == Op::AllReduce || op == Op::ReduceScatter || op == Op::AllGather;
}

CollectiveKind kindOf(Op op) {
  if (op == Op::AllReduce) return CollectiveKind::AllReduce;
  return op == Op::AllGather ? CollectiveKind::AllGather : CollectiveKind::ReduceScatter;
}

CollectiveMethod methodOf(const CollectiveChoice& choice, const Pod& pod, CollectiveKind kind,
                          Bytes bytes) {
  if (choice.rule == CollectiveRule::Fixed) return choice.fixed;
  if (choice.rule == CollectiveRule::Published) {
    return models::publishedMethod(kind, pod.ipus, bytes);
  }
  return models::cheapestMethod(pod, kind, bytes, models::ladderRing(pod.ipus));
}

CollectiveMethod readMethod(const ConfigReader& config, const Pod& pod, Op op, Bytes bytes) {
  const auto choice = readWord(config, "method", models::kCollectiveWords, {});
  if (pod.ipus % 2 != 0) {
    throw config.error("op", "one that needs no ring: a ring has an even number of IPUs");
  }
  return methodOf(choice, pod, kindOf(op), bytes);
}

/// One variable per IPU, spread evenly over its tiles in words.
Group addGroup(Graph& graph, const Pod& pod, const std::vector<std::uint32_t>& ipus,
               const Variable& like) {
  const std::uint64_t grain = std::max<std::uint64_t>(1, 4 / sizeOf(like.type).value());
  const std::uint64_t grains = ceilDiv(like.elements, grain);
  Group group;
  for (const std::uint32_t ipu : ipus) {
    const Tensor tensor = graph.addVariable(like.type, {like.elements},
                                            fmt::format("{}{}", like.name, ipu), Lifetime::Always);
    for (std::uint32_t t = 0; t < pod.ipu.tiles; ++t) {
      const std::uint64_t begin = std::min(grains * t / pod.ipu.tiles * grain, like.elements);
      const std::uint64_t end = std::min(grains * (t + 1) / pod.ipu.tiles * grain, like.elements);
      if (begin == end) continue;
      graph.setTileMapping(contiguous(variableOf(tensor), begin, end - begin),
                           TileId(ipu * pod.ipu.tiles + t));
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

TensorValues sumOf(const std::vector<TensorValues>& values) {
  TensorValues sum(values.front().size(), 0);
  for (const TensorValues& member : values) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += member[i];
  }
  return sum;
}

double toleranceOf(const Pod& pod, ElementType type) {
  return pod.ipus * (type == ElementType::Half ? kHalfUnit : kFloatUnit);
}

/// The elements that each member of a ring has to itself.
using OwnRanges = std::vector<std::vector<ElementRange>>;

OwnRanges ownRangesOf(const Graph& graph, const Group& group, CollectiveMethod method) {
  OwnRanges own;
  for (std::uint32_t place = 0; place < group.size(); ++place) {
    own.push_back(ownRanges(graph, group, method, place));
  }
  return own;
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

/// What the tensors hold after an all-gather.
TensorValues gathered(const std::vector<TensorValues>& inputs, const OwnRanges& own) {
  TensorValues whole(inputs.front().size());
  for (std::size_t m = 0; m < own.size(); ++m) {
    for (const auto& [begin, end] : own[m]) {
      std::copy(inputs[m].begin() + begin, inputs[m].begin() + end, whole.begin() + begin);
    }
  }
  return whole;
}

/// The own parts of a tensor, of the members that have one.
std::vector<TensorValues> scattered(const TensorValues& whole, const OwnRanges& own) {
  std::vector<TensorValues> parts;
  for (const std::vector<ElementRange>& ranges : own) {
    if (ranges.empty()) continue;
    TensorValues& part = parts.emplace_back();
    for (const auto& [begin, end] : ranges) {
      part.insert(part.end(), whole.begin() + begin, whole.begin() + end);
    }
  }
  return parts;
}

std::vector<TensorValues> afterRing(Op op, const std::vector<TensorValues>& inputs,
                                    const OwnRanges& own) {
  if (op == Op::ReduceScatter) return scattered(sumOf(inputs), own);
  return {inputs.size(), op == Op::AllGather ? gathered(inputs, own) : sumOf(inputs)};
}

Program ringProgram(Op op, Graph& graph, const Group& group, CollectiveMethod method) {
  if (op == Op::AllGather) return allGather(graph, group, method, "all_gather");
  if (op == Op::ReduceScatter) return reduceScatter(graph, group, method, "reduce_scatter");
  return allReduce(graph, group, method, "all_reduce");
}

/// A reduce-scatter, an all-gather, or both.
void buildRing(Op op, CollectiveMethod method, const Group& group, BuiltWorkload& built) {
  const OwnRanges own = ownRangesOf(built.graph, group, method);
  const auto inputs = hostTensors(group, "member");
  const auto outputs = op == Op::ReduceScatter ? ownTensors(group, own) : inputs;
  built.program = ringProgram(op, built.graph, group, method);
  built.host = [=] { return HostTensors{inputs, outputs}; };
  built.reference->compute = [=](const std::vector<TensorValues>& values) {
    return Expected(afterRing(op, values, own));
  };
}

/// Slice s of member m is slice m of member s.
std::vector<TensorValues> transposed(const std::vector<TensorValues>& inputs) {
  std::vector<TensorValues> results = inputs;
  const std::size_t each = inputs.front().size() / inputs.size();
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    for (std::size_t e = 0; e < inputs[m].size(); ++e) {
      results[e / each][m * each + e % each] = inputs[m][e];
    }
  }
  return results;
}

/// What the members of the second group hold after the copies.
std::vector<TensorValues> afterCopies(Op op, const std::vector<TensorValues>& inputs) {
  if (op == Op::AllToAll) return transposed(inputs);
  if (op == Op::Broadcast) return {inputs.size(), inputs.front()};
  std::vector<TensorValues> results = inputs;
  std::rotate(results.begin(), results.end() - 1, results.end());
  return results;
}

/// Copies from one group to another, in the order of the IPUs.
void buildCopies(Op op, const Group& from, const Group& to, BuiltWorkload& built) {
  Graph& graph = built.graph;
  std::vector<std::uint32_t> next(from.size());
  std::iota(next.begin(), next.end(), 1);
  next.back() = 0;
  if (op == Op::Broadcast) built.program = broadcast(graph, from.front(), to, "broadcast");
  if (op == Op::Permute) built.program = permute(graph, from, to, next, "permute");
  if (op == Op::AllToAll) built.program = allToAll(graph, from, to, "all_to_all");
  built.host = [=] { return HostTensors{hostTensors(from, "from"), hostTensors(to, "to")}; };
  built.reference->compute = [op](const std::vector<TensorValues>& inputs) {
    return Expected(afterCopies(op, inputs));
  };
}

}  // namespace

BuiltWorkload buildCollective(const ConfigReader& config, const Pod& pod) {
  const Op op = readWord(config, "op", kOps);
  Variable like{
      "data", readWord(config, "type", kNumberWords, ElementType::Float), 0, Lifetime::Always, {}};
  like.elements = config.whole("elements", 1, kMostElements);
  if (op == Op::AllToAll && like.elements % pod.ipus != 0) {
    throw config.error("elements", fmt::format("a multiple of the {} IPUs", pod.ipus));
  }
  BuiltWorkload built;
  built.reference = Reference{{}, goesRound(op) ? toleranceOf(pod, like.type) : 0};
  if (goesRound(op)) {
    const CollectiveMethod method = readMethod(config, pod, op, like.elements * sizeOf(like.type));
    const Group group = addGroup(built.graph, pod, models::ladderRing(pod.ipus), like);
    buildRing(op, method, group, built);
    built.flops = built.graph.flops(built.program);
    return built;
  }
  std::vector<std::uint32_t> ipus(pod.ipus);
  std::iota(ipus.begin(), ipus.end(), 0);
  const Group from = addGroup(built.graph, pod, ipus, like);
  like.name = "result";
  buildCopies(op, from, addGroup(built.graph, pod, ipus, like), built);
  return built;
}

BuiltWorkload refuseOneIpu(const ConfigReader& config, const Architecture& /*machine*/) {
  throw config.error("kind", "another one, or a machine of several IPUs");
}

}  // namespace ipusim::workloads
