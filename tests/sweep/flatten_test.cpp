// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/flatten.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ipusim::sweep {
namespace {

TEST(Flatten, JoinsThePathAndLeavesArraysAndNullsOut) {
  const auto json = nlohmann::ordered_json::parse(
      R"({"b": {"x": 1, "deep": {"y": true}}, "a": "text", "list": [1], "none": null})");
  const auto scalars = flatten(json);
  ASSERT_EQ(scalars.size(), 3U);
  EXPECT_EQ(scalars[0].path + "=" + scalars[0].text, "b.x=1");
  EXPECT_EQ(scalars[1].path + "=" + scalars[1].text, "b.deep.y=true");
  EXPECT_EQ(scalars[2].path + "=" + scalars[2].text, "a=text");
}

}  // namespace
}  // namespace ipusim::sweep
