// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/chakra/node_order.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>

#include "ipusim/error.h"

namespace ipusim::interop::chakra {

namespace {

class Orderer {
 public:
  Orderer(const Trace& trace, const std::string& file)
      : trace_(trace), file_(file), followers_(trace.nodes.size()), open_(trace.nodes.size(), 0) {
    for (std::size_t i = 0; i < trace.nodes.size(); ++i) index_.emplace(trace.nodes[i].id, i);
    order_.data_deps.resize(trace.nodes.size());
  }

  NodeOrder run() {
    for (std::size_t i = 0; i < trace_.nodes.size(); ++i) addDependencies(i);
    sort();
    return std::move(order_);
  }

 private:
  void addDependencies(std::size_t index) {
    const Node& node = trace_.nodes[index];
    for (const std::uint64_t id : node.data_deps) {
      const auto found = index_.find(id);
      if (found == index_.end()) {
        throw ConfigError(fmt::format("{}: node {}: data_deps: wanted ids of nodes, found {}",
                                      file_, node.id, id));
      }
      order_.data_deps[index].push_back(found->second);
      addEdge(found->second, index);
    }
    for (const std::uint64_t id : node.ctrl_deps) {
      const auto found = index_.find(id);
      if (found != index_.end()) {
        addEdge(found->second, index);
      } else {
        order_.unknown_ctrl_deps.push_back(index);
      }
    }
  }

  void addEdge(std::size_t first, std::size_t second) {
    followers_[first].push_back(second);
    ++open_[second];
  }

  /// Takes, of the nodes that wait for no other, the one that comes first in the trace.
  void sort() {
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i] == 0) ready.push(i);
    }
    while (!ready.empty()) {
      const std::size_t next = ready.top();
      ready.pop();
      order_.nodes.push_back(next);
      for (const std::size_t follower : followers_[next]) {
        if (--open_[follower] == 0) ready.push(follower);
      }
    }
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i] == 0) continue;
      throw ConfigError(
          fmt::format("{}: node {}: wanted dependencies without a cycle, found one that leads here",
                      file_, trace_.nodes[i].id));
    }
  }

  const Trace& trace_;
  const std::string& file_;
  std::unordered_map<std::uint64_t, std::size_t> index_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::size_t> open_;  ///< dependencies of each node that have not run
  NodeOrder order_;
};

}  // namespace

NodeOrder orderOf(const Trace& trace, const std::string& file) {
  return Orderer(trace, file).run();
}

}  // namespace ipusim::interop::chakra
