// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/ipusim_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ipusim::cli {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr int kCouldNotStart = 127;
constexpr int kSignalled = 128;

/// In the child: becomes the program. Nothing between fork and exec may allocate.
[[noreturn]] void become(char* const* arguments, const char* out, const char* err) {
  const int out_file = open(out, O_WRONLY | O_CREAT | O_TRUNC, kOwnerOnly);
  const int err_file = open(err, O_WRONLY | O_CREAT | O_TRUNC, kOwnerOnly);
  dup2(out_file, STDOUT_FILENO);
  dup2(err_file, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(kCouldNotStart);
}

}  // namespace

std::string textOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

IpusimProcess::IpusimProcess(const fs::path& folder, const std::vector<std::string>& arguments,
                             const std::string& out)
    : out_(out.empty() ? folder / "stdout.txt" : fs::path(out)), err_(folder / "stderr.txt") {
  std::vector<std::string> texts = {IPUSIM_PROGRAM};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot fork");
  if (process_ == 0) become(pointers.data(), out_.c_str(), err_.c_str());
}

void IpusimProcess::interrupt() const { kill(process_, SIGINT); }

Finished IpusimProcess::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  Finished finished;
  finished.exit_code =
      WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
  if (fs::is_regular_file(out_)) finished.out = textOf(out_);
  finished.err = textOf(err_);
  return finished;
}

Finished ipusim(const fs::path& folder, const std::vector<std::string>& arguments) {
  return IpusimProcess(folder, arguments).wait();
}

Finished ipusimIntoClosedPipe(const fs::path& folder, const std::vector<std::string>& arguments) {
  // A FIFO whose only reader goes once the program has opened it.
  const fs::path fifo = folder / "fifo";
  if (mkfifo(fifo.c_str(), kOwnerOnly) != 0) throw std::runtime_error("cannot make a FIFO");
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  const int holder = open(fifo.c_str(), O_WRONLY | O_NONBLOCK);  // the child's open cannot block
  IpusimProcess process(folder, arguments, fifo.string());
  close(reader);
  close(holder);
  return process.wait();
}

}  // namespace ipusim::cli
