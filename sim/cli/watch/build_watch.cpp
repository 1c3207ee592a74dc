// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/build_watch.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string_view>

#include "base/files/write_all.h"
#include "base/process/process_memory.h"
#include "sim/cli/watch/progress.h"

namespace ipusim::cli {

namespace {

constexpr long kEveryNanoseconds = 50'000'000;

std::atomic<BuildWatch*> watching = nullptr;

extern "C" void lookAtBuild(int /*signal*/) {
  const int before = errno;
  if (BuildWatch* watch = watching.load()) watch->look();
  errno = before;
}

/// A line that is put together without an allocation. What does not fit is left out.
class SignalLine {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (length_ < text_.size()) text_[length_++] = c;
    }
  }
  void add(std::uint64_t number) {
    std::array<char, 20> digits{};
    auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }
  [[nodiscard]] std::string_view text() const { return {text_.data(), length_}; }

 private:
  std::array<char, 400> text_{};
  std::size_t length_ = 0;
};

timespec monotonicNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

double secondsBetween(const timespec& a, const timespec& b) {
  return static_cast<double>(b.tv_sec - a.tv_sec) +
         static_cast<double>(b.tv_nsec - a.tv_nsec) / 1e9;
}

std::optional<timer_t> startTimer() {
  struct sigaction look {};
  look.sa_handler = lookAtBuild;
  look.sa_flags = SA_RESTART;
  sigaction(SIGRTMIN, &look, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return std::nullopt;
  const itimerspec often{{0, kEveryNanoseconds}, {0, kEveryNanoseconds}};
  timer_settime(timer, 0, &often, nullptr);
  return timer;
}

}  // namespace

BuildWatch::BuildWatch(const char* what, const Thresholds& thresholds)
    : what_(what),
      thresholds_(thresholds),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      begin_(monotonicNow()),
      timer_(startTimer()) {
  watching = this;
}

BuildWatch::~BuildWatch() {
  watching = nullptr;  // a signal that is under way finds nothing
  if (timer_) timer_delete(*timer_);
}

void BuildWatch::look() {
  if (has_told_) return;
  const double taken = secondsBetween(begin_, monotonicNow());
  const Bytes memory = residentMemory(getpid());
  if (taken < thresholds_.seconds && memory < thresholds_.memory) return;
  has_told_ = true;
  constexpr std::uint64_t kMegabyte = 1'000'000;
  SignalLine line;
  if (is_terminal_) line.add(kEraseLine);
  line.add("ipusim: ");
  line.add(what_);
  line.add(" has taken ");
  line.add(static_cast<std::uint64_t>(taken));
  line.add(" s and ");
  line.add(memory.value() / kMegabyte);
  line.add(
      " MB of this computer, and how much the run will take is not known yet (--max-time and "
      "--max-memory limit it)\n");
  (void)writeAll(STDERR_FILENO, line.text());
}

}  // namespace ipusim::cli
