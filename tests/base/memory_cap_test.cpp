// SPDX-License-Identifier: Apache-2.0
#include "base/process/memory_cap.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "tests/support/sanitizer.h"

namespace ipusim {
namespace {

constexpr std::size_t kLarge = std::size_t(1) << 30;

TEST(MemoryCap, LargerAllocationsThrow) {
  if (kHasAddressSanitizer)
    GTEST_SKIP() << "the sanitizer has its own heap, which ends the process";
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
