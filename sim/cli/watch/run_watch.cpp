// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/run_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"
#include "sim/report/text/excess.h"
#include "sim/report/text/quantity.h"

namespace ipusim::cli {

namespace {

std::string countedText(double count) {
  constexpr double kMost = 1e18;
  return report::countText(static_cast<std::uint64_t>(std::min(count, kMost)));
}

/// The parts of which there are any.
std::string partsText(const workloads::LeastSize& least) {
  const std::pair<double, const char*> parts[] = {
      {least.single_elements, "elements to move one by one"},
      {least.view_pieces, "pieces of views"},
      {least.intervals, "intervals of variables"},
      {least.families, "families of vertices"},
      {least.moves, "pieces to copy"},
      {least.operand_pieces, "pieces of operands"},
      {least.passed, "intervals to pass"}};
  std::string text;
  for (const auto& [count, name] : parts) {
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", countedText(count), name);
  }
  return text;
}

bool isExpensive(const run::HostCost& cost) {
  return cost.seconds > kLongSeconds || cost.memory > kMuchMemory;
}

std::string announcement(const run::RunWork& heard, const run::HostCost& cost) {
  const run::HostWork& work = heard.all;
  if (!heard.is_built) {
    return fmt::format(
        "ipusim: building this graph will take at least about {} and {} of this computer: {} "
        "(--max-time and --max-memory limit it)",
        report::secondsText(cost.seconds), report::bytesText(cost.memory), partsText(work.least));
  }
  return fmt::format(
      "ipusim: this run will take about {} and {} of this computer, within a factor of {}: {} "
      "vertices in {} families, {} pieces to copy, {} tiles (--max-time and --max-memory limit it)",
      report::secondsText(cost.seconds), report::bytesText(cost.memory), run::kHostCostAccuracy,
      report::countText(work.vertices), report::countText(work.families),
      report::countText(work.moves), report::countText(work.tiles));
}

/// Shows the highest step that has begun.
class StepProgress : public Observer {
 public:
  StepProgress(Progress& progress, const compiler::Executable& executable)
      : progress_(progress),
        steps_(executable.lowered.steps.size()),
        tiles_(executable.system.tiles()) {}

  void busy(TileId /*tile*/, OpKind /*kind*/, const Interval& when) override { show(when.step); }
  void transmission(std::uint32_t /*transmission*/, const Interval& /*when*/) override {}
  void sync(const Interval& when) override { show(when.step); }
  void hostTransfer(std::uint32_t /*transfer*/, const Interval& when) override { show(when.step); }

 private:
  void show(StepId step) {
    const std::size_t number = indexOf(step) + 1;
    if (number <= reached_) return;
    reached_ = number;
    progress_.now(fmt::format("simulating {} tiles, step {} of {}", report::countText(tiles_),
                              reached_, steps_));
  }

  Progress& progress_;
  std::size_t steps_;
  std::uint64_t tiles_;
  std::size_t reached_ = 0;
};

}  // namespace

void RunWatch::now(const char* what) {
  progress_.now(what);
  watch_.now(what);
}

void RunWatch::expect(const run::RunWork& work) {
  expected_ = work;
  announce(run::hostCost(work, engine_));
  if (work.is_built || announced_) building_.reset();
  if (!work.is_built) return;
  now("compiling");
}

void RunWatch::execute() {
  announce(run::hostCost(expected_, engine_) + run::executionCost(expected_, threads_));
  now("executing with numbers");
}

void RunWatch::announce(const run::HostCost& cost) {
  if (const auto excess = report::describeExcess(cost, limits_)) {
    throw ConfigError(
        fmt::format("{}: wanted a run within the limit, found one that would take {}; {}",
                    run::isSurelyTooLong(cost, limits_) ? "--max-time" : "--max-memory", *excess,
                    adviceOn(engine_)));
  }
  if (isExpensive(cost) && !announced_) progress_.say(announcement(expected_, cost));
  announced_ = announced_ || isExpensive(cost);
}

Observer* RunWatch::observerOf(const run::Experiment& experiment) {
  if (!progress_.isShown()) return nullptr;
  observer_ = std::make_unique<StepProgress>(progress_, experiment.executable);
  return observer_.get();
}

}  // namespace ipusim::cli
