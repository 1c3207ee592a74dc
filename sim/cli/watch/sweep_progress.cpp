// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/sweep_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

namespace {

constexpr std::uint64_t kBarLength = 20;
constexpr std::chrono::milliseconds kLongSilence(700);
constexpr std::chrono::seconds kLineEvery(30);

/// Empty when there are no points, because no share of nothing is done.
std::string bar(const sweep::SweepState& state) {
  if (state.points == 0) return {};
  const auto full = static_cast<std::size_t>(kBarLength * state.done / state.points);
  return '[' + std::string(full, '#') + std::string(kBarLength - full, '-') + "] ";
}

/// The rate with three figures, and never in the form 1e+03.
std::string describeRate(double rate) {
  constexpr double kWhole = 100;
  return rate < kWhole ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
}

}  // namespace

std::string describeTime(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string describeProgress(const sweep::SweepState& state, double seconds) {
  std::string text = fmt::format("{}{} of {} points", bar(state), state.done, state.points);
  if (state.done == state.before || seconds <= 0) return text;
  const double rate = static_cast<double>(state.done - state.before) / seconds;
  return text + fmt::format(", {} points/s, {} left", describeRate(rate),
                            describeTime(static_cast<double>(state.points - state.done) / rate));
}

SweepProgress::SweepProgress()
    : next_(begin_ +
            (line_.isTerminal() ? Clock::duration(kLongSilence) : Clock::duration(kLineEvery))) {}

void SweepProgress::show(const sweep::SweepState& state) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  const std::chrono::duration<double> seconds = now - begin_;
  const std::string text = "ipusim: " + describeProgress(state, seconds.count());
  if (line_.isTerminal()) {
    line_.draw(text);
    next_ = now + kRefresh;
  } else {
    say(text);
    next_ = now + kLineEvery;
  }
}

void SweepProgress::end(const sweep::SweepState& state) {
  const std::chrono::duration<double> seconds = Clock::now() - begin_;
  const std::uint64_t computed = state.done - state.before;
  if (computed == 0) return;
  line_.erase();
  say(fmt::format("ipusim: {} points in {:.3g} s, {} points/s", computed, seconds.count(),
                  describeRate(static_cast<double>(computed) / seconds.count())));
}

}  // namespace ipusim::cli
