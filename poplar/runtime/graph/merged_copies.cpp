// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/merged_copies.h"

#include <algorithm>
#include <boost/icl/interval_set.hpp>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "poplar/detail/tensor_api.hpp"
#include "poplar/runtime/graph/section_runs.h"

namespace poplar::detail {

namespace {

/// A copy of more runs than this is long enough to stand alone.
constexpr std::size_t kMostRuns = 1U << 14U;

/// Runs of consecutive elements of variables.
using Runs = std::vector<ipusim::Section>;

/// How many forEachRun() finds.
std::uint64_t runsIn(const ipusim::Section& section) {
  const auto& levels = section.walk.levels;
  const bool is_dense = !levels.empty() && levels.back().stride == ipusim::VariableElements(1);
  return is_dense ? section.elements() / levels.back().count : section.elements();
}

/// None where there are too many.
std::optional<Runs> runsOf(const TensorData& tensor) {
  const ipusim::View view = tensor.view.view();
  std::uint64_t count = 0;
  for (const ipusim::Section& section : view) count += runsIn(section);
  if (count > kMostRuns) return std::nullopt;
  Runs runs;
  for (const ipusim::Section& section : view) {
    forEachRun(section, [&runs](const ipusim::Section& run) { runs.push_back(run); });
  }
  return runs;
}

/// Elements of variables.
class ElementSet {
 public:
  void add(const Runs& runs) {
    for (const ipusim::Section& run : runs) sets_[run.variable].add(intervalOf(run));
  }
  [[nodiscard]] bool hasOneOf(const Runs& runs) const {
    return std::any_of(runs.begin(), runs.end(), [this](const ipusim::Section& run) {
      const auto found = sets_.find(run.variable);
      return found != sets_.end() && boost::icl::intersects(found->second, intervalOf(run));
    });
  }

 private:
  using Set = boost::icl::interval_set<std::uint64_t>;

  static Set::interval_type intervalOf(const ipusim::Section& run) {
    return Set::interval_type::right_open(run.begin(), run.end());
  }

  std::map<ipusim::VariableId, Set> sets_;
};

/// Copies that do not see one another.
class CopyGroup {
 public:
  /// Adds the step where it is such a copy. False, and nothing else, where it is not.
  bool take(const Ref<ProgramData>& step) {
    if (step->kind != ProgramKind::Copy || step->from->elements() == 0) return false;
    if (!copies_.empty() && copies_.front()->from->type != step->from->type) return false;
    const std::optional<Runs> from = runsOf(*step->from);
    const std::optional<Runs> to = runsOf(*step->to);
    if (!from || !to) return false;
    if (writes_.hasOneOf(*from) || writes_.hasOneOf(*to) || reads_.hasOneOf(*to)) return false;
    reads_.add(*from);
    writes_.add(*to);
    copies_.push_back(step);
    return true;
  }
  [[nodiscard]] const std::vector<Ref<ProgramData>>& copies() const { return copies_; }

 private:
  std::vector<Ref<ProgramData>> copies_;
  ElementSet reads_;
  ElementSet writes_;
};

/// All elements of tensors of one type, one tensor behind the other.
Ref<TensorData> allOf(const std::vector<Ref<ProgramData>>& copies,
                      Ref<TensorData> ProgramData::*end) {
  std::vector<Ref<TensorData>> flat;
  std::vector<const TensorData*> parts;
  for (const Ref<ProgramData>& copy : copies) {
    const TensorData* const tensor = ((*copy).*end).get();
    const std::size_t elements = tensor->elements();
    flat.push_back(Ref<TensorData>::taking(reshaped(tensor, &elements, 1)));
    parts.push_back(flat.back().get());
  }
  return Ref<TensorData>::taking(joined(parts.data(), parts.size(), 0));
}

/// Writes programs again. Equal ones become equal ones, which are compiled once.
class CopyMerger {
 public:
  Ref<ProgramData> run(const Ref<ProgramData>& program) {
    if (program->steps.empty()) return program;
    const auto known = done_.find(program.get());
    if (known != done_.end()) return known->second;
    std::vector<Ref<ProgramData>> steps;
    steps.reserve(program->steps.size());
    for (const Ref<ProgramData>& step : program->steps) steps.push_back(onlyStep(run(step)));
    if (program->kind == ProgramKind::Sequence) steps = merged(steps);
    const bool is_same = std::equal(
        steps.begin(), steps.end(), program->steps.begin(), program->steps.end(),
        [](const Ref<ProgramData>& a, const Ref<ProgramData>& b) { return a.get() == b.get(); });
    if (is_same) return done_[program.get()] = program;
    auto changed = std::make_unique<ProgramData>(*program);
    changed->steps = std::move(steps);
    return done_[program.get()] = Ref<ProgramData>::taking(changed.release());
  }

 private:
  /// What a Sequence of one step does.
  static Ref<ProgramData> onlyStep(const Ref<ProgramData>& program) {
    const bool is_one = program->kind == ProgramKind::Sequence && program->steps.size() == 1;
    return is_one ? program->steps.front() : program;
  }

  std::vector<Ref<ProgramData>> merged(const std::vector<Ref<ProgramData>>& steps) {
    std::vector<Ref<ProgramData>> result;
    CopyGroup group;
    const auto flush = [&] {
      if (!group.copies().empty()) result.push_back(merge(group.copies()));
      group = CopyGroup();
    };
    for (const Ref<ProgramData>& step : steps) {
      if (group.take(step)) continue;
      flush();
      if (!group.take(step)) result.push_back(step);
    }
    flush();
    return result;
  }

  Ref<ProgramData> merge(const std::vector<Ref<ProgramData>>& copies) {
    if (copies.size() == 1) return copies.front();
    std::vector<const ProgramData*> key;
    key.reserve(copies.size());
    for (const Ref<ProgramData>& copy : copies) key.push_back(copy.get());
    Ref<ProgramData>& found = groups_[key];
    if (found) return found;
    auto copy = std::make_unique<ProgramData>(*copies.front());
    copy->from = allOf(copies, &ProgramData::from);
    copy->to = allOf(copies, &ProgramData::to);
    return found = Ref<ProgramData>::taking(copy.release());
  }

  std::unordered_map<const ProgramData*, Ref<ProgramData>> done_;
  std::map<std::vector<const ProgramData*>, Ref<ProgramData>> groups_;
};

}  // namespace

void mergeCopies(ExecutableData& data) {
  CopyMerger merger;
  for (const auto& program : data.programs) data.played.push_back(merger.run(program));
  for (const auto& function : data.state->functions) data.functions.push_back(merger.run(function));
}

}  // namespace poplar::detail
