// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/simgrid/simgrid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/toy_pod.h"

namespace ipusim::report {
namespace {

using testing::HasSubstr;

std::size_t occurrencesOf(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// Four toy IPUs: two rungs with two sets each way, and two rails. A rail moves 2 GB/s, of which
// packets of 64 B leave 64 / 68 to the payload.
TEST(SimGridPlatform, HasAHostPerIpuALinkPerSetAndARoutePerPair) {
  const std::string text = interop::simGridPlatform(models::toySystem(4));
  EXPECT_EQ(occurrencesOf("<host ", text), 4U);
  EXPECT_EQ(occurrencesOf("<link ", text), 12U);
  EXPECT_EQ(occurrencesOf("<route ", text), 12U);
  EXPECT_THAT(text, HasSubstr(R"(<link id="set8_0_to_2" bandwidth="1882352941.17647)"));
  // From IPU 0 over the rung's links for passing traffic to IPU 1, then along the rail.
  EXPECT_THAT(text,
              HasSubstr(R"(<route src="ipu0" dst="ipu3" symmetrical="NO">)"
                        R"(<link_ctn id="set2_0_to_1"/><link_ctn id="set10_1_to_3"/></route>)"));
}

TEST(SimGridPlatform, EscapesTheNameOfTheSystem) {
  System system = models::toySystem(2);
  system.name = R"(a "b" & <c>)";
  EXPECT_THAT(interop::simGridPlatform(system),
              HasSubstr("<zone id=\"a &quot;b&quot; &amp; &lt;c>\""));
}

}  // namespace
}  // namespace ipusim::report
