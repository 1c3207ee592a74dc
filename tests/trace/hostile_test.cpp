// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <utility>

#include "sim/run/replay.h"
#include "tests/support/sanitizer.h"
#include "tests/support/thrown.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/byte_source.h"

namespace ipusim {
namespace {

using testing::HasSubstr;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// CPU seconds of this process.
double cpuSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec);
}

std::uint64_t peakBytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

/// Reads `text`, of about 1 kB, and expects an error of one line within 1 s and 100 MB.
void expectSmallRefusal(const std::string& text, const std::string& what) {
  ASSERT_LE(text.size(), 1100U);
  const double begin = cpuSeconds();
  const std::uint64_t before = peakBytes();
  const std::string error = configErrorOf([&] { traceFrom(text); });
  EXPECT_THAT(error, HasSubstr(what));
  EXPECT_EQ(error.find('\n'), std::string::npos);
  if (kHasAddressSanitizer) return;
  EXPECT_LT(cpuSeconds() - begin, 1.0);
  EXPECT_LT(peakBytes() - before, 100'000'000U);
}

TEST(HostileTrace, DoesNotMakeManyFamiliesOfAFewBytes) {
  const std::string line =
      "{\"vertices\":[{\"type\":\"v\",\"data\":[[\"x\",0,64],[\"y\",0,64]]}],\"tiles\":\"0-"
      "1048575\"}\n";
  expectSmallRefusal(kBegin + line, "wanted fewer things for the size of the file");
}

TEST(HostileTrace, DoesNotCompareManyWriters) {
  const std::string line =
      "{\"vertices\":[{\"type\":\"v\",\"count\":4294967295,\"data\":[[\"x\",0,64],[\"y\",0,64]]}],"
      "\"tiles\":\"0\"}\n";
  expectSmallRefusal(kBegin + line, "wanted fewer places that vertices write");
}

TEST(HostileTrace, DoesNotMakeManyMoves) {
  expectSmallRefusal(
      kBegin + "{\"copy\":\"c\",\"moves\":[[[\"x\",0],[\"y\",0],9007199254740992,0,0]]}\n",
      "wanted fewer things for the size of the file");
}

TEST(HostileTrace, DoesNotMapManyTiles) {
  expectSmallRefusal(
      kBegin +
          repeated("{\"variable\":\"z\",\"elements\":1048576,\"map\":[[\"0-1048575\",1]]}\n", 5),
      "wanted fewer things for the size of the file");
}

/// Functions each of which calls the one before four times.
std::string callsOfCalls(int functions, const std::string& step) {
  std::string text = "{\"function\":\"f0\",\"program\":[" + step + "]}\n";
  for (int f = 1; f < functions; ++f) {
    text += fmt::format(
        "{{\"function\":\"f{0}\",\"program\":[\"f{1}\",\"f{1}\",\"f{1}\",\"f{1}\"]}}\n", f, f - 1);
  }
  return text;
}

TEST(HostileTrace, DoesNotUnrollCallsOfCalls) {
  expectSmallRefusal(
      kBegin + callsOfCalls(12, "\"a\""),
      "t.ipt:15: program: wanted calls that stand for at most 50000 steps (the limit "
      "steps allows more), found \"f7\"");
  workloads::TraceLimits limits;
  limits.steps = 1'000'000;
  traceFrom(kBegin + callsOfCalls(10, "\"a\""), limits);
}

/// Reads and replays `text`, of about 1 kB, within 1 s and 100 MB. Returns whether its measured
/// steps were looked at.
bool expectSmallReplay(const std::string& text) {
  EXPECT_LE(text.size(), 1100U);
  const TemporaryFolder folder;
  const auto file = folder.write("t.ipt", text);
  const double begin = cpuSeconds();
  const std::uint64_t before = peakBytes();
  const bool checked = run::replayProgram(configOf(file, "gc200")).checked_all;
  if (kHasAddressSanitizer) return checked;
  EXPECT_LT(cpuSeconds() - begin, 1.0);
  EXPECT_LT(peakBytes() - before, 100'000'000U);
  return checked;
}

/// A matrix of `size` x `size` that a copy transposes, from 1472 tiles to 1472 tiles. A record says
/// what its exchange took.
std::string measuredTranspose(std::uint64_t size) {
  const std::string n = std::to_string(size);
  const std::string all = std::to_string(size * size);
  return "{\"ipt\":1}\n{\"variable\":\"x\",\"elements\":" + all +
         ",\"lifetime\":\"always\",\"tiles\":\"0-1471\"}\n{\"variable\":\"y\",\"elements\":" + all +
         ",\"lifetime\":\"always\",\"tiles\":\"0-1471\"}\n{\"copy\":\"c\",\"from\":[\"x\",0," + n +
         ",1," + n + "," + n + "],\"to\":[\"y\",0," + n + "," + n + "," + n +
         ",1]}\n{\"program\":[\"c\"]}\n{\"record\":{\"cycles\":[{\"step\":\"c/"
         "Exchange\",\"cycles\":9}]}}\n";
}

// Eight loops of loops of calls, with one branch that goes another way now and then: 4^6 calls of
// three steps each.
TEST(HostileTrace, TakesLittleToReplayWhatItsCallsStandFor) {
  std::string begin = kBegin;
  begin.replace(begin.find("1}"), 1, "1,\"flops\":0");
  const std::string branch = "{\"if\":[\"x\",0],\"then\":[\"a\"]}";
  expectSmallReplay(begin + callsOfCalls(7, branch) +
                    "{\"program\":[{\"repeat\":8,\"body\":[\"f6\"]}]}\n" +
                    "{\"record\":{\"branches\":[[[0,4096],1,[0,4095],[1,4096],[0,20480]]]}}\n");
}

TEST(HostileTrace, LooksAtMeasuredStepsWhereTheProgramIsSmall) {
  EXPECT_TRUE(expectSmallReplay(measuredTranspose(100)));
  EXPECT_FALSE(expectSmallReplay(measuredTranspose(2000)));
}

TEST(HostileTrace, TakesLittleToCompileManyMovesOfAFewBytes) {
  expectSmallReplay(
      "{\"ipt\":1}\n{\"variable\":\"x\",\"elements\":2000000,\"tiles\":0}\n"
      "{\"variable\":\"y\",\"elements\":2000000,\"tiles\":0}\n"
      "{\"copy\":\"c\",\"moves\":[[[\"x\",0,2,3,2,3,2,3],[\"y\",0,2,3,2,3,2,3],16000,1,1]]}\n");
  expectSmallReplay(
      "{\"ipt\":1}\n{\"variable\":\"x\",\"elements\":2000000,\"tiles\":0}\n"
      "{\"variable\":\"y\",\"elements\":2000000,\"tiles\":0}\n"
      "{\"copy\":\"c\",\"moves\":[[[\"x\",0],[\"y\",0],25000,1,1]]}\n");
}

TEST(HostileTrace, DoesNotNestForEver) {
  const auto nested = [](int times) {
    return kBegin + "{\"program\":[" + repeated("{\"repeat\":1,\"body\":[", times) +
           repeated("]}", times) + "]}\n";
  };
  traceFrom(nested(40));
  workloads::TraceLimits limits;
  limits.nesting = 20;
  EXPECT_THAT(configErrorOf([&] { traceFrom(nested(21), limits); }),
              HasSubstr("body: wanted steps at most 20 deep"));
  EXPECT_THAT(configErrorOf([&] { traceFrom(nested(40), limits); }),
              HasSubstr("wanted values at most 48 deep"));
  expectSmallRefusal("{\"ipt\":1}\n" + repeated("[", 500) + repeated("]", 500),
                     "t.ipt:2: wanted values at most");
}

/// Functions that call one another, `count` deep.
std::string chainOfCalls(int count) {
  std::string text = kBegin + "{\"function\":\"f0\",\"program\":[]}\n";
  for (int i = 1; i < count; ++i) {
    text += "{\"function\":\"f" + std::to_string(i) + "\",\"program\":[\"f" +
            std::to_string(i - 1) + "\"]}\n";
  }
  return text + "{\"program\":[{\"call\":\"f" + std::to_string(count - 1) + "\"}]}\n";
}

TEST(HostileTrace, BoundsHowDeepCallsAreInOneAnother) {
  workloads::TraceLimits limits;
  traceFrom(chainOfCalls(63), limits);
  for (const int count : {64, 20'000}) {
    EXPECT_THAT(configErrorOf([&] { traceFrom(chainOfCalls(count), limits); }),
                HasSubstr("wanted steps at most 64 deep in one another, the bodies of called"));
  }
  limits.nesting = 3;
  const std::string in_loops = "{\"program\":[{\"repeat\":1,\"body\":[{\"call\":\"f1\"}]}]}\n";
  std::string text = chainOfCalls(2);
  text.erase(text.find("{\"program\":[{\"call"));
  EXPECT_THAT(configErrorOf([&] { traceFrom(text + in_loops, limits); }),
              HasSubstr("call: wanted steps at most 3 deep"));
}

TEST(HostileTrace, CountsInSixtyFourBits) {
  expectSmallRefusal(kBegin + "{\"variable\":\"z\",\"elements\":9007199254740993,\"tiles\":0}\n",
                     "elements: wanted a whole number in [0, 9007199254740992]");
  expectSmallRefusal(
      kBegin +
          "{\"copy\":\"c\",\"from\":[\"x\",0,9007199254740992,9007199254740992],\"to\":\"x\"}\n",
      "t.ipt:7: wanted sizes that 64 bits count");
}

TEST(HostileTrace, StaysWithinLimitsThatTheConfigSets) {
  workloads::TraceLimits limits;
  limits.variables = 1;
  EXPECT_THAT(configErrorOf([&] { traceFrom(kBegin, limits); }),
              HasSubstr("t.ipt:3: variable: wanted at most 1 variables"));
  limits = {};
  limits.tiles = 2;
  EXPECT_THAT(configErrorOf([&] { traceFrom(kBegin, limits); }), HasSubstr("tiles below 2"));
  limits = {};
  limits.vertices = 3;
  EXPECT_THAT(configErrorOf([&] { traceFrom(kBegin, limits); }), HasSubstr("at most 3 vertices"));
  limits = {};
  limits.edges = 7;
  EXPECT_THAT(configErrorOf([&] { traceFrom(kBegin, limits); }), HasSubstr("at most 7 edges"));
  limits = {};
  limits.number = 200;
  EXPECT_THAT(configErrorOf([&] { traceFrom(kBegin, limits); }), HasSubstr("in [0, 200]"));
  limits = {};
  limits.line_bytes = 100;
  for (const std::size_t bytes : {101U, 300'000U}) {
    EXPECT_THAT(
        configErrorOf([&] { traceFrom("{\"ipt\": 1}\n" + std::string(bytes, ' '), limits); }),
        HasSubstr("t.ipt:2: wanted a line of at most 100 bytes"));
  }
}

TEST(HostileTrace, LimitsComeFromTheConfig) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.ipt", kBegin).string();
  const auto config =
      ConfigReader::fromText("machine = \"toy\"\n[workload]\nkind = \"trace\"\nfile = \"" + file +
                                 "\"\n[workload.limits]\nvertices = 2\n",
                             "run.toml");
  EXPECT_THAT(configErrorOf([&] { run::prepare(config); }), HasSubstr("at most 2 vertices"));
}

class CompressedTrace : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::filesystem::path write(const std::string& text) const {
    return folder_.write(name(), workloads::compressedFor(name(), text));
  }
  [[nodiscard]] std::filesystem::path writeBytes(const std::string& bytes) const {
    return folder_.write(name(), bytes);
  }
  static std::string name() { return std::string("t.ipt") + GetParam(); }
  static workloads::Trace read(const std::filesystem::path& file) {
    return workloads::readTrace(file, readPreset("toy"));
  }

 private:
  TemporaryFolder folder_;
};

TEST_P(CompressedTrace, IsReadByItsName) {
  const workloads::Trace trace = read(write(kBegin));
  EXPECT_EQ(trace.graph.variables().size(), 2U);
}

TEST_P(CompressedTrace, ThatIsCutOffIsRefused) {
  const std::string whole = workloads::compressedFor(name(), kBegin);
  for (std::size_t size = 1; size < whole.size(); size += 7) {
    const std::string error = configErrorOf([&] { read(writeBytes(whole.substr(0, size))); });
    EXPECT_THAT(error, HasSubstr(name())) << size;
  }
}

TEST_P(CompressedTrace, ThatHoldsABombIsRefusedWhileItIsRead) {
  std::string text = kBegin;
  text.resize(400'000'000, ' ');
  const std::string bomb = workloads::compressedFor(name(), std::move(text));
  const auto file = writeBytes(bomb);
  const double begin = cpuSeconds();
  EXPECT_THAT(configErrorOf([&] { read(file); }),
              testing::AnyOf(HasSubstr("holds more"), HasSubstr("wanted a line of at most")));
  if (kHasAddressSanitizer) return;
  EXPECT_LT(cpuSeconds() - begin, 1.0);
}

TEST_P(CompressedTrace, WithAFlippedBitEndsInOneLineOrIsRight) {
  const std::string whole = workloads::compressedFor(name(), kBegin);
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    std::string flipped = whole;
    flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << (byte % 8)));
    try {
      read(writeBytes(flipped));
    } catch (const ConfigError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Endings, CompressedTrace, testing::Values(".gz", ".zst"),
                         [](const auto& test) { return std::string(test.param + 1); });

}  // namespace
}  // namespace ipusim
