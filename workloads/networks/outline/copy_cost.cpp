// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/outline/copy_cost.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ipusim::workloads {

namespace {

/// Whether the operand is the first of its node that reads this tensor.
bool isFirstOfTensor(const std::vector<OutlineInput>& inputs, std::size_t number) {
  return std::none_of(
      inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(number),
      [&](const OutlineInput& before) { return before.tensor == inputs[number].tensor; });
}

/// A part of a sequence, by positions in the schedule.
struct Part {
  std::size_t begin;
  std::size_t end;
};

/// Which positions lie inside sequences of earlier matches, and at which these begin and end.
class CoveredPositions {
 public:
  explicit CoveredPositions(std::size_t size) : inside_(size), first_(size), last_(size) {}

  void add(const OutlineMatch& match) {
    if (match.length == 1) return;
    for (const std::size_t start : match.starts) {
      for (std::size_t d = 1; d + 1 < match.length; ++d) inside_[start + d] = true;
      first_[start] = true;
      last_[start + match.length - 1] = true;
    }
  }
  [[nodiscard]] bool mayBegin(std::size_t position) const {
    return !inside_[position] && !last_[position];
  }
  [[nodiscard]] bool mayEndBehind(std::size_t position) const {
    return !inside_[position] && !first_[position];
  }

 private:
  std::vector<bool> inside_;
  std::vector<bool> first_;
  std::vector<bool> last_;
};

/// The part of the first sequence of a match that is worth most.
Part bestPart(const OutlineMatch& match, const CoveredPositions& covered,
              const FunctionWorth& worth) {
  const Part whole{match.starts.front(), match.starts.front() + match.length};
  Part best = whole;
  double most = worth(whole.begin, whole.end);
  for (std::size_t begin = whole.begin; begin < whole.end; ++begin) {
    if (!covered.mayBegin(begin)) continue;
    for (std::size_t end = begin + 1; end <= whole.end; ++end) {
      if (!covered.mayEndBehind(end - 1)) continue;
      const double value = worth(begin, end);
      if (value <= most) continue;
      most = value;
      best = {begin, end};
    }
  }
  return best;
}

}  // namespace

CopyCost::CopyCost(const OutlineSchedule& schedule, const std::vector<std::uint64_t>& bytes)
    : schedule_(schedule), bytes_(bytes), sums_{0} {
  for (const OutlineNode& node : schedule) {
    std::uint64_t read = 0;
    for (const OutlineInput& input : node.inputs) read += bytes[input.tensor];
    sums_.push_back(sums_.back() + node.value * std::sqrt(static_cast<double>(read)));
  }
}

double CopyCost::rootOf(std::size_t tensor) const {
  return std::sqrt(static_cast<double>(bytes_[tensor]));
}

/// An operand counts for each node that reads it, and a result that only the outside of the
/// schedule reads does not count, as in the source.
double CopyCost::copies(std::size_t begin, std::size_t end) const {
  double sum = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const OutlineNode& node = schedule_[n];
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const OutlineInput& input = node.inputs[i];
      if (!input.isMadeFrom(begin) && isFirstOfTensor(node.inputs, i)) sum += rootOf(input.tensor);
    }
    for (const OutlineOutput& output : node.outputs) {
      if (output.last_reader >= end) sum += rootOf(output.tensor);
    }
  }
  return sum;
}

double CopyCost::worth(std::size_t begin, std::size_t end) const {
  return sums_[end] - sums_[begin] - copies(begin, end);
}

std::vector<OutlineMatch> pruneMatches(std::vector<OutlineMatch> matches,
                                       const OutlineSchedule& schedule, const FunctionWorth& worth,
                                       double threshold) {
  std::stable_sort(matches.begin(), matches.end(),
                   [](const auto& a, const auto& b) { return a.length < b.length; });
  CoveredPositions covered(schedule.size());
  std::set<OutlineMatch> pruned;
  for (OutlineMatch match : matches) {
    const Part part = bestPart(match, covered, worth);
    const std::size_t cut = part.begin - match.starts.front();
    for (std::size_t& start : match.starts) start += cut;
    match.length = part.end - part.begin;
    match.value = 0;
    for (std::size_t n = part.begin; n < part.end; ++n) match.value += schedule[n].value;
    covered.add(match);
    if (match.value > threshold) pruned.insert(std::move(match));
  }
  return {pruned.begin(), pruned.end()};
}

}  // namespace ipusim::workloads
