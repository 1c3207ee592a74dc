// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/sweep_store.h"

#include <gmock/gmock.h>

#include "tests/support/thrown.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const SweepIdentity kThis = {"1.0", R"({"n":1})"};

class SweepStoreTest : public FolderTest {
 protected:
  [[nodiscard]] std::string refusalOf(const SweepIdentity& identity) const {
    return configErrorOf([&] { SweepStore(folder, identity); });
  }
  report::OutputFolder folder{path()};
};

TEST_F(SweepStoreTest, GivesBackWhatItTook) {
  SweepStore(folder, kThis).add(3, "n=3", {Status::Invalid, "n: wanted 2", R"({"a.b":"1"})", 0.5});
  const SweepStore again(folder, kThis);
  int visits = 0;
  again.forEach([&](std::uint64_t point, const PointResult& result) {
    ++visits;
    EXPECT_EQ(point, 3U);
    EXPECT_EQ(result.status, Status::Invalid);
    EXPECT_EQ(result.reason, "n: wanted 2");
    EXPECT_EQ(result.result, R"({"a.b":"1"})");
    EXPECT_EQ(result.seconds, 0.5);
  });
  EXPECT_EQ(visits, 1);
}

TEST_F(SweepStoreTest, PointsAscendInWhateverOrderTheyCame) {
  SweepStore store(folder, kThis);
  for (const std::uint64_t point : {7U, 0U, 2U}) store.add(point, "", {});
  EXPECT_THAT(store.points(), ElementsAre(0, 2, 7));
}

TEST_F(SweepStoreTest, TakesNoPointTwiceUnlessItFailed) {
  SweepStore store(folder, kThis);
  store.add(4, "n=4", {});
  EXPECT_THROW(store.add(4, "n=4", {}), InternalError);
  store.add(5, "n=5", {Status::Failed, "x", "{}", 1});
  EXPECT_THAT(store.points(), ElementsAre(4));
  store.add(5, "n=5", {Status::Ok, "", "{}", 2});
  EXPECT_THAT(store.points(), ElementsAre(4, 5));
  EXPECT_EQ(store.find(5)->seconds, 2);
}

TEST_F(SweepStoreTest, RefusesAnotherConfig) {
  { const SweepStore store(folder, kThis); }
  EXPECT_THAT(refusalOf({"1.0", R"({"n":2})"}),
              AllOf(HasSubstr("sweep.sqlite: wanted results of this sweep, found those of another "
                              "config; give another --out, or remove the file"),
                    testing::Not(HasSubstr("\n"))));
}

TEST_F(SweepStoreTest, RefusesAnotherVersion) {
  { const SweepStore store(folder, kThis); }
  EXPECT_THAT(refusalOf({"1.1", kThis.config}), HasSubstr("those of ipusim 1.0 (this is 1.1)"));
}

TEST_F(SweepStoreTest, RefusesAFileThatIsNoDatabase) {
  write(kStoreFile, std::string(4096, 'x'));
  EXPECT_THAT(refusalOf(kThis),
              HasSubstr("found it damaged (file is not a database); move the file away"));
}

TEST_F(SweepStoreTest, IsOpenOnceAtATime) {
  const SweepStore store(folder, kThis);
  EXPECT_THAT(refusalOf(kThis), HasSubstr("found another ipusim at work"));
}

}  // namespace
}  // namespace ipusim::sweep
