// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ipusim::fuzz {

namespace {

constexpr int kReadWrite = 0600;
constexpr int kNotStarted = 127;

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& folder) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const auto& [stream, name] : {std::pair(1, "/stdout"), std::pair(2, "/stderr")}) {
    dup2(open((folder + name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, kReadWrite), stream);
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  _exit(kNotStarted);
}

void expectTidy(const std::string& text) {
  constexpr std::ptrdiff_t kMostLines = 5;
  constexpr unsigned char kFirstPrintable = 0x20;
  if (std::count(text.begin(), text.end(), '\n') > kMostLines) {
    throw std::logic_error("many lines on stderr: " + text.substr(0, text.find('\n')));
  }
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\n' || static_cast<unsigned char>(c) >= kFirstPrintable;
  });
  if (!plain) throw std::logic_error("control characters on stderr");
}

}  // namespace

void expectTidyEnd(const std::vector<std::string>& words, const std::string& folder) {
  const pid_t process = fork();
  if (process == 0) become(words, folder);
  int status = 0;
  waitpid(process, &status, 0);
  std::ostringstream said;
  said << std::ifstream(folder + "/stderr", std::ios::binary).rdbuf();
  if (WIFSIGNALED(status)) {
    throw std::logic_error("ended by signal " + std::to_string(WTERMSIG(status)));
  }
  // 0: done; 2: the user has to mend something. A right program has no wrong numbers.
  if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2) {
    throw std::logic_error("exit code " + std::to_string(WEXITSTATUS(status)) + ": " + said.str());
  }
  expectTidy(said.str());
}

}  // namespace ipusim::fuzz
