// SPDX-License-Identifier: Apache-2.0
#include "base/memory_cap.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

namespace ipusim {
namespace {

constexpr std::size_t kLarge = std::size_t(1) << 30;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasOwnHeap = true;  // of a sanitizer, which ends the process
#else
constexpr bool kHasOwnHeap = false;
#endif

TEST(MemoryCap, LargerAllocationsThrow) {
  if (kHasOwnHeap) GTEST_SKIP() << "a sanitizer has its own heap";
  const MemoryCap cap(Bytes(kLarge / 4));
  EXPECT_THROW(std::vector<char> bytes(kLarge), std::bad_alloc);
  EXPECT_NO_THROW(std::vector<char> bytes(kLarge / 8));
}

TEST(MemoryCap, EndsWithItsLife) {
  { const MemoryCap cap(Bytes(kLarge / 4)); }
  EXPECT_NO_THROW(std::vector<char> bytes(kLarge));
}

TEST(MemoryCap, TheComputerHasMemory) {
  EXPECT_GT(availableMemory(), Bytes());
}

}  // namespace
}  // namespace ipusim
