// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ipusim {

/// A file that is open for reading: a regular one, a terminal, or a pipe that somebody writes to,
/// such as that of a shell's `<(...)`. Nothing waits for a writer that may never come.
class InputFile {
 public:
  /// Throws ConfigError, which names the file, for anything else.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// Reads up to `size` bytes. Returns how many there were: 0 at the end alone.
  std::size_t read(char* bytes, std::size_t size);
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  std::string name_;  // for messages
  int descriptor_ = -1;
};

}  // namespace ipusim
