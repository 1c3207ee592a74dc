// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/sweep_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/cli/terminal.h"

namespace ipusim::cli {

namespace {

constexpr std::uint64_t kBarLength = 20;
constexpr std::chrono::milliseconds kLong(700);
constexpr std::chrono::milliseconds kRefresh(250);
constexpr std::chrono::seconds kLineEvery(30);

std::string bar(const explore::SweepState& state) {
  const auto full = static_cast<std::size_t>(kBarLength * state.done / state.points);
  return '[' + std::string(full, '#') + std::string(kBarLength - full, '-') + ']';
}

/// `42 s`, `3 min 5 s`, `2 h 10 min`.
std::string describeTime(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string describeProgress(const explore::SweepState& state, double seconds) {
  std::string text = fmt::format("{} {} of {} points", bar(state), state.done, state.points);
  if (state.done == state.before || seconds <= 0) return text;
  const double rate = static_cast<double>(state.done - state.before) / seconds;
  return text + fmt::format(", {:.3g} points/s, {} left", rate,
                            describeTime(static_cast<double>(state.points - state.done) / rate));
}

SweepProgress::SweepProgress()
    : next_(begin_ + (line_.isTerminal() ? Clock::duration(kLong) : Clock::duration(kLineEvery))) {}

void SweepProgress::show(const explore::SweepState& state) {
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

}  // namespace ipusim::cli
