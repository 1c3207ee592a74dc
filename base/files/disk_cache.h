// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ipusim {

/// Keeps on disk what stages computed, for later runs. An entry is found by the whole text of its
/// key, so a stage puts all that it takes into the key.
///
/// Many processes and threads may use one folder at once. Each entry is one file, and a new file
/// replaces the old one as a whole. An entry counts as absent when it is damaged, cut off or from
/// another program, too large to be one, or no file: links in the folder are not followed. No
/// failure ends a run: the first failure gives a warning of one line, and what cannot be written is
/// not kept.
///
/// The checksum of an entry finds accidents and no intent: a stage checks what it finds before it
/// uses it.
class DiskCache {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made if it does not exist
    std::uint64_t most_bytes;      ///< what the files of the folder may take after trim()
    std::string program;           ///< version and build; entries of other programs are not found
    std::function<void(const std::string&)> warn;  ///< takes one line
  };

  explicit DiskCache(Options options);
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;
  /// Trims the folder if this process wrote to it since the last trim.
  ~DiskCache();

  /// The value that is kept for the key. An entry that is found counts as just used.
  std::optional<std::string> find(const std::string& stage, std::string_view key);

  /// Keeps the value, and trims the folder now and then. A value that takes more than a quarter of
  /// the folder's limit is not kept.
  void keep(const std::string& stage, std::string_view key, std::string_view value);

  /// Removes the entries that were used least recently, and no other files, until the folder is
  /// within its limit. Leaves it out where another process keeps the folder locked for longer than
  /// a trim takes. After that no trim waits.
  void trim();

 private:
  [[nodiscard]] std::filesystem::path fileOf(const std::string& whole_key) const;
  [[nodiscard]] std::uint64_t largestEntry() const;
  void removeOldest() const;
  void warnOnce(const std::string& what);

  Options options_;
  std::atomic<std::uint64_t> written_ = 0;  ///< bytes since the last trim
  std::atomic<bool> is_writable_ = true;
  std::atomic<bool> may_wait_ = true;
  std::atomic<bool> has_warned_ = false;
};

/// The cache that the stages of this process use. Null where none was asked for. A process that
/// forks shares it with its child.
DiskCache* diskCache();
void useDiskCache(DiskCache* cache);

}  // namespace ipusim
