// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/processes/worker.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::sweep {

namespace {

// The owner sends a point as its number. The worker sends a result as its length and its JSON.
using Word = std::uint64_t;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns false when nobody reads any more.
bool sendAll(int descriptor, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool sendWord(int descriptor, Word word) {
  std::array<char, sizeof word> bytes{};
  std::memcpy(bytes.data(), &word, sizeof word);
  return sendAll(descriptor, bytes.data(), bytes.size());
}

Word wordAt(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::optional<Word> receiveWord(int descriptor) {
  std::array<char, sizeof(Word)> bytes{};
  ssize_t count = 0;
  do {
    count = recv(descriptor, bytes.data(), bytes.size(), MSG_WAITALL);
  } while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(bytes.size())) return std::nullopt;
  return wordAt(bytes.data());
}

/// Keeps memory that is freed for the next point, which needs as much: to get every large block
/// from the system anew costs a page fault for each of its pages.
void keepFreedMemory() {
  constexpr int kLargestBlock = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  mallopt(M_TRIM_THRESHOLD, kLargestBlock);
}

/// The loop of the worker process. It ignores interrupts, which the keyboard, a terminal that
/// closes and queues of jobs send to all processes: its owner handles them and lets it finish its
/// point. No exception may leave this function, because the frames above belong to the owner.
[[noreturn]] void work(int descriptor, const Evaluate& evaluate) noexcept {
  for (const int interrupt : {SIGINT, SIGTERM, SIGHUP}) std::signal(interrupt, SIG_IGN);
  keepFreedMemory();
  while (const std::optional<Word> point = receiveWord(descriptor)) {
    const std::string result = toText(evaluate(*point));
    if (!sendWord(descriptor, result.size())) break;
    if (!sendAll(descriptor, result.data(), result.size())) break;
  }
  _exit(0);
}

ConfigError noProcess() {
  return ConfigError("--jobs: wanted to start a process, found: " +
                     std::error_code(errno, std::generic_category()).message());
}

}  // namespace

Worker::Worker(const Evaluate& evaluate, const std::vector<int>& not_its_own) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw noProcess();
  const pid_t owner = getpid();
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != owner) _exit(0);
    close(ends[0]);
    for (const int descriptor : not_its_own) close(descriptor);
    work(ends[1], evaluate);
  }
  close(ends[1]);
  descriptor_ = ends[0];
  if (process_ > 0) return;
  const int why = errno;  // saved, because close may change errno
  close(descriptor_);
  errno = why;
  throw noProcess();
}

Worker::~Worker() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    end();
  }
  close(descriptor_);
}

bool Worker::give(std::uint64_t point) {
  check(!point_, "a worker has one point at a time");
  received_.clear();
  begin_seconds_ = now();
  if (process_ < 0 || !sendWord(descriptor_, point)) return false;
  point_ = point;
  return true;
}

std::optional<PointResult> Worker::receive() {
  std::array<char, 65536> part{};
  while (true) {
    const ssize_t count = recv(descriptor_, part.data(), part.size(), MSG_DONTWAIT);
    if (count > 0) {
      received_.append(part.data(), static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return wholeResult();
    } else {
      std::optional<PointResult> result = wholeResult();
      return result ? std::move(result) : failed("the process that computed it " + end());
    }
  }
}

std::optional<PointResult> Worker::wholeResult() {
  if (received_.size() < sizeof(Word)) return std::nullopt;
  const Word length = wordAt(received_.data());
  if (received_.size() - sizeof(Word) < length) return std::nullopt;
  point_.reset();
  return resultFrom(received_.substr(sizeof(Word)));
}

PointResult Worker::abandon(const std::string& reason) {
  kill(process_, SIGKILL);
  end();
  return failed(reason);
}

PointResult Worker::failed(std::string reason) {
  point_.reset();
  PointResult result;
  result.status = Status::Failed;
  result.reason = std::move(reason);
  result.seconds = now() - begin_seconds_;
  return result;
}

std::string Worker::end() {
  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(process_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  process_ = -1;
  if (!WIFSIGNALED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return fmt::format("was ended by signal {} ({})", number, strsignal(number));
}

}  // namespace ipusim::sweep
