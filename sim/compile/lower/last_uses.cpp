// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/last_uses.h"

#include "sim/compile/lower/flow_builder.h"

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

}  // namespace

LastUses::LastUses(Graph& graph) : graph_(graph) {
  UseCounter counter(graph);
  static_cast<void>(FlowBuilder(graph, counter).run());
  of_set_ = counter.ofSet();
  of_copy_ = counter.ofCopy();
}

void LastUses::done(const Execute& step) {
  if (--of_set_[indexOf(step.compute_set)] > 0) return;
  graph_.release(step.compute_set);
}

void LastUses::done(const Copy& step) {
  if (--of_copy_[indexOf(step.copy)] > 0) return;
  graph_.release(step.copy);
}

}  // namespace ipusim::compiler
