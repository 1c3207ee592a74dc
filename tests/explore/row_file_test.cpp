// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/row_file.h"

#include <gmock/gmock.h>

#include "tests/explore/temporary_folder.h"

namespace ipusim::explore {
namespace {

using testing::ElementsAre;
using RowFileTest = TemporaryFolder;

TEST_F(RowFileTest, IsWholeAfterEachRow) {
  const run::OutputFolder folder(path());
  RowFile file(folder, "rows.csv", {"n", "status"});
  EXPECT_THAT(linesOf("rows.csv"), ElementsAre("n,status"));
  file.add({{"n", "1"}, {"status", "ok"}});
  EXPECT_THAT(linesOf("rows.csv"), ElementsAre("n,status", "1,ok"));
}

TEST_F(RowFileTest, ANewColumnLeavesEarlierRowsEmptyThere) {
  const run::OutputFolder folder(path());
  RowFile file(folder, "rows.csv", {"n", "status"});
  file.add({{"n", "1"}, {"status", "invalid: a, b"}});
  file.add({{"n", "2"}, {"status", "ok"}, {"time.cycles", "9"}});
  file.add({{"n", "3"}, {"status", "ok"}, {"time.cycles", "8"}});
  EXPECT_THAT(linesOf("rows.csv"),
              ElementsAre("n,status,time.cycles", "1,\"invalid: a, b\",", "2,ok,9", "3,ok,8"));
}

TEST_F(RowFileTest, StartsAFileThatIsThereAnew) {
  const run::OutputFolder folder(write("rows.csv", "old\n").parent_path());
  RowFile file(folder, "rows.csv", {"n"});
  EXPECT_THAT(linesOf("rows.csv"), ElementsAre("n"));
}

}  // namespace
}  // namespace ipusim::explore
