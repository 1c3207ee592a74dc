// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/plan_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "sim/parallel/redistribution/type_word.h"

namespace ipusim::parallel {

namespace {

/// A search through more types takes seconds, and over a hundred megabytes.
constexpr std::size_t kMostTypes = 400'000;

/// What a plan took so far: first what the goal counts.
using Cost = std::pair<std::uint64_t, std::uint64_t>;

/// What is known of a type: the cheapest way to it.
struct ReachedState {
  Cost cost;
  Word from;
  Collective step;
  bool is_done = false;
};

class Search {
 public:
  Search(const ArrayType& source, const ArrayType& target, const Mesh& mesh, PlanGoal goal)
      : source_(source),
        mesh_(mesh),
        goal_(goal),
        target_(wordOf(target)),
        peak_(std::max(localElements(source, mesh), localElements(target, mesh))) {}

  /// Nothing: there are too many types.
  std::optional<Plan> run() {
    const Word first = wordOf(source_);
    relax(first, {{0, 0}, first, Permute{source_}, false});
    while (!open_.empty() && reached_.size() <= kMostTypes) {
      const auto [cost, word] = open_.top();
      open_.pop();
      ReachedState& reached = reached_.at(word);
      if (reached.is_done) continue;
      reached.is_done = true;
      if (word == target_) return planTo(word);
      expand(word, cost);
    }
    return std::nullopt;
  }

 private:
  struct Later {
    bool operator()(const std::pair<Cost, Word>& a, const std::pair<Cost, Word>& b) const {
      return a > b;
    }
  };

  [[nodiscard]] std::uint64_t sizeOf(char axis) const {
    return mesh_.axes[static_cast<std::size_t>(axis) - 1].size;
  }

  void relax(const Word& word, ReachedState reached) {
    const auto [found, is_new] = reached_.try_emplace(word, reached);
    if (!is_new) {
      if (found->second.is_done || found->second.cost <= reached.cost) return;
      found->second = std::move(reached);
    }
    open_.emplace(found->second.cost, word);
  }

  [[nodiscard]] Cost plus(const Cost& cost, std::uint64_t received) const {
    if (goal_ == PlanGoal::FewestSteps) return {cost.first + 1, cost.second + received};
    return {cost.first + received, cost.second + 1};
  }

  /// Finds the types that one step leads to.
  void expand(const Word& word, const Cost& cost) {
    const WordLayout layout(word, source_, mesh_);
    for (std::uint32_t d = 0; d < layout.begins.size(); ++d) {
      slices(word, cost, layout, d);
      if (layout.axes[d] > 0) withMinor(word, cost, layout, d);
    }
    permutes(word, cost, layout);
  }

  void slices(const Word& word, const Cost& cost, const WordLayout& layout,
              std::uint32_t dimension) {
    for (std::uint32_t axis = 0; axis < mesh_.axes.size(); ++axis) {
      const auto letter = static_cast<char>(axis + 1);
      if (word.find(letter) != Word::npos || !layout.divides(sizeOf(letter), dimension)) continue;
      Word after = word;
      after.insert(layout.begins[dimension], 1, letter);
      relax(after, {plus(cost, 0), word, Slice{dimension, axis}});
    }
  }

  /// Gathers along the minor axis of the dimension, or gives that axis to another dimension.
  void withMinor(const Word& word, const Cost& cost, const WordLayout& layout,
                 std::uint32_t dimension) {
    const std::size_t at = layout.begins[dimension];
    const char letter = word[at];
    const std::uint64_t size = sizeOf(letter);
    const std::uint64_t elements = layout.elements;
    Word after = word;
    after.erase(at, 1);
    if (elements <= peak_ / size) {
      relax(after, {plus(cost, (size - 1) * elements), word, Gather{dimension}});
    }
    for (std::uint32_t to = 0; to < layout.begins.size(); ++to) {
      if (to == dimension || !layout.divides(size, to)) continue;
      Word given = after;
      given.insert(layout.begins[to] - (to > dimension ? 1 : 0), 1, letter);
      relax(given, {plus(cost, elements / size * (size - 1)), word, AllToAll{dimension, to}});
    }
  }

  /// All types of one local shape are one step apart, at one cost. The first of them that is
  /// reached has the cheapest way to all the others.
  void permutes(const Word& word, const Cost& cost, const WordLayout& layout) {
    if (!permuted_.insert(layout.parts).second) return;
    const Cost after = plus(cost, layout.elements);
    forEachOfShape(layout.parts, mesh_, [&](const Word& other) {
      if (other != word) relax(other, {after, word, Permute{typeOf(other, source_)}});
    });
  }

  [[nodiscard]] Plan planTo(Word word) const {
    Plan plan;
    for (const Word first = wordOf(source_); word != first;) {
      const ReachedState& reached = reached_.at(word);
      plan.push_back(reached.step);
      word = reached.from;
    }
    std::reverse(plan.begin(), plan.end());
    return plan;
  }

  const ArrayType& source_;
  const Mesh& mesh_;
  PlanGoal goal_;
  Word target_;
  std::uint64_t peak_;  ///< most elements that a device may hold
  std::unordered_map<Word, ReachedState> reached_;
  std::priority_queue<std::pair<Cost, Word>, std::vector<std::pair<Cost, Word>>, Later> open_;
  std::set<std::vector<std::uint64_t>> permuted_;  ///< local shapes whose types are all reached
};

void verifySameShape(const ArrayType& source, const ArrayType& target, const Mesh& mesh) {
  const bool are_equal = std::equal(
      source.begin(), source.end(), target.begin(), target.end(),
      [](const ArrayDimension& a, const ArrayDimension& b) { return a.global == b.global; });
  if (!are_equal) {
    throw ConfigError(fmt::format("target: wanted an array of the shape of {}, found {}",
                                  toText(source, mesh), toText(target, mesh)));
  }
}

std::vector<std::uint32_t> primeFactors(std::uint32_t number) {
  std::vector<std::uint32_t> factors;
  for (std::uint32_t p = 2; p * p <= number; ++p) {
    for (; number % p == 0; number /= p) factors.push_back(p);
  }
  if (number > 1) factors.push_back(number);
  return factors;
}

}  // namespace

std::optional<Plan> findPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh,
                             PlanGoal goal) {
  verifySameShape(source, target, mesh);
  return Search(source, target, mesh, goal).run();
}

Plan gatherAndSlice(const ArrayType& source, const ArrayType& target, const Mesh& mesh) {
  verifySameShape(source, target, mesh);
  Plan plan;
  if (source == target) return plan;
  for (std::uint32_t d = 0; d < source.size(); ++d) {
    plan.insert(plan.end(), source[d].axes.size(), Gather{d});
  }
  for (std::uint32_t d = 0; d < target.size(); ++d) {
    const auto& axes = target[d].axes;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) plan.push_back(Slice{d, *axis});
  }
  return plan;
}

Redistribution factored(const Redistribution& redistribution) {
  Redistribution split;
  std::vector<std::vector<std::uint32_t>> parts_of;  // per axis: its parts, minor first
  for (const MeshAxis& axis : redistribution.mesh.axes) {
    const std::vector<std::uint32_t> factors = primeFactors(axis.size);
    std::vector<std::uint32_t> parts(factors.size());
    for (std::size_t f = factors.size(); f-- > 0;) {
      parts[f] = static_cast<std::uint32_t>(split.mesh.axes.size());
      const std::string name = factors.size() == 1 ? axis.name : fmt::format("{}.{}", axis.name, f);
      split.mesh.axes.push_back({name, factors[f]});
    }
    parts_of.push_back(std::move(parts));
  }
  const auto split_type = [&parts_of](ArrayType type) {
    for (ArrayDimension& dimension : type) {
      std::vector<std::uint32_t> axes;
      for (const std::uint32_t axis : dimension.axes) {
        axes.insert(axes.end(), parts_of[axis].begin(), parts_of[axis].end());
      }
      dimension.axes = std::move(axes);
    }
    return type;
  };
  split.source = split_type(redistribution.source);
  split.target = split_type(redistribution.target);
  return split;
}

}  // namespace ipusim::parallel
