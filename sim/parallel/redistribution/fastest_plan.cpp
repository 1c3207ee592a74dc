// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/fastest_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "sim/parallel/redistribution/plan_search.h"
#include "sim/parallel/redistribution/type_word.h"

namespace ipusim::parallel {

namespace {

/// A search that needs more takes longer than a second.
constexpr std::size_t kMostPriced = 20'000;

/// Which cell each device holds, as one number.
using Places = std::vector<std::uint64_t>;

/// A type on the way, and whether a permutation lies behind.
struct State {
  Word word;
  bool is_permuted;

  friend bool operator<(const State& a, const State& b) {
    return std::tie(a.is_permuted, a.word) < std::tie(b.is_permuted, b.word);
  }
};

struct Reached {
  double seconds;
  State from;
  Plan steps;
  bool is_done = false;
};

class FastestSearch {
 public:
  FastestSearch(const ArrayType& source, const ArrayType& target, const Mesh& mesh,
                const PodPrice& price)
      : source_(source),
        mesh_(mesh),
        price_(price),
        target_(wordOf(target)),
        peak_(std::max(localElements(source, mesh), localElements(target, mesh))),
        least_exchange_(price.seconds({{0, 0, Bytes(0)}})) {}

  /// The fastest plan that takes less than `bound` seconds. Nothing: there is none, or the search
  /// would take too long.
  std::optional<Plan> run(double bound) {
    bound_ = bound;
    relax({wordOf(source_), false}, {0, {}, {}});
    while (!open_.empty() && priced_ < kMostPriced) {
      const auto [seconds, state] = open_.top();
      open_.pop();
      Reached& reached = reached_.at(state);
      if (reached.is_done) continue;
      reached.is_done = true;
      if (state.word == target_) return planTo(state);
      expand(state, seconds);
    }
    return std::nullopt;
  }

 private:
  using Entry = std::pair<double, State>;
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const { return b < a; }
  };

  [[nodiscard]] std::uint64_t sizeOf(const Word& axes) const {
    std::uint64_t size = 1;
    for (const char axis : axes) size *= mesh_.axes[static_cast<std::size_t>(axis) - 1].size;
    return size;
  }

  void relax(const State& state, Reached reached) {
    if (reached.seconds >= bound_) return;
    const auto [found, is_new] = reached_.try_emplace(state, reached);
    if (!is_new) {
      if (found->second.is_done || found->second.seconds <= reached.seconds) return;
      found->second = std::move(reached);
    }
    open_.emplace(found->second.seconds, state);
  }

  void expand(const State& state, double seconds) {
    const WordLayout layout(state.word, source_, mesh_);
    for (std::uint32_t d = 0; d < layout.begins.size(); ++d) {
      slices(state, seconds, layout, d);
      gathers(state, seconds, layout, d);
      for (std::uint32_t to = 0; to < layout.begins.size(); ++to) {
        if (to != d) moves(state, seconds, layout, d, to);
      }
    }
    if (!state.is_permuted) permutes(state, seconds, layout);
  }

  void slices(const State& state, double seconds, const WordLayout& layout,
              std::uint32_t dimension) {
    for (std::uint32_t axis = 0; axis < mesh_.axes.size(); ++axis) {
      const auto letter = static_cast<char>(axis + 1);
      if (state.word.find(letter) != Word::npos ||
          !layout.divides(mesh_.axes[axis].size, dimension)) {
        continue;
      }
      Word after = state.word;
      after.insert(layout.begins[dimension], 1, letter);
      relax({after, state.is_permuted}, {seconds, state, {Slice{dimension, axis}}});
    }
  }

  /// Gathers along one, two or more minor axes of the dimension at once.
  void gathers(const State& state, double seconds, const WordLayout& layout,
               std::uint32_t dimension) {
    for (std::uint32_t count = 1; count <= layout.axes[dimension]; ++count) {
      const Word axes = state.word.substr(layout.begins[dimension], count);
      if (layout.elements > peak_ / sizeOf(axes)) return;
      Word after = state.word;
      after.erase(layout.begins[dimension], count);
      relax({after, state.is_permuted},
            {seconds + alongAxes(axes, layout.elements), state, {Gather{dimension, count}}});
    }
  }

  /// Gives one, two or more minor axes of a dimension to another at once.
  void moves(const State& state, double seconds, const WordLayout& layout, std::uint32_t from,
             std::uint32_t to) {
    for (std::uint32_t count = 1; count <= layout.axes[from]; ++count) {
      const Word axes = state.word.substr(layout.begins[from], count);
      const std::uint64_t size = sizeOf(axes);
      if (!layout.divides(size, to)) return;
      Word after = state.word;
      after.erase(layout.begins[from], count);
      after.insert(layout.begins[to] - (to > from ? count : 0), axes);
      relax(
          {after, state.is_permuted},
          {seconds + alongAxes(axes, layout.elements / size), state, {AllToAll{from, to, count}}});
    }
  }

  void permutes(const State& state, double seconds, const WordLayout& layout) {
    if (seconds + least_exchange_ >= bound_) return;
    const Places before = placesOf(state.word, layout);
    forEachOfShape(layout.parts, mesh_, [&](const Word& other) {
      if (other == state.word || priced_ == kMostPriced) return;
      ++priced_;
      const double taken = permutation(before, placesOf(other, layout), layout.elements);
      relax({other, true}, {seconds + taken, state, {Permute{typeOf(other, source_)}}});
    });
  }

  /// The time of an exchange in which every device sends `elements` to every other device along
  /// the axes. Such exchanges depend on nothing else, so that each is priced once.
  double alongAxes(Word axes, std::uint64_t elements) {
    std::sort(axes.begin(), axes.end());
    const auto [found, is_new] = along_.try_emplace({axes, elements}, 0);
    if (!is_new) return found->second;
    std::vector<models::Flow> flows;
    for (std::uint32_t to = 0; to < mesh_.devices(); ++to) {
      std::vector<std::uint32_t> group{to};
      for (const char letter : axes) addAlong(static_cast<std::uint32_t>(letter) - 1, group);
      for (const std::uint32_t from : group) {
        if (from != to) flows.push_back({from, to, elements * price_.element()});
      }
    }
    return found->second = price_.seconds(flows);
  }

  /// Adds the other devices along the axis to those of the group.
  void addAlong(std::uint32_t axis, std::vector<std::uint32_t>& group) const {
    const std::uint32_t stride = mesh_.stride(axis);
    const std::size_t known = group.size();
    for (std::size_t g = 0; g < known; ++g) {
      const std::uint32_t here = mesh_.coordinate(group[g], axis);
      for (std::uint32_t c = 0; c < mesh_.axes[axis].size; ++c) {
        if (c != here) group.push_back(group[g] - here * stride + c * stride);
      }
    }
  }

  [[nodiscard]] Places placesOf(const Word& word, const WordLayout& layout) const {
    Places places(mesh_.devices(), 0);
    std::uint64_t weight = 1;
    std::size_t d = 0;
    std::uint64_t parts = 1;
    for (const char letter : word) {
      if (letter == kSeparator) {
        weight *= layout.parts[d++];
        parts = 1;
        continue;
      }
      const auto axis = static_cast<std::uint32_t>(letter) - 1;
      for (std::uint32_t device = 0; device < places.size(); ++device) {
        places[device] += weight * parts * mesh_.coordinate(device, axis);
      }
      parts *= mesh_.axes[axis].size;
    }
    return places;
  }

  /// As permutationStep() does it: all holders of a cell send it in turn.
  [[nodiscard]] double permutation(const Places& before, const Places& after,
                                   std::uint64_t elements) const {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> holders;
    for (std::uint32_t device = 0; device < before.size(); ++device) {
      holders[before[device]].push_back(device);
    }
    std::unordered_map<std::uint64_t, std::size_t> turn;
    std::vector<models::Flow> flows;
    for (std::uint32_t device = 0; device < after.size(); ++device) {
      if (before[device] == after[device]) continue;
      const std::vector<std::uint32_t>& held_by = holders.at(after[device]);
      const std::uint32_t from = held_by[turn[after[device]]++ % held_by.size()];
      flows.push_back({from, device, elements * price_.element()});
    }
    return price_.seconds(flows);
  }

  [[nodiscard]] Plan planTo(State state) const {
    std::vector<const Plan*> parts;
    const State first{wordOf(source_), false};
    while (state < first || first < state) {
      const Reached& reached = reached_.at(state);
      parts.push_back(&reached.steps);
      state = reached.from;
    }
    Plan plan;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      plan.insert(plan.end(), (*part)->begin(), (*part)->end());
    }
    return plan;
  }

  const ArrayType& source_;
  const Mesh& mesh_;
  const PodPrice& price_;
  Word target_;
  std::uint64_t peak_;      ///< most elements that a device may hold
  double least_exchange_;   ///< time of an exchange without payload
  double bound_ = 0;        ///< nothing slower is looked at
  std::size_t priced_ = 0;  ///< permutations that were priced
  std::map<State, Reached> reached_;
  std::priority_queue<Entry, std::vector<Entry>, Later> open_;
  std::map<std::pair<Word, std::uint64_t>, double> along_;
};

}  // namespace

std::optional<SteppedPlan> fastestPlan(const ArrayType& source, const ArrayType& target,
                                       const Mesh& mesh, const PodPrice& price) {
  const Cells cells = cellsOf(source, mesh);
  std::optional<SteppedPlan> best;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](Plan plan, Neighbours neighbours) {
    SteppedPlan stepped{std::move(plan), {}};
    stepped.steps = deviceSteps(stepped.plan, source, mesh, neighbours);
    const double seconds = price.seconds(stepped.steps, cells);
    if (seconds >= least) return;
    least = seconds;
    best = std::move(stepped);
  };
  for (const PlanGoal goal : {PlanGoal::LeastReceived, PlanGoal::FewestSteps}) {
    if (auto plan = findPlan(source, target, mesh, goal)) {
      consider(*std::move(plan), Neighbours::Joined);
    }
  }
  if (auto plan = FastestSearch(source, target, mesh, price).run(least)) {
    consider(*std::move(plan), Neighbours::Apart);
  }
  return best;
}

}  // namespace ipusim::parallel
