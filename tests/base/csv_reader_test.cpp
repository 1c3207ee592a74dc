// SPDX-License-Identifier: Apache-2.0
#include "base/text/csv_reader.h"

#include <gmock/gmock.h>

#include "sim/report/csv.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::ElementsAre;

/// The cells of the only record.
std::vector<std::string> cellsOf(const std::string& text) {
  const std::vector<CsvRecord> records = parseCsv(text, "a.csv");
  EXPECT_EQ(records.size(), 1U);
  return records.empty() ? std::vector<std::string>() : records.front().cells;
}

std::string errorOf(const std::string& text) {
  return configErrorOf([&] { parseCsv(text, "a.csv"); });
}

TEST(CsvReader, SplitsAtCommas) {
  EXPECT_THAT(cellsOf("a,b c,,d\n"), ElementsAre("a", "b c", "", "d"));
  EXPECT_THAT(cellsOf("a,"), ElementsAre("a", ""));
}

TEST(CsvReader, TakesACellInQuotesAsItIs) {
  EXPECT_THAT(cellsOf("\"a,b\",\"say \"\"no\"\"\",\"\"\"\",\"\"\n"),
              ElementsAre("a,b", "say \"no\"", "\"", ""));
  EXPECT_THAT(cellsOf("\"two\r\nlines\",x\n"), ElementsAre("two\r\nlines", "x"));
}

TEST(CsvReader, EndsLinesInLfOrCrlf) {
  EXPECT_THAT(cellsOf("a,b\r\n"), ElementsAre("a", "b"));
  EXPECT_THAT(cellsOf("a,\"b\"\r\n"), ElementsAre("a", "b"));
  EXPECT_THAT(cellsOf("a,\"b\""), ElementsAre("a", "b"));
}

TEST(CsvReader, KnowsTheLineThatARecordBeginsOn) {
  const auto records = parseCsv("a\n\n\"b\nb\"\r\n\r\nc\n", "a.csv");
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].line, 1U);
  EXPECT_EQ(records[1].line, 3U);
  EXPECT_EQ(records[2].line, 6U);
}

TEST(CsvReader, SkipsAByteOrderMark) {
  EXPECT_THAT(cellsOf("\xef\xbb\xbfid,value\n"), ElementsAre("id", "value"));
}

TEST(CsvReader, ReadsWhatTheWriterWrote) {
  const std::vector<std::string> cells = {"plain", "a,b", "\"", "x\ny", "", " space "};
  EXPECT_EQ(cellsOf(report::csvLine(cells)), cells);
}

TEST(CsvReader, SaysWhereQuotesDoNotMatch) {
  EXPECT_EQ(errorOf("a\nb,\"open\nstill,\n"),
            "a.csv:2: cell 2: wanted a closing quote, found the end of the file");
  EXPECT_EQ(errorOf("a,\"b\"c\n"),
            "a.csv:1: cell 2: wanted a comma or the line's end after the closing quote, "
            "found more text");
  EXPECT_EQ(errorOf("a\nb\"c\"\n"),
            "a.csv:2: cell 1: wanted quotes around the whole cell, doubled inside it, "
            "found a quote in its middle");
}

TEST(CsvReader, SaysWhereACellIsNoUtf8) {
  EXPECT_EQ(errorOf("a,b\nc,GC200\xff\n"),
            "a.csv:2: cell 2: wanted text in UTF-8, found \"GC200\\xff\"");
}

}  // namespace
}  // namespace ipusim
