// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/study.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "ipusim/error.h"
#include "ipusim/execute.h"
#include "ipusim/predict.h"
#include "sim/parallel/redistribution/chip_graph.h"
#include "sim/parallel/redistribution/fastest_plan.h"
#include "sim/parallel/redistribution/group_plan.h"
#include "sim/parallel/redistribution/pod_price.h"
#include "sim/parallel/redistribution/rewriting.h"

namespace ipusim::parallel {

namespace {

constexpr const char* kGatherAndSlice = "gather and slice";
constexpr const char* kDirect = "direct exchange";

/// A way before it is priced.
struct Way {
  std::string name;
  std::string plan;
  std::vector<DeviceStep> steps;
};

/// Adds what the steps move and hold.
void count(const std::vector<DeviceStep>& steps, const Cells& source, WayReport& report) {
  const auto held = [](const Cells& cells) { return cells.front().elements(); };
  const Cells* before = &source;
  report.peak = held(source);
  for (const DeviceStep& step : steps) {
    std::vector<std::uint64_t> received(step.after.size(), 0);
    for (const Transfer& transfer : transfersOf(step, *before)) {
      received[transfer.to] += transfer.elements.elements();
    }
    const std::uint64_t most = *std::max_element(received.begin(), received.end());
    report.received += most;
    report.exchanges += most > 0 ? 1 : 0;
    report.peak = std::max(report.peak, held(step.after));
    report.peak_buffers = std::max(report.peak_buffers, held(*before) + held(step.after));
    before = &step.after;
  }
}

/// Prices ways on a chip or among IPUs.
class Pricing {
 public:
  Pricing(const Redistribution& asked, ElementType type, WithNumbers with_numbers)
      : asked_(asked),
        source_(cellsOf(asked.source, asked.mesh)),
        type_(type),
        with_numbers_(with_numbers) {
    for (const ArrayDimension& dimension : asked.source) global_.push_back(dimension.global);
  }

  WayReport operator()(const Way& way, const Place& place) const {
    WayReport report;
    report.name = way.name;
    report.plan = way.plan;
    count(way.steps, source_, report);
    if (const auto* system = std::get_if<System>(&place)) {
      const PodPrice price(*system, asked_.mesh.devices(), sizeOf(type_));
      report.seconds = price.seconds(way.steps, source_);
    } else if (!way.steps.empty()) {
      onChip(way, std::get<Machine>(place), report);
    }
    return report;
  }

 private:
  /// The values of the array are made only where the program fits.
  void onChip(const Way& way, const Machine& machine, WayReport& report) const {
    const auto program = [&](WithValues with_values) {
      return graphOf(way.steps, source_, global_, type_, with_values);
    };
    const Result result = predict(program(WithValues::No).graph, machine);
    report.seconds = result.time.seconds;
    report.fits = result.fits();
    if (with_numbers_ == WithNumbers::No || !report.fits) return;
    const ChipRedistribution chip = program(WithValues::Yes);
    report.is_right = execute(chip.graph, machine, chip.host) == chip.wanted;
  }

  const Redistribution& asked_;
  Cells source_;
  Shape global_;
  ElementType type_;
  WithNumbers with_numbers_;
};

Way wayOf(const std::string& name, const Plan& plan, const Redistribution& asked) {
  return {name, toText(plan, asked.source, asked.mesh),
          deviceSteps(plan, asked.source, asked.mesh)};
}

/// Finds the ways for one redistribution.
class Ways {
 public:
  explicit Ways(const Redistribution& asked) : asked_(asked) {}

  void search(const Place& place, ElementType type) {
    const auto& [mesh, source, target] = asked_;
    addFound("fewest steps", findPlan(source, target, mesh, PlanGoal::FewestSteps));
    addFound("least received", findPlan(source, target, mesh, PlanGoal::LeastReceived));
    const auto* system = std::get_if<System>(&place);
    if (system == nullptr) return;
    const PodPrice price(*system, mesh.devices(), sizeOf(type));
    auto fastest = fastestPlan(source, target, mesh, price);
    if (!fastest) return notFound("least time");
    const std::string text = toText(fastest->plan, source, mesh);
    ways_.push_back({"least time", text, std::move(fastest->steps)});
  }

  void addOthers() {
    const auto& [mesh, source, target] = asked_;
    ways_.push_back(wayOf("rewriting", rewrittenPlan(source, target, mesh), asked_));
    GroupPlan group = groupPlan(source, target, mesh);
    ways_.push_back({"groups of devices", group.text, std::move(group.steps)});
    ways_.push_back(wayOf(kGatherAndSlice, gatherAndSlice(source, target, mesh), asked_));
    if (source == target) return;
    const DeviceStep direct = directStep(cellsOf(source, mesh), cellsOf(target, mesh));
    ways_.push_back({kDirect, "exchange", {direct}});
  }

  [[nodiscard]] const std::vector<Way>& all() const { return ways_; }
  /// The names of ways that were not found, since the search for them would take too long.
  [[nodiscard]] const std::vector<std::string>& notFound() const { return not_found_; }

 private:
  void addFound(const char* name, const std::optional<Plan>& plan) {
    if (!plan) return notFound(name);
    ways_.push_back(wayOf(name, *plan, asked_));
  }
  void notFound(const char* name) { not_found_.emplace_back(name); }

  const Redistribution& asked_;
  std::vector<Way> ways_;
  std::vector<std::string> not_found_;
};

/// A number in [0, below), the same on every computer.
std::uint64_t below(std::mt19937_64& random, std::uint64_t below) {
  return random() % below;
}

/// Gives each axis to a random dimension or to none.
ArrayType randomType(const Mesh& mesh, const std::vector<std::uint64_t>& shape,
                     std::mt19937_64& random) {
  ArrayType type;
  for (const std::uint64_t size : shape) type.push_back({size});
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < mesh.axes.size(); ++axis) {
    axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(below(random, axes.size() + 1)), axis);
  }
  for (const std::uint32_t axis : axes) {
    const std::uint64_t dimension = below(random, shape.size() + 1);
    if (dimension < shape.size()) type[dimension].axes.push_back(axis);
  }
  return type;
}

double geometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace

RedistributionReport study(const Redistribution& redistribution, ElementType type,
                           const Place& place, WithNumbers with_numbers) {
  RedistributionReport report{factored(redistribution), type, {}, {}};
  check(report.redistribution.mesh.devices() <= devicesOf(place),
        "more devices than the place has");
  Ways ways(report.redistribution);
  ways.search(place, type);
  ways.addOthers();
  const Pricing price(report.redistribution, type, with_numbers);
  for (const Way& way : ways.all()) report.ways.push_back(price(way, place));
  report.not_found = ways.notFound();
  return report;
}

Redistribution randomRedistribution(std::uint32_t devices, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Redistribution asked;
  const Mesh one{{{"a", devices}}};
  asked.mesh = factored({one, {}, {}}).mesh;
  constexpr std::uint64_t kMostDimensions = 3;
  const std::uint64_t dimensions = 1 + below(random, kMostDimensions);
  std::vector<std::uint64_t> shape;
  for (std::uint64_t d = 0; d < dimensions; ++d) shape.push_back(devices << below(random, 4));
  asked.source = randomType(asked.mesh, shape, random);
  asked.target = randomType(asked.mesh, shape, random);
  return asked;
}

namespace {

/// The way through the whole array, and the fastest of the staged ways. Null: none fits.
struct Compared {
  const WayReport* gathers = nullptr;
  const WayReport* best = nullptr;
};

Compared comparedIn(const RedistributionReport& report) {
  Compared compared;
  for (const WayReport& way : report.ways) {
    if (!way.fits || way.name == kDirect) continue;
    if (way.name == kGatherAndSlice) {
      compared.gathers = &way;
    } else if (compared.best == nullptr || way.seconds < compared.best->seconds) {
      compared.best = &way;
    }
  }
  return compared;
}

}  // namespace

SpeedUps speedUps(const std::vector<RedistributionReport>& reports) {
  std::vector<double> speeds;
  std::vector<double> memories;
  for (const RedistributionReport& report : reports) {
    const auto [gathers, best] = comparedIn(report);
    if (gathers == nullptr || best == nullptr || best->seconds <= 0) continue;
    speeds.push_back(gathers->seconds / best->seconds);
    memories.push_back(static_cast<double>(best->peak_buffers) /
                       static_cast<double>(gathers->peak_buffers));
  }
  return {reports.size(), speeds.size(), geometricMean(speeds),
          speeds.empty() ? 0 : *std::max_element(speeds.begin(), speeds.end()),
          geometricMean(memories)};
}

}  // namespace ipusim::parallel
