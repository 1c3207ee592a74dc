// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/html.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim::reproduce {
namespace {

TEST(Html, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(escaped("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
  EXPECT_EQ(escaped("m\xc2\xb2"), "m\xc2\xb2");
}

TEST(Html, HoldsAPictureAsBase64) {
  const TemporaryFolder folder;
  const auto address = [&](const std::string& bytes) {
    return pngAddress(folder.write("a.png", bytes));
  };
  // Source: RFC 4648, section 10.
  EXPECT_EQ(address("foobar"), "data:image/png;base64,Zm9vYmFy");
  EXPECT_EQ(address("fooba"), "data:image/png;base64,Zm9vYmE=");
  EXPECT_EQ(address("foob"), "data:image/png;base64,Zm9vYg==");
  EXPECT_EQ(address(std::string("\x00\xff\x80", 3)), "data:image/png;base64,AP+A");
}

TEST(Html, WantsAPicture) {
  const TemporaryFolder folder;
  EXPECT_THAT(configErrorOf([&] { pngAddress(folder / "none.png"); }),
              testing::EndsWith("none.png: wanted a picture, found none"));
}

}  // namespace
}  // namespace ipusim::reproduce
