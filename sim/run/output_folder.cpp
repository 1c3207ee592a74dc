// SPDX-License-Identifier: Apache-2.0
#include "sim/run/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/message.h"

namespace ipusim::run {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPathLength = 4096;
constexpr mode_t kReadableByAll = 0644;

/// Holds all signals to this thread back while it lives.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

ConfigError failure(const fs::path& path, const char* wanted, const std::error_code& error) {
  const std::string shown = path.empty() ? inQuotes("") : oneLine(path.string(), kPathLength);
  return ConfigError(fmt::format("{}: wanted {}, found: {}", shown, wanted, error.message()));
}

ConfigError writeFailure(const fs::path& path) {
  return failure(path, "to write the file", std::error_code(errno, std::generic_category()));
}

class OpenFile {
 public:
  explicit OpenFile(fs::path path)
      : path_(std::move(path)),
        descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadableByAll)) {
    if (descriptor_ < 0) throw writeFailure(path_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(descriptor_); }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0) throw writeFailure(path_);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

 private:
  fs::path path_;
  int descriptor_;
};

/// Writes in parts of this size, however small those of the text are.
constexpr std::size_t kPart = 1 << 16;

void fillFile(const fs::path& path, const std::function<void(const Sink&)>& fill) {
  const OpenFile file(path);
  std::string waiting;
  fill([&](std::string_view text) {
    waiting += text;
    if (waiting.size() < kPart) return;
    file.write(waiting);
    waiting.clear();
  });
  file.write(waiting);
}

/// Removes a file unless told that it is in its place.
class Unfinished {
 public:
  explicit Unfinished(const fs::path& path) : path_(path) {}
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    std::error_code gone;
    if (!finished_) fs::remove(path_, gone);
  }
  void finish() { finished_ = true; }

 private:
  const fs::path& path_;
  bool finished_ = false;
};

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw failure(path_, "a folder", error);
}

void OutputFolder::write(const std::string& name, std::string_view text) const {
  write(name, [text](const Sink& sink) { sink(text); });
}

void OutputFolder::write(const std::string& name,
                         const std::function<void(const Sink&)>& fill) const {
  const SignalsHeld held;
  const fs::path file = path_ / name;
  const fs::path draft = path_ / fmt::format(".{}.{}", name, getpid());
  Unfinished unfinished(draft);
  fillFile(draft, fill);
  std::error_code error;
  fs::rename(draft, file, error);
  if (error) throw failure(file, "to write the file", error);
  unfinished.finish();
}

void writeFile(const std::filesystem::path& file, std::string_view text) {
  const OutputFolder folder(file.has_parent_path() ? file.parent_path() : ".");
  folder.write(file.filename().string(), text);
}

}  // namespace ipusim::run
