// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/collective/collective.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/compile/compile.h"
#include "sim/run/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"

namespace ipusim::workloads {
namespace {

using models::Collective;
using models::CollectiveKind;
using models::CollectiveMethod;
using models::toyPod;
using models::toyPodTable;
using testing::HasSubstr;

constexpr std::array kMethods = {"ring", "opposite_rings", "meet_in_the_middle", "published",
                                 "cheapest"};
constexpr std::array kRingOps = {"all_reduce", "reduce_scatter", "all_gather"};
constexpr std::array kCopyOps = {"broadcast", "all_to_all", "permute"};

ConfigReader configOf(std::uint32_t ipus, const std::string& workload) {
  return ConfigReader::fromText(fmt::format("machine = {}\n[workload]\nkind = \"collective\"\n{}\n",
                                            toyPodTable(ipus), workload),
                                "test.toml");
}

void expectRightNumbers(std::uint32_t ipus, const std::string& workload) {
  const run::NumberCheck check =
      run::checkNumbers(run::prepare(configOf(ipus, workload)), {checker::Checking::Strict, 1});
  EXPECT_TRUE(check.found.ok) << ipus << " IPUs: " << workload << ": " << check.found.output
                              << " wanted " << check.found.wanted << " found " << check.found.found;
}

// Tensors of a few elements, some fewer than tiles or fragments, and of many.
TEST(Collective, GivesEveryMemberTheRightNumbers) {
  for (const std::uint32_t ipus : {2U, 4U, 6U, 8U}) {
    for (const char* op : kRingOps) {
      for (const char* method : kMethods) {
        for (const std::uint32_t elements : {5U, 64U, 333U}) {
          for (const char* type : {"float", "half"}) {
            expectRightNumbers(
                ipus, fmt::format("op = \"{}\"\nmethod = \"{}\"\nelements = {}\ntype = \"{}\"", op,
                                  method, elements, type));
          }
        }
      }
    }
  }
}

TEST(Collective, CopiesToTheRightMembers) {
  for (const std::uint32_t ipus : {2U, 4U, 6U}) {
    for (const char* op : kCopyOps) {
      expectRightNumbers(ipus, fmt::format("op = \"{}\"\nelements = 120", op));
    }
  }
}

/// A group of `elements` floats per IPU, evenly on its four tiles.
Group groupOf(Graph& graph, std::uint32_t ipus, std::uint64_t elements) {
  Group group;
  for (const std::uint32_t ipu : models::ladderRing(ipus)) {
    const Tensor tensor = graph.addVariable(ElementType::Float, {elements},
                                            fmt::format("member{}", ipu), Lifetime::Always);
    for (std::uint32_t t = 0; t < 4; ++t) {
      graph.setTileMapping(tensor.slice(t * elements / 4, (t + 1) * elements / 4, 0),
                           TileId(ipu * 4 + t));
    }
    group.push_back(tensor);
  }
  return group;
}

/// The time of all global exchanges of an executable, in cycles.
Cycles globalCycles(const compiler::Executable& executable) {
  Cycles cycles;
  for (const GlobalExchange& exchange : executable.pod->programs.exchanges) {
    cycles += exchange.sync + exchange.transfer;
  }
  return cycles;
}

/// The formula of a collective on the toy ladder: a step costs its sync and 50 cycles, a rail moves
/// 2 B per cycle, the rung of two IPUs 4, and 64 B travel as 68 B.
double formulaCycles(const Collective& collective, const Pod& pod) {
  const double clock = pod.ipu.clock_hz;
  const double step = models::externalSyncSeconds(pod, pod.ipus) + 50 / clock;
  const double rate = (pod.ipus == 2 ? 4 : 2) * clock * 64 / 68;
  return collectiveSeconds(collective, {step, rate}) * clock;
}

// Every tile has whole packets of every fragment, so that the formula's bytes are those on the
// links.
TEST(Collective, TakesTheTimeOfItsFormulaOnTheLinks) {
  for (const std::uint32_t ipus : {2U, 4U, 8U}) {
    const Pod pod = toyPod(ipus);
    const std::uint64_t elements = std::uint64_t{4} * 16 * 2 * ipus;
    for (const auto method : {CollectiveMethod::Ring, CollectiveMethod::OppositeRings,
                              CollectiveMethod::MeetInTheMiddle}) {
      Graph graph;
      const Group group = groupOf(graph, ipus, elements);
      graph.program().add(allReduce(graph, group, method, "sum"));
      const Collective collective{CollectiveKind::AllReduce, method, ipus, Bytes(4 * elements)};
      const double formula = formulaCycles(collective, pod);
      EXPECT_NEAR(static_cast<double>(globalCycles(compiler::compile(graph, pod)).value()), formula,
                  1e-9 * formula)
          << ipus << " IPUs, method " << static_cast<int>(method);
    }
  }
}

TEST(Collective, RunsOneProgramOnAllIpus) {
  Graph graph;
  const Group group = groupOf(graph, 8, 512);
  graph.program().add(allReduce(graph, group, CollectiveMethod::Ring, "sum"));
  const compiler::Executable executable = compiler::compile(graph, toyPod(8));
  EXPECT_EQ(executable.pod->programs.chips.size(), 1U);
  EXPECT_EQ(executable.pod->programs.exchanges.size(), 14U);
}

TEST(Collective, RefusesMembersThatLieUnlike) {
  Graph graph;
  const Tensor a = graph.addVariable(ElementType::Float, {8}, "a");
  const Tensor b = graph.addVariable(ElementType::Float, {8}, "b");
  graph.setTileMapping(a, TileId(0));
  graph.setTileMapping(b.slice(0, 4, 0), TileId(4));
  graph.setTileMapping(b.slice(4, 8, 0), TileId(5));
  EXPECT_THAT(errorOf<GraphError>([&] {
                allReduce(graph, {a, b}, CollectiveMethod::Ring, "sum");
              }),
              HasSubstr("sum: wanted members that lie alike, found b beside a"));
  EXPECT_THAT(errorOf<GraphError>([&] {
                allReduce(graph, {a.slice(0, 4, 0), b}, CollectiveMethod::Ring, "sum");
              }),
              HasSubstr("sum: wanted whole variables, found a part of a"));
}

TEST(Collective, NeedsSeveralIpusAndAnEvenRing) {
  EXPECT_THAT(configErrorOf([] {
                run::prepare(ConfigReader::fromText(
                    "machine = \"toy\"\n[workload]\nkind = \"collective\"\nop = \"permute\"\n"
                    "elements = 4\n",
                    "test.toml"));
              }),
              HasSubstr("workload.kind: wanted another one, or a machine of several IPUs"));
  const std::string edges =
      "machine = {base = \"m2000\", ipus = 3, layout = \"edges\", edges = [\"0-1 x1\", "
      "\"1-2 x1\"], ipu = {base = \"toy\"}}\n[workload]\nkind = \"collective\"\nelements = 12\n";
  const auto prepared = [&](const char* op) {
    return run::prepare(
        ConfigReader::fromText(edges + fmt::format("op = \"{}\"\n", op), "test.toml"));
  };
  EXPECT_THAT(configErrorOf([&] { prepared("all_reduce"); }),
              HasSubstr("workload.op: wanted one that needs no ring"));
  EXPECT_TRUE(run::checkNumbers(prepared("all_to_all")).found.ok);
}

TEST(Collective, TheCheapestMethodTakesNoLongerThanAnyOther) {
  for (const std::uint32_t elements : {64U, 6'400U}) {
    const auto cycles = [&](const char* method) {
      const auto config = configOf(
          8, fmt::format("op = \"all_gather\"\nmethod = \"{}\"\nelements = {}", method, elements));
      return globalCycles(run::prepare(config).executable);
    };
    const Cycles cheapest = cycles("cheapest");
    for (const char* method : kMethods) EXPECT_LE(cheapest, cycles(method)) << method;
  }
}

}  // namespace
}  // namespace ipusim::workloads
