// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/context_slices.h"

#include <algorithm>
#include <vector>

namespace ipusim::report {

namespace {

/// The rule of models/ipu/engines/closed_form/closed_form_compute.h, where the skipping of turns is
/// explained, with the contexts told apart.
class Contexts {
 public:
  Contexts(const ChipTiming& timing, Cycles now,
           const std::function<void(const ContextSlice&)>& use)
      : timing_(timing), use_(use), supervisor_(now + timing.compute_set_entry) {
    for (std::uint32_t c = 0; c < timing.workers; ++c) order_.push_back({c, now});
  }

  void run(const VertexRun& vertices) {
    if (vertices.kind == VertexKind::Worker) {
      runWorkers(vertices);
    } else {
      runSupervisor(vertices);
    }
  }

  [[nodiscard]] Cycles end() const { return std::max(supervisor_, order_.back().end); }

 private:
  struct Context {
    std::uint32_t number;
    Cycles end;
  };
  using Slices = std::vector<ContextSlice>;

  void runWorkers(const VertexRun& run) {
    const Cycles hold = run.cycles * timing_.workers;
    Slices slices(order_.size());
    std::size_t turn = 0;        // contexts that take turns
    std::uint64_t launched = 0;  // launches since they last changed
    for (std::uint64_t left = run.count; left > 0;) {
      const std::size_t grown = launchOne(hold, slices);
      --left;
      launched = grown == turn ? launched + 1 : 0;
      turn = grown;
      if (launched >= 2 * turn) left -= skipTurns(turn, left, hold, slices);
    }
    for (const ContextSlice& slice : slices) {
      if (slice.vertices > 0) use_(slice);
    }
  }

  /// Launches a vertex on the context that ends first. Returns how many contexts end no later than
  /// the vertex.
  std::size_t launchOne(Cycles hold, Slices& slices) {
    Context context = order_.front();
    supervisor_ = std::max(supervisor_, context.end) + timing_.vertex_launch;
    context.end = supervisor_ + hold;
    ContextSlice& slice = slices[context.number];
    if (slice.vertices++ == 0) slice.begin = supervisor_;
    slice.context = context.number;
    slice.end = context.end;
    std::size_t place = 1;
    for (; place < order_.size() && order_[place].end <= context.end; ++place) {
      order_[place - 1] = order_[place];
    }
    order_[place - 1] = context;
    return place;
  }

  /// Skips whole turns of the first `turn` contexts. Returns the number of vertices launched.
  std::uint64_t skipTurns(std::size_t turn, std::uint64_t left, Cycles hold, Slices& slices) {
    const Cycles period = std::max(timing_.vertex_launch * turn, timing_.vertex_launch + hold);
    std::uint64_t turns = left / turn;
    if (turn < order_.size() && period > Cycles(0)) {
      const std::uint64_t room = excess(order_[turn].end, order_[turn - 1].end).value() - 1;
      turns = std::min(turns, room / period.value());
    }
    for (std::size_t c = 0; c < turn; ++c) {
      ContextSlice& slice = slices[order_[c].number];
      slice.vertices += turns;
      slice.end = order_[c].end = order_[c].end + period * turns;
    }
    supervisor_ += period * turns;
    return turns * turn;
  }

  void runSupervisor(const VertexRun& run) {
    const Cycles begin = end();
    supervisor_ = begin + run.count * (timing_.supervisor_call + run.cycles);
    for (Context& context : order_) context.end = supervisor_;
    use_({timing_.workers, run.count, begin, supervisor_});
  }

  const ChipTiming& timing_;
  const std::function<void(const ContextSlice&)>& use_;
  Cycles supervisor_;
  std::vector<Context> order_;  ///< by their ends
};

}  // namespace

Cycles contextSlices(const ChipTiming& timing, const VertexRun* first, const VertexRun* last,
                     Cycles now, const std::function<void(const ContextSlice&)>& use) {
  const bool has_vertices =
      std::any_of(first, last, [](const VertexRun& run) { return run.count > 0; });
  if (!has_vertices) return now;
  Contexts contexts(timing, now, use);
  for (const VertexRun* run = first; run != last; ++run) {
    if (run->count > 0) contexts.run(*run);
  }
  return contexts.end();
}

}  // namespace ipusim::report
