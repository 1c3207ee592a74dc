// SPDX-License-Identifier: Apache-2.0
#include "base/files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim {

namespace {

ConfigError notReadable(const std::string& name, int error) {
  return ConfigError(
      fmt::format("{}: wanted a readable file, found: {}", name, std::strerror(error)));
}

/// Whether a pipe is empty, and nobody writes to it. Takes nothing out of the pipe.
bool isAbandoned(int pipe) {
  std::array<int, 2> copy{};
  if (pipe2(copy.data(), O_CLOEXEC | O_NONBLOCK) != 0) return false;
  // NOLINTNEXTLINE(*-vararg): of Linux
  const ssize_t seen = tee(pipe, copy[1], 1, SPLICE_F_NONBLOCK);
  close(copy[0]);
  close(copy[1]);
  return seen == 0;
}

/// What a descriptor is where that is nothing to read a file from; null where it is.
const char* strangerAt(int descriptor, mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode) && isAbandoned(descriptor)) return "a pipe that nobody writes to";
  // A device such as /dev/zero has no end.
  if (S_ISBLK(mode) || (S_ISCHR(mode) && isatty(descriptor) == 0)) return "a device";
  return nullptr;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : name_(oneLine(path.string(), kPathLength)),
      // NOLINTNEXTLINE(*-vararg): of POSIX
      descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (descriptor_ < 0) throw notReadable(name_, errno);
  struct stat status {};
  const int error = fstat(descriptor_, &status) == 0 ? 0 : errno;
  const char* const stranger = error == 0 ? strangerAt(descriptor_, status.st_mode) : nullptr;
  if (error != 0 || stranger != nullptr) {
    close(descriptor_);
    if (error != 0) throw notReadable(name_, error);
    throw ConfigError(fmt::format("{}: wanted a file, found {}", name_, stranger));
  }
  // Whoever writes to the pipe may take a while.
  fcntl(descriptor_, F_SETFL, 0);  // NOLINT(*-vararg): of POSIX
}

InputFile::~InputFile() {
  close(descriptor_);
}

std::size_t InputFile::read(char* bytes, std::size_t size) {
  std::size_t had = 0;
  while (had < size) {
    const ssize_t count = ::read(descriptor_, bytes + had, size - had);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw notReadable(name_, errno);
    had += static_cast<std::size_t>(count);
  }
  return had;
}

}  // namespace ipusim
