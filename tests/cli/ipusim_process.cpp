// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/ipusim_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ipusim::cli {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr int kCouldNotStart = 127;
constexpr int kSignalled = 128;
constexpr const char* kOut = "stdout.txt";
constexpr const char* kErr = "stderr.txt";

/// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number < 0) throw std::runtime_error("cannot open a file of the test");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

int openForWriting(const fs::path& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOwnerOnly);
}

/// Becomes the program, in the child process. Nothing between fork and exec may allocate.
[[noreturn]] void become(char* const* arguments, int out, int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execvp(arguments[0], arguments);
  _exit(kCouldNotStart);
}

}  // namespace

std::string textOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

IpusimProcess::IpusimProcess(const fs::path& folder, const std::vector<std::string>& arguments)
    : IpusimProcess(folder, {}, arguments) {}

IpusimProcess::IpusimProcess(fs::path folder, const std::vector<std::string>& arguments, int out)
    : folder_(std::move(folder)) {
  std::vector<std::string> words = {IPUSIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  start(std::move(words), out);
}

IpusimProcess::IpusimProcess(fs::path folder, const std::vector<std::string>& launcher,
                             const std::vector<std::string>& arguments)
    : folder_(std::move(folder)) {
  std::vector<std::string> words = launcher;
  words.emplace_back(IPUSIM_PROGRAM);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Descriptor out(openForWriting(folder_ / kOut));
  start(std::move(words), out.number());
}

void IpusimProcess::start(std::vector<std::string> words, int out) {
  const Descriptor err(openForWriting(folder_ / kErr));
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot fork");
  if (process_ == 0) become(pointers.data(), out, err.number());
}

std::vector<pid_t> IpusimProcess::children() const {
  const std::string process = std::to_string(process_);
  std::ifstream list("/proc/" + process + "/task/" + process + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

void IpusimProcess::interrupt() const {
  signal(SIGINT);
}

void IpusimProcess::signal(int number) const {
  ::kill(process_, number);
}

void IpusimProcess::kill() const {
  ::kill(process_, SIGKILL);
}

Finished IpusimProcess::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  const int code = WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, textOf(folder_ / kOut), textOf(folder_ / kErr)};
}

Finished ipusim(const fs::path& folder, const std::vector<std::string>& arguments) {
  return IpusimProcess(folder, arguments).wait();
}

Finished ipusimIntoClosedPipe(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  close(ends[0]);
  const Descriptor nobody_reads(ends[1]);
  return IpusimProcess(folder, arguments, nobody_reads.number()).wait();
}

Finished ipusimIntoFullDisk(const fs::path& folder, const std::vector<std::string>& arguments) {
  const Descriptor full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  return IpusimProcess(folder, arguments, full.number()).wait();
}

}  // namespace ipusim::cli
