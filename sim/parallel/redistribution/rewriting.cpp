// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/rewriting.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::parallel {

namespace {

/// Two neighbours of a plan, and the types around them.
struct Neighbours {
  const Collective& first;
  const Collective& second;
  const ArrayType& before;
  ArrayType between;
  ArrayType after;
};

/// Puts the two minor axes of the dimension in the other order.
Collective swapped(ArrayType type, std::uint32_t dimension) {
  std::swap(type[dimension].axes[0], type[dimension].axes[1]);
  return Permute{std::move(type)};
}

class Rewriting {
 public:
  explicit Rewriting(const Mesh& mesh) : mesh_(mesh) {}

  /// What takes the place of the two. Nothing: they stay.
  [[nodiscard]] std::optional<Plan> operator()(const Neighbours& pair) const {
    const auto* slice = std::get_if<Slice>(&pair.second);
    if (slice != nullptr) return withSlice(pair, *slice);
    const auto* gather = std::get_if<Gather>(&pair.first);
    if (gather != nullptr) return withGather(pair, *gather);
    const bool are_permutes =
        std::holds_alternative<Permute>(pair.first) && std::holds_alternative<Permute>(pair.second);
    if (are_permutes) return Plan{pair.second};
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<Plan> withSlice(const Neighbours& pair, const Slice& slice) const {
    if (const auto* gather = std::get_if<Gather>(&pair.first)) {
      return gatherThenSlice(pair, *gather, slice);
    }
    if (const auto* move = std::get_if<AllToAll>(&pair.first)) {
      return moveThenSlice(pair, *move, slice);
    }
    if (std::holds_alternative<Permute>(pair.first)) {
      return Plan{Slice{slice.dimension, unusedLike(slice.axis, pair.before)}, Permute{pair.after}};
    }
    return std::nullopt;
  }

  [[nodiscard]] Plan gatherThenSlice(const Neighbours& pair, const Gather& gather,
                                     const Slice& slice) const {
    const std::uint32_t axis = pair.before[gather.dimension].axes.front();
    const bool is_same_dimension = gather.dimension == slice.dimension;
    if (axis == slice.axis) {
      return is_same_dimension ? Plan{} : Plan{AllToAll{gather.dimension, slice.dimension}};
    }
    if (!is_same_dimension) return {slice, gather};
    if (sizeOf(axis) == sizeOf(slice.axis)) return {Permute{pair.after}};
    return {slice, swapped(apply(slice, pair.before, mesh_), slice.dimension), gather};
  }

  [[nodiscard]] Plan moveThenSlice(const Neighbours& pair, const AllToAll& move,
                                   const Slice& slice) const {
    if (slice.dimension == move.to) return {slice, move, Permute{pair.after}};
    if (slice.dimension != move.from) return {slice, move};
    const std::uint32_t axis = pair.before[move.from].axes.front();
    if (sizeOf(axis) == sizeOf(slice.axis))
      return {Slice{move.to, slice.axis}, Permute{pair.after}};
    return {slice, swapped(apply(slice, pair.before, mesh_), slice.dimension), move};
  }

  [[nodiscard]] std::optional<Plan> withGather(const Neighbours& pair, const Gather& gather) const {
    const std::uint32_t dimension = gather.dimension;
    if (const auto* move = std::get_if<AllToAll>(&pair.second)) {
      if (dimension == move->from) return Plan{swapped(pair.before, dimension), *move, gather};
      if (dimension != move->to) return Plan{*move, gather};
      const std::uint32_t axis = pair.before[dimension].axes.front();
      const std::uint32_t moved = pair.before[move->from].axes.front();
      if (sizeOf(axis) == sizeOf(moved)) return gatherElsewhere(pair, *move, axis);
      return Plan{*move, swapped(apply(*move, pair.before, mesh_), dimension), gather};
    }
    if (!std::holds_alternative<Permute>(pair.second)) return std::nullopt;
    ArrayType type = pair.after;
    const std::uint32_t axis = pair.before[dimension].axes.front();
    auto& axes = type[dimension].axes;
    axes.insert(axes.begin(), unusedLike(axis, pair.after));
    return Plan{Permute{std::move(type)}, gather};
  }

  /// Axis `axis` changes places with the moved one, and is gathered where that one was.
  [[nodiscard]] static Plan gatherElsewhere(const Neighbours& pair, const AllToAll& move,
                                            std::uint32_t axis) {
    ArrayType type = pair.after;
    auto& axes = type[move.from].axes;
    axes.insert(axes.begin(), axis);
    return {Permute{std::move(type)}, Gather{move.from}};
  }

  [[nodiscard]] std::uint32_t sizeOf(std::uint32_t axis) const { return mesh_.axes[axis].size; }

  /// The axis, or another one of its size where the type uses it.
  [[nodiscard]] std::uint32_t unusedLike(std::uint32_t axis, const ArrayType& type) const {
    if (!isUsed(type, axis)) return axis;
    for (std::uint32_t other = 0; other < mesh_.axes.size(); ++other) {
      if (sizeOf(other) == sizeOf(axis) && !isUsed(type, other)) return other;
    }
    throw InternalError("a permutation that frees no axis of the size it needs");
  }

  const Mesh& mesh_;
};

/// Gathers all dimensions, the last one first, then slices them, the last one first.
Plan gatherAllThenSlice(const ArrayType& source, const ArrayType& target) {
  Plan plan;
  for (auto d = static_cast<std::uint32_t>(source.size()); d-- > 0;) {
    plan.insert(plan.end(), source[d].axes.size(), Gather{d});
  }
  for (auto d = static_cast<std::uint32_t>(target.size()); d-- > 0;) {
    const auto& axes = target[d].axes;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) plan.push_back(Slice{d, *axis});
  }
  return plan;
}

/// Rewrites the first two neighbours that can be, or takes out a permutation that changes nothing.
/// False: there are none.
bool rewriteOnce(const ArrayType& source, const Mesh& mesh, Plan& plan) {
  const Rewriting rewriting(mesh);
  ArrayType before = source;
  for (std::size_t s = 0; s < plan.size(); ++s) {
    ArrayType between = apply(plan[s], before, mesh);
    const auto at = plan.begin() + static_cast<std::ptrdiff_t>(s);
    if (std::holds_alternative<Permute>(plan[s]) && between == before) {
      plan.erase(at);
      return true;
    }
    if (s + 1 == plan.size()) return false;
    ArrayType after = apply(plan[s + 1], between, mesh);
    const auto better = rewriting({plan[s], plan[s + 1], before, between, std::move(after)});
    if (better) {
      const auto end = plan.erase(at, at + 2);
      plan.insert(end, better->begin(), better->end());
      return true;
    }
    before = std::move(between);
  }
  return false;
}

}  // namespace

Plan rewrittenPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh) {
  Plan plan = gatherAllThenSlice(source, target);
  while (rewriteOnce(source, mesh, plan)) {
  }
  return plan;
}

}  // namespace ipusim::parallel
