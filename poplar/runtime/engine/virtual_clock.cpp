// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/virtual_clock.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

// The functions of the C library that read the time are defined here too: a program that links this
// library, and what it uses, call these. They ask the kernel and add what the virtual clock of the
// thread is ahead.

namespace poplar::detail {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// How the clocks of a thread differ from those of the system, in nanoseconds.
struct ThreadClock {
  std::int64_t ahead;
  std::int64_t stands_since;  ///< by the system's clock
  bool stands;
};
thread_local ThreadClock thread_clock{0, 0, false};

bool isOn() {
  const char* const text = std::getenv("IPUSIM_VIRTUAL_CLOCK");
  return text != nullptr && std::string_view(text) == "1";
}

std::int64_t systemTime() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

/// Clocks of processor time are not the host's view of the device.
bool isOfTheWall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE ||
         clock == CLOCK_BOOTTIME;
}

}  // namespace

int readClock(clockid_t clock, timespec* time) {
  const auto failed = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  const ThreadClock& own = thread_clock;
  if (failed != 0 || !isOfTheWall(clock) || (own.ahead == 0 && !own.stands)) return failed;
  const std::int64_t stood = own.stands ? systemTime() - own.stands_since : 0;
  const std::int64_t now = time->tv_sec * kSecond + time->tv_nsec + own.ahead - stood;
  time->tv_sec = now / kSecond;
  time->tv_nsec = now % kSecond;
  return 0;
}

VirtualRun::VirtualRun(std::function<double()> nanoseconds) {
  if (!isOn()) return;
  nanoseconds_ = std::move(nanoseconds);
  modelled_begin_ = nanoseconds_();
  is_inner_ = thread_clock.stands;
  begin_ = systemTime();
  if (!is_inner_) thread_clock = {thread_clock.ahead, begin_, true};
}

VirtualRun::~VirtualRun() {
  if (!nanoseconds_) return;
  thread_clock.ahead += std::llround(nanoseconds_() - modelled_begin_);
  if (is_inner_) return;
  thread_clock.ahead -= systemTime() - begin_;
  thread_clock.stands = false;
}

}  // namespace poplar::detail

// The names of the parameters are reserved for the C library.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  return poplar::detail::readClock(clock, time);
}

int gettimeofday(timeval* time, void* /*zone*/) noexcept {
  timespec now{};
  const int failed = poplar::detail::readClock(CLOCK_REALTIME, &now);
  if (failed == 0) *time = {now.tv_sec, now.tv_nsec / 1000};
  return failed;
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
