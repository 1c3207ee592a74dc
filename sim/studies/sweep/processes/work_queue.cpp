// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/processes/work_queue.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/error_boundary.h"
#include "sim/run/compile_cache.h"

namespace ipusim::sweep {

using compiler::Stage;

namespace {

/// The inputs of a compilation at a point. None when the config of the point is wrong; running the
/// point reports the error.
std::optional<run::CompileInputs> inputsAt(const Sweep& sweep, std::uint64_t point) {
  return resultOrNone<ConfigError>([&] { return run::compileInputs(sweep.configAt(point)); });
}

Stage firstToDiffer(const std::optional<run::CompileInputs>& a,
                    const std::optional<run::CompileInputs>& b) {
  return a && b ? run::firstToDiffer(*a, *b) : Stage::Lowering;
}

}  // namespace

CompileClasses::CompileClasses(const Sweep& sweep) {
  const auto first = inputsAt(sweep, 0);
  std::uint64_t stride = sweep.numbers();
  for (const Dimension& dimension : sweep.dimensions) {
    const std::uint64_t count = dimension.count();
    stride /= count;
    digits_.push_back({stride, count, firstToDiffer(first, inputsAt(sweep, (count - 1) * stride))});
  }
}

std::uint64_t CompileClasses::operator()(std::uint64_t point, Stage stage) const {
  for (const Digit& digit : digits_) {
    if (digit.taken_by > stage) point -= point / digit.stride % digit.count * digit.stride;
  }
  return point;
}

WorkQueue::WorkQueue(const Sweep& sweep, std::vector<std::uint64_t> points)
    : classes_(sweep), points_(std::move(points)) {
  const auto key = [this](std::uint64_t point) {
    return std::tuple(lowered(point), classes_(point, Stage::Exchange),
                      classes_(point, Stage::Memory), point);
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
    const auto same = begun_.find(lowered(*last));
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
  const std::uint64_t alike = lowered(points_[untouched_]);
  std::size_t end = untouched_;
  while (end < points_.size() && lowered(points_[end]) == alike) ++end;
  const Group group{untouched_, end};
  untouched_ = end;
  return begun_.emplace(alike, group).first;
}

}  // namespace ipusim::sweep
