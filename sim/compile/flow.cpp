// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::compiler {

namespace {

/// How many iterations of loops that depend on data are looked at.
constexpr std::uint64_t kMostIterations = 1'000'000;

class PositionCollector {
 public:
  explicit PositionCollector(FlowPositions& found) : found_(found) {}

  void operator()(StepId step) const { found_.steps.push_back(step); }
  void operator()(const FlowLoop& loop) const { range(loop.body, true, false); }
  void operator()(const Branch& branch) const {
    for (const Flows& body : branch.bodies) range(body, false, true);
  }
  void operator()(const WhileLoop& loop) const {
    const auto first = static_cast<std::uint32_t>(found_.steps.size());
    collect(loop.condition);
    range(loop.body, false, true);
    close(first, true, false);
  }

  void collect(const Flows& flows) const {
    for (const Flow& flow : flows) std::visit(*this, flow);
  }

 private:
  void range(const Flows& body, bool repeats, bool is_optional) const {
    const auto first = static_cast<std::uint32_t>(found_.steps.size());
    collect(body);
    close(first, repeats, is_optional);
  }
  void close(std::uint32_t first, bool repeats, bool is_optional) const {
    const auto end = static_cast<std::uint32_t>(found_.steps.size());
    if (end > first) found_.ranges.push_back({first, end - 1, repeats, is_optional});
  }

  FlowPositions& found_;
};

struct DataDependence {
  bool operator()(StepId /*step*/) const { return false; }
  bool operator()(const FlowLoop& loop) const { return dependsOnData(loop.body); }
  bool operator()(const Branch& /*branch*/) const { return true; }
  bool operator()(const WhileLoop& /*loop*/) const { return true; }
};

bool areEqual(const std::vector<Control>& a, const std::vector<Control>& b);

bool isEqual(const Control& a, const Control& b) {
  if (a.index() != b.index()) return false;
  if (const auto* step = std::get_if<StepId>(&a)) return *step == std::get<StepId>(b);
  const Loop& one = std::get<Loop>(a);
  const Loop& other = std::get<Loop>(b);
  return one.iterations == other.iterations && areEqual(one.body, other.body);
}

bool areEqual(const std::vector<Control>& a, const std::vector<Control>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), isEqual);
}

class Replay {
 public:
  explicit Replay(const ExecutionRecord& record)
      : record_(record), branches_(record.branches.size()), trips_(record.trips.size()) {}

  std::vector<Control> run(const Flows& flows) {
    std::vector<Control> outer = std::exchange(control_, {});
    for (const Flow& flow : flows) std::visit(*this, flow);
    return std::exchange(control_, std::move(outer));
  }

  void operator()(StepId step) { control_.emplace_back(step); }
  void operator()(const FlowLoop& loop) { repeat(loop.iterations, loop.body); }
  void operator()(const Branch& branch) {
    const std::uint32_t body = next(record_.branches, branches_, indexOf(branch.id), branch.what);
    if (body >= branch.bodies.size()) {
      throw GraphError(fmt::format("execution record: wanted a body below {} for {}, found {}",
                                   branch.bodies.size(), branch.what, body));
    }
    append(run(branch.bodies[body]));
  }
  void operator()(const WhileLoop& loop) {
    const std::uint64_t trips = next(record_.trips, trips_, indexOf(loop.id), loop.what);
    append(run(loop.condition));
    if (trips == 0) return;
    Flows body = loop.body;
    body.insert(body.end(), loop.condition.begin(), loop.condition.end());
    repeat(trips, body);
  }

 private:
  /// What the record says of the next time that the run comes to point `id`.
  template <typename Value>
  static Value next(const std::vector<PerIteration<Value>>& all,
                    std::vector<std::uint64_t>& reached, std::size_t id, const std::string& what) {
    if (id >= all.size() || reached[id] >= all[id].iterations()) {
      throw GraphError(fmt::format(
          "execution record: wanted what {} (number {}) does the {}. time, found nothing", what, id,
          id < reached.size() ? reached[id] + 1 : 1));
    }
    return all[id].at(reached[id]++);
  }

  void repeat(std::uint64_t iterations, const Flows& body) {
    if (!dependsOnData(body)) return appendLoop(iterations, run(body));
    looked_at_ += std::min(iterations, kMostIterations);
    if (iterations > kMostIterations || looked_at_ > kMostIterations) {
      throw GraphError(
          fmt::format("execution record: wanted at most {} iterations of loops whose "
                      "bodies depend on data, found more",
                      kMostIterations));
    }
    std::vector<Control> before;
    std::uint64_t alike = 0;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      std::vector<Control> one = run(body);
      if (alike > 0 && !areEqual(one, before)) {
        appendAlike(alike, std::move(before));
        alike = 0;
      }
      before = std::move(one);
      ++alike;
    }
    appendAlike(alike, std::move(before));
  }

  void appendAlike(std::uint64_t iterations, std::vector<Control> body) {
    if (iterations == 1) return append(std::move(body));
    appendLoop(iterations, std::move(body));
  }

  void appendLoop(std::uint64_t iterations, std::vector<Control> body) {
    if (!body.empty()) control_.emplace_back(Loop{iterations, std::move(body)});
  }

  void append(std::vector<Control> more) {
    for (Control& each : more) control_.push_back(std::move(each));
  }

  const ExecutionRecord& record_;
  std::vector<std::uint64_t> branches_;  ///< one entry per If and Switch: how often it was reached
  std::vector<std::uint64_t> trips_;     ///< one entry per RepeatWhile: how often it was reached
  std::uint64_t looked_at_ = 0;
  std::vector<Control> control_;
};

}  // namespace

FlowPositions positionsOf(const Flows& flows) {
  FlowPositions found;
  PositionCollector(found).collect(flows);
  return found;
}

bool dependsOnData(const Flows& flows) {
  return std::any_of(flows.begin(), flows.end(),
                     [](const Flow& flow) { return std::visit(DataDependence(), flow); });
}

std::vector<Control> replayed(const Flows& flows, const ExecutionRecord& record) {
  return Replay(record).run(flows);
}

}  // namespace ipusim::compiler
