// SPDX-License-Identifier: Apache-2.0
#include "base/files/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/files/file_identity.h"
#include "base/files/write_all.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kReadableByAll = 0644;
constexpr int kMostDrafts = 1000;
/// A pending file is .ipusim.PROCESS.NUMBER.
constexpr std::string_view kDraftPrefix = ".ipusim.";
/// Writes go out in parts of this size, however small the parts of the text are.
constexpr std::size_t kPart = 1 << 16;

/// Blocks all signals to this thread while the object lives.
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

ConfigError failure(const fs::path& path, const std::string& wanted, const std::string& found) {
  const std::string shown = path.empty() ? inQuotes("") : oneLine(path.string(), kPathLength);
  return ConfigError(fmt::format("{}: wanted {}, found: {}", shown, wanted, found));
}

ConfigError writeFailure(const fs::path& path, const std::error_code& error) {
  return failure(path, "to write the file", error.message());
}

std::error_code lastError() {
  return {errno, std::generic_category()};
}

const char* describe(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::symlink:
      return "a link";
    case fs::file_type::block:
      return "a block device";
    case fs::file_type::character:
      return "a character device";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "something else";
  }
}

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// A new file that will replace another one. It stands beside that file, or has no name yet: then
/// it is gone with the program. The destructor removes a pending file that has replaced nothing.
class PendingFile {
 public:
  static PendingFile named(const fs::path& file) {
    PendingFile pending(file);
    pending.takeName([&pending] {
      pending.descriptor_ =
          open(pending.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               kReadableByAll);
      return pending.descriptor_ >= 0;
    });
    // Tells removeLostDrafts() of other computers, where no such process may be.
    (void)flock(pending.descriptor_, LOCK_EX | LOCK_NB);
    return pending;
  }

  /// None where the file system has no files without a name.
  static std::optional<PendingFile> nameless(const fs::path& file) {
    PendingFile pending(file);
    pending.descriptor_ =
        open(folderOf(file).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, kReadableByAll);
    if (pending.descriptor_ < 0) return std::nullopt;
    return pending;
  }

  PendingFile(PendingFile&& other) noexcept
      : file_(std::move(other.file_)),
        path_(std::exchange(other.path_, {})),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }

  void write(std::string_view text) const {
    if (const std::error_code error = writeAll(descriptor_, text)) throw writeFailure(file_, error);
  }

  void takePlace() {
    if (path_.empty()) nameIt();
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0) throw writeFailure(file_, lastError());
    if (rename(path_.c_str(), file_.c_str()) != 0) throw writeFailure(file_, lastError());
    path_.clear();
  }

 private:
  explicit PendingFile(fs::path file) : file_(std::move(file)) {}

  /// A descriptor gets a name by its link in /proc (man 2 open, O_TMPFILE).
  void nameIt() {
    const std::string link = fmt::format("/proc/self/fd/{}", descriptor_);
    takeName([&] {
      return linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    });
  }

  /// Looks for a name that nobody has: `take` sets errno to EEXIST for one that somebody has.
  template <typename Take>
  void takeName(const Take& take) {
    for (int number = 0; number < kMostDrafts; ++number) {
      path_ = folderOf(file_) / fmt::format("{}{}.{}", kDraftPrefix, getpid(), number);
      if (take()) return;
      if (errno != EEXIST) break;
    }
    const std::error_code error = lastError();
    path_.clear();
    throw writeFailure(file_, error);
  }

  fs::path file_;
  fs::path path_;  ///< empty: it has no name
  int descriptor_ = -1;
};

/// The process that a pending file with this name is of; none for any other name.
std::optional<pid_t> processOfDraft(std::string_view name) {
  if (name.substr(0, kDraftPrefix.size()) != kDraftPrefix) return std::nullopt;
  name.remove_prefix(kDraftPrefix.size());
  pid_t process = 0;
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data(), end, process);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, number);
  if (second.ec != std::errc() || second.ptr != end || process <= 0) return std::nullopt;
  return process;
}

bool isGone(pid_t process) {
  return kill(process, 0) != 0 && errno == ESRCH;
}

/// Whether the pending file is a file that no process holds.
bool isLeft(const fs::path& pending) {
  const int descriptor = open(pending.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  const bool is_left = descriptor >= 0 && fstat(descriptor, &status) == 0 &&
                       S_ISREG(status.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (descriptor >= 0) close(descriptor);
  return is_left;
}

/// Writes in parts of kPart.
void fillPending(const PendingFile& pending, const Fill& fill) {
  std::string waiting;
  fill([&](std::string_view text) {
    waiting += text;
    if (waiting.size() < kPart) return;
    pending.write(waiting);
    waiting.clear();
  });
  pending.write(waiting);
}

/// As replaceFile(), for a `fill` that takes long.
void replaceSlowly(const fs::path& file, const Fill& fill) {
  expectReplaceable(file);
  std::optional<PendingFile> pending = PendingFile::nameless(file);
  if (!pending) return replaceFile(file, fill);
  fillPending(*pending, fill);
  const SignalsHeld held;
  pending->takePlace();
}

/// The descriptor of standard output or standard error, when the file is the one that it goes to.
std::optional<int> streamInto(const fs::path& file) {
  const std::optional<FileIdentity> identity = identityOf(file);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (identity && identityOf(stream) == identity) return stream;
  }
  return std::nullopt;
}

/// A pipe that nobody reads is an error: the program does not wait for a reader.
void writeIntoDevice(const fs::path& file, std::string_view text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO) {
    throw failure(file, "to write into it", "nobody who reads there");
  }
  if (descriptor < 0) throw writeFailure(file, lastError());
  const std::error_code error = writeAll(descriptor, text);
  close(descriptor);
  if (error) throw writeFailure(file, error);
}

void writeToStream(int stream, const fs::path& file, std::string_view text) {
  if (const std::error_code error = writeAll(stream, text)) throw writeFailure(file, error);
}

/// Writes to the file that the links lead to.
void replaceTarget(const fs::path& file, std::string_view text) {
  std::error_code unreachable;
  const fs::path target = fs::canonical(file, unreachable);
  if (unreachable) throw writeFailure(file, unreachable);
  replaceFile(target, [text](const Sink& sink) { sink(text); });
}

/// Makes the folders above a file that is not there yet.
void makePlaceFor(const fs::path& file) {
  if (!file.has_filename()) throw failure(file, "the name of a file", "none");
  std::error_code unreachable;
  if (fs::is_symlink(fs::symlink_status(file, unreachable))) {
    throw failure(file, "a file", "a link that leads nowhere");
  }
  makeFolder(folderOf(file));
}

/// What is at a path that writeFile takes.
fs::file_type writableType(const fs::path& file) {
  std::error_code unreachable;
  const fs::file_type type = fs::status(file, unreachable).type();
  switch (type) {
    case fs::file_type::not_found:
      makePlaceFor(file);
      return type;
    case fs::file_type::regular:
    case fs::file_type::character:
    case fs::file_type::fifo:
      return type;
    case fs::file_type::none:
      throw writeFailure(file, unreachable);
    default:
      throw failure(file, "a file, a character device or a pipe", describe(type));
  }
}

}  // namespace

void makeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw failure(folder, "a folder", error.message());
  expectWritable(folder, "name another one, or make it writable");
}

void expectWritable(const fs::path& folder, const char* remedy) {
  if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return;
  throw failure(folder, "a folder to write to",
                fmt::format("{}; {}", lastError().message(), remedy));
}

void expectReplaceable(const fs::path& file) {
  // A file that cannot be seen cannot be written either, and writing says why.
  std::error_code unreachable;
  const fs::file_type type = fs::symlink_status(file, unreachable).type();
  const bool replaceable = type == fs::file_type::regular || type == fs::file_type::not_found ||
                           type == fs::file_type::none;
  if (!replaceable) throw failure(file, "a regular file or nothing there", describe(type));
}

void replaceFile(const fs::path& file, const Fill& fill) {
  const SignalsHeld held;
  expectReplaceable(file);
  PendingFile pending = PendingFile::named(file);
  fillPending(pending, fill);
  pending.takePlace();
}

void removeLostDrafts(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    const std::optional<pid_t> process = processOfDraft(file->path().filename().string());
    if (process && isGone(*process) && isLeft(file->path())) unlink(file->path().c_str());
  }
}

void expectWritableFile(const fs::path& file) {
  if (!streamInto(file)) writableType(file);
}

void writeFile(const fs::path& file, std::string_view text) {
  if (const std::optional<int> stream = streamInto(file)) return writeToStream(*stream, file, text);
  switch (writableType(file)) {
    case fs::file_type::not_found:
      return replaceFile(file, [text](const Sink& sink) { sink(text); });
    case fs::file_type::regular:
      return replaceTarget(file, text);
    default:
      return writeIntoDevice(file, text);
  }
}

void writeFile(const fs::path& file, const Fill& fill) {
  const fs::file_type type = streamInto(file) ? fs::file_type::none : writableType(file);
  if (type == fs::file_type::not_found) return replaceSlowly(file, fill);
  if (type == fs::file_type::regular) return replaceSlowly(fs::canonical(file), fill);
  std::string text;
  fill([&text](std::string_view part) { text += part; });
  writeFile(file, text);
}

}  // namespace ipusim
