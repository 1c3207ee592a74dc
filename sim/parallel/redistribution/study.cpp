// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
    if (const auto* pod = std::get_if<Pod>(&place)) {
      const PodPrice price(*pod, asked_.mesh.devices(), sizeOf(type_));
      report.seconds = price.seconds(way.steps, source_);
    } else if (!way.steps.empty()) {
      onChip(way, std::get<Machine>(place), report);
    }
    return report;
  }

 private:
  void onChip(const Way& way, const Machine& machine, WayReport& report) const {
    const bool executes = with_numbers_ == WithNumbers::Yes;
    const ChipRedistribution chip =
        graphOf(way.steps, source_, global_, type_, executes ? WithValues::Yes : WithValues::No);
    const Result result = predict(chip.graph, machine);
    report.seconds = result.time.seconds;
    report.fits = result.fits();
    if (executes && report.fits) {
      report.is_right = execute(chip.graph, machine, chip.host) == chip.wanted;
    }
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

std::vector<Way> waysOf(const Redistribution& asked, ElementType type, const Place& place) {
  const auto& [mesh, source, target] = asked;
  std::vector<Way> ways;
  ways.push_back(
      wayOf("fewest steps", findPlan(source, target, mesh, PlanGoal::FewestSteps), asked));
  ways.push_back(
      wayOf("least received", findPlan(source, target, mesh, PlanGoal::LeastReceived), asked));
  if (const auto* pod = std::get_if<Pod>(&place)) {
    const PodPrice price(*pod, mesh.devices(), sizeOf(type));
    ways.push_back(wayOf("least time", fastestPlan(source, target, mesh, price), asked));
  }
  ways.push_back(wayOf("rewriting", rewrittenPlan(source, target, mesh), asked));
  GroupPlan group = groupPlan(source, target, mesh);
  ways.push_back({"groups of devices", group.text, std::move(group.steps)});
  ways.push_back(wayOf(kGatherAndSlice, gatherAndSlice(source, target, mesh), asked));
  if (!(source == target)) {
    ways.push_back(
        {kDirect, "exchange", {directStep(cellsOf(source, mesh), cellsOf(target, mesh))}});
  }
  return ways;
}

void expectDevices(const Mesh& mesh, const Place& place) {
  const auto* machine = std::get_if<Machine>(&place);
  if (machine == nullptr || mesh.devices() <= machine->tiles) return;
  throw ConfigError(fmt::format("mesh: wanted at most the {} tiles of {}, found {} devices",
                                machine->tiles, machine->name, mesh.devices()));
}

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
  expectDevices(redistribution.mesh, place);
  RedistributionReport report{factored(redistribution), type, {}};
  const Pricing price(report.redistribution, type, with_numbers);
  for (const Way& way : waysOf(report.redistribution, type, place)) {
    report.ways.push_back(price(way, place));
  }
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

SpeedUps speedUps(const std::vector<RedistributionReport>& reports) {
  std::vector<double> speeds;
  std::vector<double> memories;
  for (const RedistributionReport& report : reports) {
    const WayReport* gathers = nullptr;
    const WayReport* best = nullptr;
    for (const WayReport& way : report.ways) {
      if (way.name == kGatherAndSlice) gathers = &way;
      const bool is_staged = way.name != kGatherAndSlice && way.name != kDirect;
      if (is_staged && (best == nullptr || way.seconds < best->seconds)) best = &way;
    }
    if (gathers == nullptr || best == nullptr || best->seconds <= 0) continue;
    speeds.push_back(gathers->seconds / best->seconds);
    memories.push_back(static_cast<double>(best->peak_buffers) /
                       static_cast<double>(gathers->peak_buffers));
  }
  return {speeds.size(), geometricMean(speeds),
          speeds.empty() ? 0 : *std::max_element(speeds.begin(), speeds.end()),
          geometricMean(memories)};
}

}  // namespace ipusim::parallel
