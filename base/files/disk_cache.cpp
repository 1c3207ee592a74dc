// SPDX-License-Identifier: Apache-2.0
#include "base/files/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error_boundary.h"
#include "base/files/write_file.h"
#include "base/text/message.h"
#include "base/text/word_hash.h"
#include "ipusim/error.h"

namespace ipusim {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockFile = "lock";
/// An entry is the file 12/3456789abcdef0 where its key has the hash 123456789abcdef0.
constexpr std::size_t kFolderDigits = 2;
constexpr std::size_t kFileDigits = 14;
/// The first word of an entry. It changes with the layout of entries.
constexpr std::uint64_t kFormat = 0x31307470656b7069;  // "ipkept01"
/// Words before the key: format, checksum of all that follows it, bytes of the key.
constexpr std::size_t kHeaderWords = 3;
constexpr std::size_t kHeaderBytes = kHeaderWords * sizeof(std::uint64_t);
/// A trim leaves room for new entries, so that not every new entry needs a trim.
constexpr std::uint64_t kTrimParts = 8;
/// A process trims after it has written this share of the limit.
constexpr std::uint64_t kWrittenParts = 16;
constexpr std::uint64_t kLargestParts = 4;
/// Nothing that a stage keeps is as large. A file with holes may say that it is, and takes nothing.
constexpr std::uint64_t kLargestEntry = std::uint64_t{1} << 30U;
/// How long a trim waits for that of another process, which takes a moment unless it was stopped.
constexpr int kLockTries = 20;
constexpr std::chrono::milliseconds kLockPause(10);
/// A draft that is older belongs to a process that was killed.
constexpr std::chrono::hours kLongestWrite(1);

/// A file descriptor that is closed at the end; below 0 when there is none.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// True for a folder, and not for a link to one.
bool isFolder(const fs::path& path) {
  std::error_code absent;
  return fs::symlink_status(path, absent).type() == fs::file_type::directory;
}

/// Opens a file of the cache. A link leads to files of others, and a pipe would let the run wait.
int openKept(const fs::path& path) {
  if (!isFolder(path.parent_path())) return -1;
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

/// All bytes of a file of at most `most`. None when it cannot be read.
std::optional<std::string> readAll(int descriptor, std::uint64_t most) {
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  if (static_cast<std::uint64_t>(status.st_size) > most) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = read(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

void appendWord(std::string& bytes, std::uint64_t word) {
  std::array<char, sizeof word> of{};
  std::memcpy(of.data(), &word, sizeof word);
  bytes.append(of.data(), of.size());
}

std::uint64_t wordOf(std::string_view bytes, std::size_t index) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + index * sizeof word, sizeof word);
  return word;
}

/// The part of an entry that its checksum covers.
std::string_view checkedPart(std::string_view entry) {
  return entry.substr(2 * sizeof(std::uint64_t));
}

std::string entryOf(std::string_view key, std::string_view value) {
  std::string entry;
  entry.reserve(kHeaderBytes + key.size() + value.size());
  appendWord(entry, kFormat);
  appendWord(entry, 0);
  appendWord(entry, key.size());
  entry.append(key).append(value);
  const std::uint64_t sum = wordHash(checkedPart(entry));
  std::memcpy(entry.data() + sizeof sum, &sum, sizeof sum);
  return entry;
}

bool isWhole(std::string_view entry) {
  return entry.size() >= kHeaderBytes && wordOf(entry, 0) == kFormat &&
         wordOf(entry, 1) == wordHash(checkedPart(entry)) &&
         wordOf(entry, 2) <= entry.size() - kHeaderBytes;
}

struct CachedFile {
  fs::file_time_type used;
  std::uint64_t bytes;
  fs::path path;
};

/// True for the file of an entry that replaceFile() has not yet put in its place.
bool isDraft(const fs::path& file) {
  return file.filename().string().rfind(".ipusim.", 0) == 0;
}

bool isHexadecimal(const std::string& name, std::size_t digits) {
  return name.size() == digits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// True for what a cache itself has written. The user's own files may lie in the folder too.
bool isOfCache(const fs::directory_entry& file) {
  std::error_code gone;
  const std::string name = file.path().filename().string();
  return file.symlink_status(gone).type() == fs::file_type::regular &&
         (isHexadecimal(name, kFileDigits) || isDraft(file.path()));
}

/// Adds the entries of one folder, except drafts that processes may be writing. Files that other
/// processes remove meanwhile are left out.
void addFilesOf(const fs::path& folder, std::vector<CachedFile>& files) {
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (!isOfCache(*file)) continue;
    std::error_code gone;
    const fs::file_time_type used = file->last_write_time(gone);
    if (isDraft(file->path()) && used > fs::file_time_type::clock::now() - kLongestWrite) continue;
    const std::uint64_t bytes = gone ? 0 : file->file_size(gone);
    if (!gone) files.push_back({used, bytes, file->path()});
  }
}

std::vector<CachedFile> filesOf(const fs::path& folder) {
  std::vector<CachedFile> files;
  std::error_code error;
  for (fs::directory_iterator part(folder, error), end; !error && part != end;
       part.increment(error)) {
    const bool is_of_cache = isHexadecimal(part->path().filename().string(), kFolderDigits);
    if (is_of_cache && isFolder(part->path())) addFilesOf(part->path(), files);
  }
  return files;
}

/// Takes the lock of a folder. False where somebody holds it all the time: whoever may read the
/// folder can, and a trim may be left out.
bool takeLock(int descriptor, int most_tries) {
  for (int tries = 0; tries < most_tries; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(kLockPause);
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
  }
  return false;
}

DiskCache*& cacheOfProcess() {
  static DiskCache* cache = nullptr;
  return cache;
}

}  // namespace

DiskCache::DiskCache(Options options) : options_(std::move(options)) {
  if (const auto fault = faultOf<ConfigError>([&] { makeFolder(options_.folder); })) {
    is_writable_ = false;
    warnOnce(*fault);
  }
}

DiskCache::~DiskCache() {
  if (written_ > 0) trim();
}

fs::path DiskCache::fileOf(const std::string& whole_key) const {
  const std::string name = fmt::format("{:016x}", wordHash(whole_key));
  return options_.folder / name.substr(0, kFolderDigits) / name.substr(kFolderDigits);
}

std::uint64_t DiskCache::largestEntry() const {
  return std::min(options_.most_bytes / kLargestParts, kLargestEntry);
}

std::optional<std::string> DiskCache::find(const std::string& stage, std::string_view key) {
  const std::string whole_key = fmt::format("{}\n{}\n{}", options_.program, stage, key);
  const fs::path path = fileOf(whole_key);
  const Descriptor file(openKept(path));
  const std::optional<std::string> entry = readAll(file.number(), largestEntry());
  if (!entry) return std::nullopt;
  if (!isWhole(*entry)) {
    warnOnce(fmt::format("{}: wanted whole entries, found a damaged one, which is computed again",
                         oneLine(options_.folder.string(), kPathLength)));
    return std::nullopt;
  }
  const std::string_view kept = std::string_view(*entry).substr(kHeaderBytes);
  const std::size_t key_bytes = wordOf(*entry, 2);
  if (kept.substr(0, key_bytes) != whole_key) return std::nullopt;
  // This call fails in a folder that may only be read. Nothing is removed from such a folder.
  (void)futimens(file.number(), nullptr);
  return std::string(kept.substr(key_bytes));
}

void DiskCache::keep(const std::string& stage, std::string_view key, std::string_view value) {
  if (!is_writable_) return;
  const std::string whole_key = fmt::format("{}\n{}\n{}", options_.program, stage, key);
  const std::string entry = entryOf(whole_key, value);
  if (entry.size() > largestEntry()) return;
  const fs::path path = fileOf(whole_key);
  bool is_there = false;
  const auto write = [&] {
    makeFolder(path.parent_path());
    is_there = isFolder(path.parent_path());
    if (is_there) replaceFile(path, [&](const Sink& sink) { sink(entry); });
  };
  if (const auto fault = faultOf<ConfigError>(write)) {
    is_writable_ = false;
    warnOnce(*fault);
    return;
  }
  if (!is_there) return;
  written_ += entry.size();
  if (written_ > options_.most_bytes / kWrittenParts) trim();
}

void DiskCache::trim() {
  if (!is_writable_) return;
  written_ = 0;
  const fs::path path = options_.folder / kLockFile;
  constexpr mode_t kReadableByAll = 0644;
  const Descriptor lock(
      open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kReadableByAll));
  if (lock.number() < 0) return;
  if (takeLock(lock.number(), may_wait_ ? kLockTries : 1)) return removeOldest();
  may_wait_ = false;
}

void DiskCache::removeOldest() const {
  std::vector<CachedFile> files = filesOf(options_.folder);
  std::uint64_t bytes = 0;
  for (const CachedFile& file : files) bytes += file.bytes;
  if (bytes <= options_.most_bytes) return;
  std::sort(files.begin(), files.end(),
            [](const CachedFile& a, const CachedFile& b) { return a.used < b.used; });
  const std::uint64_t wanted = options_.most_bytes - options_.most_bytes / kTrimParts;
  for (const CachedFile& file : files) {
    if (bytes <= wanted) return;
    std::error_code gone;
    fs::remove(file.path, gone);
    bytes -= file.bytes;
  }
}

void DiskCache::warnOnce(const std::string& what) {
  if (!has_warned_.exchange(true)) {
    options_.warn("ipusim: --cache: " + what);
  }
}

DiskCache* diskCache() {
  return cacheOfProcess();
}

void useDiskCache(DiskCache* cache) {
  cacheOfProcess() = cache;
}

}  // namespace ipusim
