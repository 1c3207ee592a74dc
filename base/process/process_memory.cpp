// SPDX-License-Identifier: Apache-2.0
#include "base/process/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace ipusim {

namespace {

/// Appends `text` to a C string that has room for it.
char* append(char* end, std::string_view text) {
  end = std::copy(text.begin(), text.end(), end);
  *end = 0;
  return end;
}

}  // namespace

Bytes residentMemory(pid_t process) {
  std::array<char, 64> path{};
  char* end = append(path.data(), "/proc/");
  end = std::to_chars(end, path.data() + path.size(), process).ptr;
  append(end, "/statm");
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Bytes(0);
  std::array<char, 128> text{};
  const ssize_t length = read(file, text.data(), text.size());
  close(file);
  if (length <= 0) return Bytes(0);
  std::string_view rest(text.data(), static_cast<std::size_t>(length));
  rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
  std::uint64_t pages = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), pages);
  return Bytes(pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace ipusim
