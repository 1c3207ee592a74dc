// SPDX-License-Identifier: Apache-2.0
#include "base/files/write_all.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace ipusim {

namespace {

constexpr int kForever = -1;

void waitUntilWritable(int descriptor) {
  pollfd one{descriptor, POLLOUT, 0};
  poll(&one, 1, kForever);
}

}  // namespace

std::error_code writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      waitUntilWritable(descriptor);
    } else if (errno != EINTR) {
      return {errno, std::generic_category()};
    }
  }
  return {};
}

}  // namespace ipusim
