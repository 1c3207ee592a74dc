// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::compiler {

namespace {

class PositionCollector {
 public:
  explicit PositionCollector(FlowPositions& found) : found_(found) {}

  void operator()(const FlowSteps& steps) const {
    steps.forEach([this](StepId step) { found_.steps.push_back(step); });
    found_.begins.resize(found_.steps.size(),
                         static_cast<std::uint32_t>(found_.steps.size()) - steps.count);
  }
  void operator()(const FlowLoop& loop) const { range(loop.body, true, false); }
  void operator()(const FlowUndef& undef) const {
    for (const VariableId variable : undef.variables) {
      found_.undefs.push_back({position(), variable});
    }
  }
  void operator()(const Branch& branch) const {
    for (const Flows& body : branch.bodies) range(body, false, true);
  }
  void operator()(const WhileLoop& loop) const {
    const Begin begin = here();
    collect(loop.condition);
    range(loop.body, false, true);
    close(begin, true, false);
  }

  void collect(const Flows& flows) const {
    for (const Flow& flow : flows) std::visit(*this, flow);
  }

 private:
  /// Where a range begins.
  struct Begin {
    std::uint32_t position;
    std::uint32_t undef;
  };

  [[nodiscard]] std::uint32_t position() const {
    return static_cast<std::uint32_t>(found_.steps.size());
  }
  [[nodiscard]] std::uint32_t undefs() const {
    return static_cast<std::uint32_t>(found_.undefs.size());
  }
  [[nodiscard]] Begin here() const { return {position(), undefs()}; }

  void range(const Flows& body, bool repeats, bool is_optional) const {
    const Begin begin = here();
    collect(body);
    close(begin, repeats, is_optional);
  }
  void close(const Begin& begin, bool repeats, bool is_optional) const {
    while (undefs() > begin.undef && found_.undefs.back().position == position()) {
      found_.undefs.pop_back();
    }
    if (position() == begin.position) return;
    found_.ranges.push_back(
        {begin.position, position() - 1, repeats, is_optional, begin.undef, undefs()});
  }

  FlowPositions& found_;
};

struct DataDependence {
  bool operator()(const FlowSteps& /*steps*/) const { return false; }
  bool operator()(const FlowLoop& loop) const { return dependsOnData(loop.body); }
  bool operator()(const FlowUndef& /*undef*/) const { return false; }
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

  std::vector<Control> run(const Flows& flows) { return runParts({&flows}); }

  /// Throws where the record says more than the run asked for. Call at the end.
  void expectAllReached() const {
    expectReached("branches", record_.branches, branches_);
    expectReached("trips", record_.trips, trips_);
  }

  void operator()(const FlowSteps& steps) {
    steps.forEach([this](StepId step) { control_.emplace_back(step); });
  }
  void operator()(const FlowLoop& loop) { repeat(loop.iterations, {&loop.body}); }
  void operator()(const FlowUndef& /*undef*/) {}
  void operator()(const Branch& branch) {
    what_ = branch.what;
    const std::uint32_t body = next(record_.branches, branches_, indexOf(branch.id), branch.what);
    if (body >= branch.bodies.size()) {
      throw RecordError(fmt::format("execution record: wanted a body below {} for {}, found {}",
                                    branch.bodies.size(), branch.what, body));
    }
    append(run(branch.bodies[body]));
  }
  void operator()(const WhileLoop& loop) {
    what_ = loop.what;
    const std::uint64_t trips = next(record_.trips, trips_, indexOf(loop.id), loop.what);
    append(run(loop.condition));
    if (trips > 0) repeat(trips, {&loop.body, &loop.condition});
  }

 private:
  /// Bodies that run one after the other.
  using Parts = std::initializer_list<const Flows*>;

  std::vector<Control> runParts(Parts parts) {
    std::vector<Control> outer = std::exchange(control_, {});
    for (const Flows* part : parts) {
      for (const Flow& flow : *part) {
        countStep();
        std::visit(*this, flow);
      }
    }
    return std::exchange(control_, std::move(outer));
  }

  /// Counts a step inside a loop that is replayed iteration by iteration. Throws when there are
  /// more than the record allows.
  void countStep() {
    if (loops_ == 0 || ++steps_ <= record_.most_steps) return;
    throw RecordError(
        fmt::format("execution record: wanted at most {} steps to replay, found more at {} (the "
                    "limit replayed_steps allows more)",
                    record_.most_steps, what_));
  }

  /// What the record says of the next time that the run comes to point `id`.
  template <typename Value>
  static Value next(const std::vector<PerIteration<Value>>& all,
                    std::vector<std::uint64_t>& reached, std::size_t id, const std::string& what) {
    if (id >= all.size() || reached[id] >= all[id].iterations()) {
      throw RecordError(fmt::format(
          "execution record: wanted what {} (number {}) does the {}. time, found nothing", what, id,
          id < reached.size() ? reached[id] + 1 : 1));
    }
    return all[id].at(reached[id]++);
  }

  template <typename Value>
  static void expectReached(const char* what, const std::vector<PerIteration<Value>>& all,
                            const std::vector<std::uint64_t>& reached) {
    for (std::size_t id = 0; id < all.size(); ++id) {
      if (all[id].iterations() == reached[id]) continue;
      throw RecordError(
          fmt::format("record.{}[{}]: wanted {}, for the run comes to that step so often, found {}",
                      what, id, countText(reached[id]), countText(all[id].iterations())));
    }
  }
  static std::string countText(std::uint64_t entries) {
    return fmt::format("{} {}", entries, entries == 1 ? "entry" : "entries");
  }

  void repeat(std::uint64_t iterations, Parts body) {
    const bool is_fixed = std::none_of(body.begin(), body.end(),
                                       [](const Flows* part) { return dependsOnData(*part); });
    if (is_fixed) return appendLoop(iterations, runParts(body));
    ++loops_;
    std::vector<Control> before;
    std::uint64_t alike = 0;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      std::vector<Control> one = runParts(body);
      if (alike > 0 && !areEqual(one, before)) {
        appendAlike(alike, std::move(before));
        alike = 0;
      }
      before = std::move(one);
      ++alike;
    }
    --loops_;
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
  std::uint64_t loops_ = 0;              ///< open loops that are replayed iteration by iteration
  std::uint64_t steps_ = 0;              ///< steps so far inside such loops
  std::string_view what_ = "a loop";     ///< the last decision, for messages
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
  Replay replay(record);
  std::vector<Control> control = replay.run(flows);
  replay.expectAllReached();
  return control;
}

}  // namespace ipusim::compiler
