// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/run/check/check_digests.h"
#include "sim/run/replay.h"
#include "tests/property/draw.h"
#include "tests/property/sound_run.h"
#include "tests/support/temporary_folder.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

// Small random traces: vertices and copies on a few tiles in loops, functions, decisions and their
// record. Each is a legal program, and so is what the writer makes of it.

namespace ipusim::run {
namespace {

/// Draws the lines of a trace for `tiles` tiles. A trace without vertices has numbers too, since
/// nobody knows what a hand-written vertex computes.
class RandomTrace {
 public:
  RandomTrace(std::uint64_t seed, std::uint64_t tiles, bool has_vertices)
      : draw_(seed),
        tiles_(tiles),
        elements_(kGrain * (1 + draw_.below(3))),
        has_vertices_(has_vertices) {}

  std::string text() {
    std::string text = "{\"ipt\": 1}\n";
    for (std::uint64_t v = 0; v < kVariables; ++v) {
      text += fmt::format(R"({{"variable": "v{}", "elements": {}, {}"tiles": "{}"}})"
                          "\n",
                          v, tiles_ * elements_, v == 0 || draw_.once(2) ? kAlways : "", all());
    }
    text += fmt::format(R"({{"variable": "flag", "elements": 1, {}"tiles": "0"}})"
                        "\n",
                        kAlways);
    if (has_vertices_) text += computeSets();
    text += copies();
    text += fmt::format("{{\"function\": \"f\", \"program\": [{}]}}\n", steps(1));
    names_.emplace_back("\"f\"");
    // A decision outside of all loops has one entry in the record.
    const std::string program = steps(3) + (has_vertices_ ? decision() : "");
    text += fmt::format("{{\"program\": [{}]}}\n", program);
    if (has_vertices_) {
      text += fmt::format("{{\"record\": {{\"branches\": [[{}]]}}}}\n", draw_.below(2));
    }
    return text;
  }

 private:
  static constexpr std::uint64_t kVariables = 4;
  static constexpr std::uint64_t kGrain = 32;  // floats in the 128 bytes that a tile gets at least
  static constexpr const char* kAlways = "\"lifetime\": \"always\", ";

  [[nodiscard]] std::string all() const { return fmt::format("0-{}", tiles_ - 1); }

  std::string computeSets() {
    std::string text = fmt::format(
        R"({{"vertex": "t", "cycles": {}, "flops": {}, "state_bytes": {}, "fields": [)"
        R"({{"name": "in", "direction": "in", "elements": {}}}, )"
        R"({{"name": "out", "direction": "out", "elements": {}}}]}})"
        "\n",
        1 + draw_.below(500), draw_.below(100), 4 * draw_.below(8), elements_, elements_);
    const std::uint64_t sets = 1 + draw_.below(3);
    for (std::uint64_t s = 0; s < sets; ++s) {
      const auto [from, to] = pair();
      text += fmt::format(
          "{{\"compute_set\": \"s{}\"}}\n"
          "{{\"vertices\": [{{\"type\": \"t\", \"data\": [\"v{}\", \"v{}\"]}}], \"tiles\": "
          "\"{}\"}}\n",
          s, from, to, all());
      names_.push_back(fmt::format("\"s{}\"", s));
    }
    return text;
  }

  /// Copies of whole variables, and of parts that lie on other tiles than where they go.
  std::string copies() {
    std::string text;
    const std::uint64_t count = 1 + draw_.below(3);
    for (std::uint64_t c = 0; c < count; ++c) {
      const auto [from, to] = pair();
      const std::uint64_t part = elements_ * (1 + draw_.below(tiles_));
      const std::uint64_t most = elements_ * tiles_ - part;
      const std::uint64_t first = most == 0 ? 0 : draw_.below(most);
      text +=
          fmt::format(R"({{"copy": "c{}", "from": ["v{}", {}, {}, 1], "to": ["v{}", {}, {}, 1]}})"
                      "\n",
                      c, from, first, part, to, most - first, part);
      names_.push_back(fmt::format("\"c{}\"", c));
    }
    return text;
  }

  std::pair<std::uint64_t, std::uint64_t> pair() {
    const std::uint64_t from = draw_.below(kVariables);
    return {from, (from + 1 + draw_.below(kVariables - 1)) % kVariables};
  }

  /// Steps in loops of at most `depth` levels.
  std::string steps(std::uint64_t depth) {
    std::vector<std::string> all;
    const std::uint64_t count = 1 + draw_.below(4);
    for (std::uint64_t s = 0; s < count; ++s) {
      if (depth > 0 && draw_.once(3)) {
        all.push_back(fmt::format("{{\"repeat\": {}, \"body\": [{}]}}", 1 + draw_.below(5),
                                  steps(depth - 1)));
      } else {
        all.push_back(draw_.of(names_));
      }
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  std::string decision() {
    return fmt::format(R"(, {{"if": ["flag", 0], "then": [{}], "else": [{}]}})", draw_.of(names_),
                       draw_.of(names_));
  }

  Draw draw_;
  std::uint64_t tiles_;
  std::uint64_t elements_;  // of a variable on a tile
  bool has_vertices_;
  std::vector<std::string> names_;  // of steps, in quotes
};

class SmallTraces : public testing::Test {
 protected:
  [[nodiscard]] ConfigReader configOf(const std::string& text) const {
    return ConfigReader::fromText(
        fmt::format("machine = {{base = \"toy\", tiles = {}}}\n[workload]\nkind = \"trace\"\n"
                    "file = \"{}\"\n",
                    tiles_, folder_.write("t.ipt", text).string()),
        "test");
  }
  /// What the writer makes of a trace.
  [[nodiscard]] std::string rewritten(const std::string& text) const {
    BuiltConfig built = build(configOf(text));
    const workloads::Trace trace = workloads::traceOf(
        std::move(built.workload), built.workload_kind, built.system.machineName());
    return workloads::traceText(trace, built.system.allTiles());
  }
  [[nodiscard]] std::vector<std::uint64_t> digests(const std::string& text) const {
    const Experiment experiment = prepare(configOf(text));
    std::vector<std::uint64_t> all;
    for (const VariableDigest& one :
         digestsOf(experiment.workload.graph, experiment.executable, experiment.workload.below)) {
      all.push_back(one.digest);
    }
    return all;
  }
  [[nodiscard]] Cycles cycles(const std::string& text) const {
    return simulate(configOf(text), Engine::ClosedForm).time.cycles;
  }

  TemporaryFolder folder_;
  std::uint64_t tiles_ = 1;
};

TEST_F(SmallTraces, RunAndComeBackFromTheWriter) {
  constexpr std::uint64_t kTraces = 200;
  for (std::uint64_t seed = 1; seed <= kTraces; ++seed) {
    Draw draw(seed);
    tiles_ = draw.of<std::uint64_t>({1, 2, 4, 16});
    const bool has_vertices = draw.once(2);
    const std::string text = RandomTrace(draw.below(1U << 30U), tiles_, has_vertices).text();
    SCOPED_TRACE(text);
    EXPECT_TRUE(replayProgram(configOf(text)).checked_all);
    expectSoundRun(configOf(text), Numbers::Unchecked);
    if (HasFatalFailure()) return;
    const std::string again = rewritten(text);
    EXPECT_EQ(cycles(again), cycles(text));
    if (!has_vertices) {
      EXPECT_EQ(digests(again), digests(text));
    }
  }
}

}  // namespace
}  // namespace ipusim::run
