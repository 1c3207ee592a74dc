// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "workloads/networks/outline/sequence.h"

// Schedules for tests of outlining, by hand.

namespace ipusim::workloads {

/// An edge of a schedule: from a result of a node to an operand of another.
struct OutlineEdge {
  std::size_t from;
  std::size_t to;
  std::size_t output;
  std::size_t input;
};

/// Nodes of these kinds, each of the value that `value_of` has for its kind, or 10.
inline OutlineSchedule scheduleOf(const std::vector<std::uint32_t>& kinds,
                                  const std::map<std::uint32_t, double>& value_of = {},
                                  const std::vector<OutlineEdge>& edges = {}) {
  constexpr double kUsualValue = 10;
  constexpr std::size_t kMostOutputs = 8;
  OutlineSchedule schedule;
  for (const std::uint32_t kind : kinds) {
    const auto found = value_of.find(kind);
    schedule.push_back({kind, found == value_of.end() ? kUsualValue : found->second, {}, {}});
  }
  for (const OutlineEdge& edge : edges) {
    const std::size_t tensor = edge.from * kMostOutputs + edge.output;
    schedule[edge.to].inputs.push_back({edge.input, edge.from, edge.output, tensor});
    auto& outputs = schedule[edge.from].outputs;
    const auto found = std::find_if(outputs.begin(), outputs.end(),
                                    [&](const auto& one) { return one.index == edge.output; });
    if (found == outputs.end()) {
      outputs.push_back({edge.output, tensor, edge.to, false});
    } else {
      found->last_reader = std::max(found->last_reader, edge.to);
    }
  }
  for (OutlineNode& node : schedule) {
    std::sort(node.inputs.begin(), node.inputs.end(),
              [](const OutlineInput& a, const OutlineInput& b) { return a.index < b.index; });
  }
  return schedule;
}

/// A node of a schedule that is given by its tensors. Nodes have one result, which the outside
/// reads where no node does.
struct TensorNode {
  std::uint32_t kind;
  double value;
  std::vector<std::size_t> reads;
  std::size_t makes;
};

inline OutlineSchedule scheduleOf(const std::vector<TensorNode>& nodes) {
  OutlineSchedule schedule;
  std::map<std::size_t, std::size_t> producers;
  for (const TensorNode& node : nodes) {
    OutlineNode one{node.kind, node.value, {}, {{0, node.makes, 0, true}}};
    for (std::size_t i = 0; i < node.reads.size(); ++i) {
      const auto made = producers.find(node.reads[i]);
      OutlineInput input{i, OutlineInput::kNoProducer, 0, node.reads[i]};
      if (made != producers.end()) {
        input.producer = made->second;
        OutlineOutput& read = schedule[made->second].outputs.front();
        read.last_reader = schedule.size();
        read.is_read_outside = false;
      }
      one.inputs.push_back(input);
    }
    producers.emplace(node.makes, schedule.size());
    schedule.push_back(std::move(one));
  }
  return schedule;
}

}  // namespace ipusim::workloads
