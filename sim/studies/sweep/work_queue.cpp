// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/work_queue.h"

#include <algorithm>
#include <tuple>

#include "sim/run/compile_cache.h"

namespace ipusim::explore {

using compiler::Stage;

CompiledAlike::CompiledAlike(const Sweep& sweep, Stage stage) {
  std::uint64_t stride = sweep.numbers();
  for (const Dimension& dimension : sweep.dimensions) {
    stride /= dimension.count();
    const bool later =
        std::all_of(dimension.axes.begin(), dimension.axes.end(),
                    [stage](const Axis& axis) { return run::firstReadBy(axis.key) > stage; });
    if (later) free_.push_back({stride, dimension.count()});
  }
}

std::uint64_t CompiledAlike::operator()(std::uint64_t point) const {
  for (const Free& free : free_) point -= point / free.stride % free.count * free.stride;
  return point;
}

WorkQueue::WorkQueue(const Sweep& sweep, std::vector<std::uint64_t> points)
    : lowered_(sweep, Stage::Lowering), points_(std::move(points)) {
  const CompiledAlike scheduled(sweep, Stage::Exchange);
  const CompiledAlike laid_out(sweep, Stage::Memory);
  const auto key = [&](std::uint64_t point) {
    return std::tuple(lowered_(point), scheduled(point), laid_out(point), point);
  };
  std::sort(points_.begin(), points_.end(),
            [&key](std::uint64_t a, std::uint64_t b) { return key(a) < key(b); });
}

std::optional<std::uint64_t> WorkQueue::next(std::optional<std::uint64_t> last) {
  const auto group = groupFor(last);
  if (group == begun_.end()) return std::nullopt;
  const std::uint64_t point = points_[group->second.next++];
  if (group->second.next == group->second.end) begun_.erase(group);
  return point;
}

WorkQueue::Groups::iterator WorkQueue::groupFor(std::optional<std::uint64_t> last) {
  if (last) {
    const auto same = begun_.find(lowered_(*last));
    if (same != begun_.end()) return same;
  }
  if (untouched_ < points_.size()) return begin();
  const auto left = [](const Groups::value_type& group) {
    return group.second.end - group.second.next;
  };
  return std::max_element(begun_.begin(), begun_.end(),
                          [&left](const auto& a, const auto& b) { return left(a) < left(b); });
}

WorkQueue::Groups::iterator WorkQueue::begin() {
  const std::uint64_t alike = lowered_(points_[untouched_]);
  std::size_t end = untouched_;
  while (end < points_.size() && lowered_(points_[end]) == alike) ++end;
  const Group group{untouched_, end};
  untouched_ = end;
  return begun_.emplace(alike, group).first;
}

}  // namespace ipusim::explore
