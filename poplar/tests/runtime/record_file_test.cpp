// SPDX-License-Identifier: Apache-2.0
#include "sim/record/record_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/text/word_hash.h"
#include "ipusim/error.h"
#include "poplar/runtime/engine/engine_record.h"
#include "poplar/tests/runtime/record_fixture.h"
#include "sim/record/replay.h"

// Execution records as files: what comes back, what an engine measures of it, and what no engine
// writes.

namespace {

using namespace ipusim::record;
using namespace poplar::program;
using ipusim::ConfigError;
using testing::HasSubstr;

class RecordFile : public Record {
 protected:
  /// A run whose cycles depend on data, with syncs and, on several IPUs, exchanges between them.
  RecordedProgram recorded() {
    Sequence body{Execute(step_), Copy(left_, numbers_), Execute(step_),
                  Sync(poplar::SyncType::INTERNAL)};
    poplar::Engine engine(graph_, Repeat(3, body), {{"ipusim.record", "true"}});
    engine.loadAndRun(device_);
    return poplar::detail::recordOf(*engine.data());
  }
  /// The message about a file with that text; the texts of a head and a body.
  static std::string faultOf(const std::string& text) {
    return fault([&] { (void)recordsIn(text, "a.rec"); });
  }
  static std::string with(std::string text, const std::string& old, const std::string& other) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), other);
  }
};

INSTANTIATE_TEST_SUITE_P(Ipus, RecordFile, testing::Values(1, 2));

TEST_P(RecordFile, ComesBackAndPlaysToTheSameCycleOnBothEngines) {
  const RecordedProgram program = recorded();
  const std::string text = recordText(program);
  const std::vector<RecordedProgram> back = recordsIn(text, "a.rec");
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(recordText(back[0]), text);
  EXPECT_EQ(back[0].ipus(), GetParam());
  const Replayed chips = replayOnChips(back[0]);
  const Replayed computed = replayByClosedForm(back[0]);
  EXPECT_EQ(chips.tiles.end, program.cycles);
  EXPECT_EQ(computed.tiles.end, program.cycles);
  EXPECT_EQ(chips.tiles.busy, computed.tiles.busy);
  EXPECT_EQ(chips.links, computed.links);
  EXPECT_EQ(chips.links.empty(), GetParam() == 1);
}

TEST_P(RecordFile, SaysWhoseLinksItsIpusHave) {
  const std::string text = recordText(recorded());
  EXPECT_THAT(text, testing::StartsWith(
                        fmt::format(R"({{"ipusim_record":1,"ipu":"gc200","ipus":{},"system":"{}",)",
                                    GetParam(), GetParam() == 1 ? "" : "m2000")));
}

TEST_P(RecordFile, OfSeveralEnginesHasARecordOfEach) {
  const std::string one = recordText(recorded());
  EXPECT_EQ(recordsIn(one + one, "a.rec").size(), 2U);
}

TEST_P(RecordFile, ThatSaysAnotherNumberOfIpusIsRefused) {
  const std::string ipus = fmt::format("\"ipus\":{}", GetParam());
  EXPECT_EQ(faultOf(with(recordText(recorded()), ipus, "\"ipus\":3")),
            fmt::format("a.rec: ipus: wanted {}, as the programs of the record have, found 3",
                        GetParam()));
}

TEST_P(RecordFile, ThatIsCutOffIsRefusedWhereverThatIs) {
  const std::string text = recordText(recorded());
  for (std::size_t size = 0; size < text.size(); size += 1 + size / 50) {
    const std::string found = faultOf(text.substr(0, size));
    EXPECT_THAT(found, testing::StartsWith("a.rec: "));
    EXPECT_EQ(found.find('\n'), std::string::npos);
  }
  EXPECT_THAT(faultOf(text.substr(0, text.size() - 1)), HasSubstr("the file is cut off"));
}

TEST_P(RecordFile, ThatIsDamagedOrOfAnotherFormatIsRefused) {
  const std::string text = recordText(recorded());
  std::string damaged = text;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  EXPECT_THAT(faultOf(damaged), HasSubstr("the file is damaged"));
  EXPECT_THAT(faultOf(with(text, "record\":1", "record\":2")),
              HasSubstr("wanted version 1 of the format, found 2"));
  EXPECT_THAT(faultOf(text + "more"), HasSubstr("wanted an execution record"));
}

TEST_P(RecordFile, WhoseBytesEndTooEarlyIsRefusedByWhatItsListsSay) {
  const std::string text = recordText(recorded());
  const std::size_t line = text.find('\n') + 1;
  const std::string body = text.substr(line);
  const std::string less = body.substr(0, body.size() - 1);
  std::string head = text.substr(0, line);
  head = with(head, fmt::format("\"bytes\":{}", body.size()),
              fmt::format("\"bytes\":{}", less.size()));
  const auto hash_of = [](const std::string& bytes) {
    return fmt::format("{:016x}", ipusim::wordHash(bytes));
  };
  head = with(head, hash_of(body), hash_of(less));
  const std::string found = faultOf(head + less);
  EXPECT_THAT(found,
              testing::StartsWith("a.rec: wanted the bytes of a record of this version, found "
                                  "fewer bytes than its lists have: "));
  EXPECT_THAT(found, testing::EndsWith("; `ipusim poplar run --record` writes it anew"));
}

TEST_P(RecordFile, WhoseLineSaysOtherThanItsBytesIsRefused) {
  const RecordedProgram program = recorded();
  const std::string cycles = fmt::format("\"cycles\":{}", program.cycles.value());
  EXPECT_THAT(faultOf(with(recordText(program), cycles, "\"cycles\":7")),
              HasSubstr(fmt::format("cycles: wanted {}", program.cycles.value())));
  EXPECT_THAT(faultOf(with(recordText(program), R"("ipu":"gc200")", R"("ipu":"bow")")),
              HasSubstr("ipu: wanted \"gc200\""));
}

// A few megabytes would stand for gigabytes of vertices.
TEST_P(RecordFile, WhoseReplayHasTooManyVerticesIsRefused) {
  constexpr std::uint32_t kMany = 20'000;
  RecordedProgram program = recorded();
  ipusim::TileProgram& tile = program.run.programs.chips[0].tiles[0];
  std::vector<ipusim::TileOp> ops(tile.ops.begin(), tile.ops.end());
  std::vector<ipusim::VertexRun> vertices(tile.vertices.begin(), tile.vertices.end());
  const auto compute = std::find_if(ops.begin(), ops.end(), [](const ipusim::TileOp& op) {
    return op.kind == ipusim::OpKind::Compute;
  });
  ASSERT_NE(compute, ops.end());
  const ipusim::VertexRun run = vertices[compute->first];
  compute->first = static_cast<std::uint32_t>(vertices.size());
  compute->count = kMany;
  vertices.insert(vertices.end(), kMany, run);
  auto& changes = program.run.ipus[0].changes[0];
  changes.clear();
  for (std::uint64_t play = 0; play < kMany; ++play) {
    changes.push_back({compute->step, 0, play, ipusim::Cycles(play)});
  }
  tile.ops = std::move(ops);
  tile.vertices = std::move(vertices);
  EXPECT_THAT(faultOf(recordText(program)),
              HasSubstr("wanted a replay of at most 100000000 runs of vertices, found 400"));
}

/// A record whose hash is that of its bytes.
std::string sealed(const std::string& head, const std::string& body) {
  const std::size_t digits = head.find("\"hash\":\"") + 8;
  return head.substr(0, digits) + fmt::format("{:016x}", ipusim::wordHash(body)) + "\"}\n" + body;
}

/// The bytes with one to three others among them.
std::string changed(std::string bytes, std::mt19937_64& random) {
  for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
    bytes[random() % bytes.size()] = static_cast<char>(random() % 4 == 0 ? random() : random() % 9);
  }
  return bytes;
}

/// A record, and the cycles that the closed form finds.
using Played = std::pair<RecordedProgram, ipusim::Cycles>;

/// Adds what the closed form plays of a file. Returns whether it was refused.
bool isRefused(const std::string& text, std::vector<Played>& played) {
  try {
    for (RecordedProgram& program : recordsIn(text, "a.rec")) {
      const ipusim::Cycles computed = replayByClosedForm(program).tiles.end;
      played.emplace_back(std::move(program), computed);
    }
  } catch (const ConfigError&) {
    return true;
  } catch (const ipusim::CountError&) {
    return true;
  }
  return false;
}

// Both engines play it, or one line says what is wrong with it. The chips come last: exceptions
// behind SystemC's coroutines confuse the address sanitizer.
TEST_P(RecordFile, ThatWasMadeToDoHarmIsPlayedOrRefused) {
  const std::string text = recordText(recorded());
  const std::size_t end = text.find('\n') + 1;
  std::mt19937_64 random(GetParam());
  std::size_t refused = 0;
  std::vector<Played> played;
  for (int i = 0; i < 2000; ++i) {
    const std::string body = changed(text.substr(end), random);
    if (isRefused(sealed(text.substr(0, end), body), played)) ++refused;
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(played.size(), 100U);
  for (const auto& [program, computed] : played) {
    EXPECT_EQ(replayOnChips(program).tiles.end, computed);
  }
}

}  // namespace
