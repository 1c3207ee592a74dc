// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/compile/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace ipusim::codelets {

namespace {

constexpr std::size_t kReadBytes = 65536;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  [[nodiscard]] int reads() const { return ends_[0]; }
  [[nodiscard]] int writes() const { return ends_[1]; }
  void closeEnd(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Appends what there is to read. False at the end of the pipe.
bool readSome(int from, std::string& text) {
  std::array<char, kReadBytes> part;
  const ssize_t count = read(from, part.data(), part.size());
  if (count < 0) return errno == EINTR;
  text.append(part.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// Reads both pipes as the program fills them, since a full pipe would stop it.
void readBoth(const Pipe& output, const Pipe& errors, ProcessResult& ended) {
  std::array<pollfd, 2> waiting{{{output.reads(), POLLIN, 0}, {errors.reads(), POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&ended.output, &ended.errors};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t which = 0; which < waiting.size(); ++which) {
      if (waiting[which].fd < 0 || waiting[which].revents == 0) continue;
      if (!readSome(waiting[which].fd, *texts[which])) waiting[which].fd = -1;
    }
  }
}

}  // namespace

ProcessResult runProgram(std::vector<std::string> words) {
  ProcessResult ended;
  Pipe output;
  Pipe errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writes(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.writes(), STDERR_FILENO);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int fault =
      posix_spawnp(&process, words.front().c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  output.closeEnd(1);
  errors.closeEnd(1);
  if (fault != 0) {
    ended.errors = std::error_code(fault, std::generic_category()).message();
    return ended;
  }
  readBoth(output, errors, ended);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  ended.well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return ended;
}

}  // namespace ipusim::codelets
