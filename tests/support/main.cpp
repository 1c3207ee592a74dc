// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Tells apart that tests passed and that all of them were skipped.
int main(int argc, char* argv[]) {
  testing::InitGoogleMock(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  const bool none_ran = tests.skipped_test_count() > 0 && tests.successful_test_count() == 0;
  return failed == 0 && none_ran ? IPUSIM_ALL_SKIPPED : failed;
}
