// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "poplar/codelets/codelets.h"

namespace ipusim::codelets {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::uint64_t kFourGibibytes = std::uint64_t{1} << 32U;
/// Below it the system gives no memory, so that null pointers fault.
constexpr std::uint64_t kLowest = 0x100000;
/// How far apart the search looks for room.
constexpr std::uint64_t kSearchStep = 0x100000;

/// Reserves `bytes` below 4 GB that nobody may touch yet; 0 where there is no room.
std::uint32_t reserve(std::size_t bytes) {
  for (std::uint64_t at = kLowest; at + bytes <= kFourGibibytes; at += kSearchStep) {
    void* const wanted = byteAt(static_cast<std::uint32_t>(at));
    void* const found =
        mmap(wanted, bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (found == wanted) return static_cast<std::uint32_t>(at);
    // A system that does not know the flag gives another place.
    if (found != MAP_FAILED) munmap(found, bytes);
  }
  return 0;
}

}  // namespace

LowMemory::LowMemory(std::size_t pieces, Bytes size) {
  const auto inside =
      std::max<std::size_t>(roundUp<std::size_t>(size.value(), kPageBytes), kPageBytes);
  const auto whole = checkedProduct<std::uint64_t>(pieces, inside + kPageBytes);
  if (whole == 0) return;
  base_ = whole < kFourGibibytes ? reserve(whole) : 0;
  if (base_ == 0) {
    throw ConfigError(fmt::format(
        "tile memories for codelets: wanted {} bytes below 4 GB, where four IPUs find room; found "
        "no room",
        whole));
  }
  reserved_ = whole;
  stride_ = static_cast<std::uint32_t>(inside + kPageBytes);
  for (std::size_t index = 0; index < pieces; ++index) {
    if (mprotect(at(index), inside, PROT_READ | PROT_WRITE) != 0) {
      munmap(at(0), reserved_);
      throw ConfigError("tile memories for codelets: the system gives no more pieces of memory");
    }
  }
}

LowMemory::LowMemory(LowMemory&& other) noexcept
    : base_(std::exchange(other.base_, 0)),
      stride_(std::exchange(other.stride_, 0)),
      reserved_(std::exchange(other.reserved_, 0)) {}

LowMemory& LowMemory::operator=(LowMemory&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(stride_, other.stride_);
  std::swap(reserved_, other.reserved_);
  return *this;
}

LowMemory::~LowMemory() {
  if (reserved_ != 0) munmap(at(0), reserved_);
}

}  // namespace ipusim::codelets
