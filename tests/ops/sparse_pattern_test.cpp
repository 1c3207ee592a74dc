// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/support/thrown.h"
#include "workloads/ops/sparse/matrix_market.h"

namespace ipusim::workloads {
namespace {

TEST(RandomPattern, HasExactlySoManyDifferentBlocksInOrder) {
  for (const std::uint64_t count : {1U, 7U, 299U, 300U}) {
    const SparsePattern pattern = randomPattern(80, 60, 4, count, 3);
    EXPECT_EQ(pattern.blocks.size(), count);
    const std::set<BlockPosition> different(pattern.blocks.begin(), pattern.blocks.end());
    EXPECT_EQ(different.size(), count);
    EXPECT_TRUE(std::is_sorted(pattern.blocks.begin(), pattern.blocks.end()));
    for (const BlockPosition& block : pattern.blocks) {
      EXPECT_LT(block.row, 20U);
      EXPECT_LT(block.column, 15U);
    }
  }
}

TEST(RandomPattern, IsTheSameForTheSameSeedOnly) {
  EXPECT_EQ(randomPattern(100, 100, 1, 500, 1).blocks, randomPattern(100, 100, 1, 500, 1).blocks);
  EXPECT_FALSE(randomPattern(100, 100, 1, 500, 1).blocks ==
               randomPattern(100, 100, 1, 500, 2).blocks);
}

TEST(RandomPattern, FavoursNoPlace) {
  // 2000 patterns of 2 in 10 places: each place 400 times, sigma 18.
  std::vector<int> hits(10, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const BlockPosition& block : randomPattern(2, 5, 1, 2, seed).blocks) {
      ++hits[block.row * 5 + block.column];
    }
  }
  for (const int hit : hits) EXPECT_NEAR(hit, 400, 90);
}

SparsePattern parse(const std::string& text, std::uint64_t block = 1) {
  std::istringstream in(text);
  return parseMatrixMarket(in, "f.mtx", block);
}

TEST(MatrixMarket, AddsTheOtherHalfOfASymmetricMatrix) {
  const SparsePattern pattern =
      parse("%%MatrixMarket matrix coordinate integer symmetric\n% note\n\n3 3 2\n3 1 5\n2 2 -4\n");
  EXPECT_EQ(pattern.rows, 3U);
  EXPECT_EQ(pattern.blocks, (std::vector<BlockPosition>{{0, 2}, {1, 1}, {2, 0}}));
}

TEST(MatrixMarket, StoresABlockWholeThatHasAnEntry) {
  const SparsePattern pattern =
      parse("%%matrixmarket MATRIX coordinate pattern general\n4 8 3\n1 8\n2 7\n4 1\n", 4);
  EXPECT_EQ(pattern.blocks, (std::vector<BlockPosition>{{0, 0}, {0, 1}}));
  EXPECT_EQ(pattern.nonZeros(), 32U);
}

struct BrokenFile {
  std::string text;
  std::string message;
};

TEST(MatrixMarket, NamesTheLineThatIsWrong) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const std::vector<BrokenFile> files = {
      {"", "f.mtx:1: wanted \"%%MatrixMarket matrix coordinate FIELD SYMMETRY\", found the end"},
      {"%%MatrixMarket matrix coordinate complex general\n", "f.mtx:1: wanted a field of"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", "f.mtx:1: wanted a symmetry of"},
      {head, "f.mtx:2: wanted a line of rows, columns, entries, found the end"},
      {head + "2 2\n", "f.mtx:2: wanted a line of rows, columns, entries"},
      {head + "2 x 1\n", "f.mtx:2: wanted a whole number from 1 to 16777216 as word 2"},
      {head + "2 2 1\n3 1 1.0\n", "f.mtx:3: wanted a whole number from 1 to 2 as word 1"},
      {head + "2 2 1\n1 1\n", "f.mtx:3: wanted a line of row, column, value"},
      {head + "2 2 1\n1 1 one\n", "f.mtx:3: wanted a number at the end"},
      {head + "2 2 2\n1 1 1.0\n", "f.mtx:4: wanted a line of row, column, value, found the end"},
      {head + "2 2 1\n1 1 1\n2 2 1\n", "f.mtx:4: wanted 1 entries, found \"2 2 1\""},
  };
  for (const BrokenFile& file : files) {
    const std::string message = configErrorOf([&] { parse(file.text); });
    EXPECT_EQ(message.substr(0, file.message.size()), file.message);
  }
}

TEST(MatrixMarket, ReadsNoMoreThanALongLineOfAFileWithoutLineEnds) {
  EXPECT_EQ(configErrorOf([] { (void)readMatrixMarket("/dev/zero", 1); }).substr(0, 55),
            "/dev/zero:1: wanted lines of at most 1024 characters, f");
  std::istringstream endless(std::string(1U << 20U, 'x'));
  EXPECT_THROW((void)parseMatrixMarket(endless, "f.mtx", 1), ConfigError);
  EXPECT_EQ(endless.gcount(), 1024);
}

TEST(MatrixMarket, TakesLinesUpToTheLengthOfTheFormat) {
  const auto with_comment = [](std::size_t length) {
    return "%%MatrixMarket matrix coordinate pattern general\n" + std::string(length, '%') +
           "\n2 2 1\n1 1\n";
  };
  EXPECT_EQ(parse(with_comment(1024)).blocks.size(), 1U);
  EXPECT_EQ(configErrorOf([&] { parse(with_comment(1025)); }).substr(0, 19), "f.mtx:2: wanted lin");
}

TEST(MatrixMarket, BoundsCommentsAndBlankLines) {
  for (const char* line : {"%\n", "\n"}) {
    std::string text = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n";
    for (int i = 0; i < 100'000; ++i) text += line;
    EXPECT_EQ(parse(text).blocks.size(), 1U);
    EXPECT_EQ(configErrorOf([&] { parse(text + line); }).substr(0, 60),
              "f.mtx:100004: wanted at most 100000 comments and blank lines");
  }
}

TEST(MatrixMarket, WantsWholeBlocks) {
  const std::string text = "%%MatrixMarket matrix coordinate pattern general\n8 6 1\n1 1\n";
  EXPECT_EQ(configErrorOf([&] { parse(text, 4); }),
            "f.mtx:2: wanted rows and columns in whole blocks of 4, found \"8 6 1\"");
}

}  // namespace
}  // namespace ipusim::workloads
