// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/last_uses.h"

#include "sim/compile/flow_builder.h"

namespace ipusim::compiler {

namespace {

/// Counts how often a program uses each compute set and each copy.
class UseCounter {
 public:
  explicit UseCounter(const Graph& graph)
      : of_set_(graph.computeSets().size()), of_copy_(graph.copies().size()) {}

  void add(const Execute& step) { ++of_set_[indexOf(step.compute_set)]; }
  void add(const Copy& step) { ++of_copy_[indexOf(step.copy)]; }
  void add(const Stream& /*step*/) {}
  void add(const Remote& /*step*/) {}
  void beginOverlap(const Overlap& /*step*/) {}
  void endOverlap(const Overlap& /*step*/) {}
  void tellAllTiles(const Tensor& /*decision*/) {}
  [[nodiscard]] static std::size_t size() { return 0; }

  [[nodiscard]] const std::vector<std::uint32_t>& ofSet() const { return of_set_; }
  [[nodiscard]] const std::vector<std::uint32_t>& ofCopy() const { return of_copy_; }

 private:
  std::vector<std::uint32_t> of_set_;
  std::vector<std::uint32_t> of_copy_;
};

/// A part of a graph that may be changed, as the graph itself may be. A graph shows its parts to
/// read only, and frees all of them or none.
template <typename Part>
Part& changeable(Graph& /*owner*/, const Part& part) {
  return const_cast<Part&>(part);
}

}  // namespace

LastUses::LastUses(Graph& graph) : graph_(graph) {
  UseCounter counter(graph);
  static_cast<void>(FlowBuilder(graph, counter).run());
  of_set_ = counter.ofSet();
  of_copy_ = counter.ofCopy();
}

void LastUses::done(const Execute& step) {
  if (--of_set_[indexOf(step.compute_set)] > 0) return;
  changeable(graph_, graph_.computeSets()[indexOf(step.compute_set)]).families = {};
}

void LastUses::done(const Copy& step) {
  if (--of_copy_[indexOf(step.copy)] > 0) return;
  CopyStep& copy = changeable(graph_, graph_.copy(step.copy));
  copy.moves = {};
  copy.large = {};
}

}  // namespace ipusim::compiler
