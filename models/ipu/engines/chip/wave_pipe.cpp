// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/wave_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/process/signals.h"
#include "ipusim/error.h"

namespace ipusim::models {

namespace {

/// What a pipe of Linux holds.
constexpr std::size_t kPipeBytes = 1 << 16;

}  // namespace

WavePipe::WavePipe(const Sink& sink) : sink_(sink) {
  if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
    throw ConfigError("waves: wanted a pipe, found: " +
                      std::error_code(errno, std::generic_category()).message());
  }
  // Only this descriptor does not wait: whoever opens it anew has flags of its own.
  fcntl(ends_[1], F_SETFL, O_NONBLOCK);
  reader_ = std::thread([this] { read(); });
}

/// The end to read from stays open: a trace file that was left behind may write once more when the
/// program ends, and a pipe without a reader would be a signal.
WavePipe::~WavePipe() {
  if (!reader_.joinable()) return;
  is_abandoned_ = true;
  // One byte wakes the reader. Where the pipe has no room for it, the reader is awake.
  (void)!write(ends_[1], "", 1);
  reader_.join();
  close(ends_[1]);
}

void WavePipe::finish() {
  close(ends_[1]);
  reader_.join();
  close(ends_[0]);
  if (failure_) std::rethrow_exception(failure_);
}

/// Goes on after a failure: the simulation would wait for room in the pipe.
void WavePipe::read() {
  leaveSignalsToOthers();
  std::array<char, kPipeBytes> part{};
  while (!is_abandoned_) {
    const ssize_t count = ::read(ends_[0], part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    if (failure_ || is_abandoned_) continue;
    try {
      sink_(std::string_view(part.data(), static_cast<std::size_t>(count)));
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
}

}  // namespace ipusim::models
