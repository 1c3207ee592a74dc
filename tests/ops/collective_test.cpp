// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/collective/collective.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/compile/compile.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"

namespace ipusim::workloads {
namespace {

using models::Collective;
using models::CollectiveKind;
using models::CollectiveMethod;
using models::toyPodTable;
using models::toySystem;
using testing::HasSubstr;

constexpr std::array kMethods = {"ring",      "opposite_rings", "meet_in_the_middle",
                                 "quad_ring", "broadcast",      "published",
                                 "cheapest"};
constexpr std::array kRingOps = {"all_reduce", "reduce_scatter", "all_gather"};
constexpr std::array kCopyOps = {"broadcast", "all_to_all", "permute"};

ConfigReader configOf(const std::string& machine, const std::string& workload) {
  return ConfigReader::fromText(
      fmt::format("machine = {}\n[workload]\nkind = \"collective\"\n{}\n", machine, workload),
      "test.toml");
}

void expectRightNumbers(const std::string& machine, const std::string& workload) {
  const run::NumberCheck check =
      run::checkNumbers(run::prepare(configOf(machine, workload)), {executor::Checking::Strict, 1});
  EXPECT_TRUE(check.found.ok) << machine << ": " << workload << ": " << check.found.output
                              << " wanted " << check.found.wanted << " found " << check.found.found;
}

/// The toy system with other keys, such as racks.
std::string toyPodWith(std::uint32_t ipus, const std::string& keys) {
  std::string table = toyPodTable(ipus);
  table.pop_back();
  return table + ", " + keys + "}";
}

// Tensors of a few elements, some fewer than tiles or fragments, and of many.
TEST(Collective, GivesEveryMemberTheRightNumbers) {
  for (const std::uint32_t ipus : {2U, 4U, 6U, 8U}) {
    for (const char* op : kRingOps) {
      for (const char* method : kMethods) {
        for (const std::uint32_t elements : {5U, 64U, 333U}) {
          for (const char* type : {"float", "half"}) {
            expectRightNumbers(
                toyPodTable(ipus),
                fmt::format("op = \"{}\"\nmethod = \"{}\"\nelements = {}\ntype = \"{}\"", op,
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
      expectRightNumbers(toyPodTable(ipus), fmt::format("op = \"{}\"\nelements = 120", op));
    }
  }
}

constexpr std::array kGroups = {"groups = \"consecutive\"\ngroup_size = 4",
                                "groups = \"orthogonal\"\ngroup_size = 2",
                                "groups = \"strided\"\ngroup_size = 2\ngroup_stride = 2"};

TEST(Collective, GivesTheMembersOfGroupsTheRightNumbers) {
  for (const char* groups : kGroups) {
    for (const char* op :
         {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all", "permute"}) {
      expectRightNumbers(toyPodTable(8),
                         fmt::format("op = \"{}\"\n{}\nelements = 120", op, groups));
    }
  }
}

// Two racks of four IPUs, and three of two, between which there is no ring.
TEST(Collective, GivesTheRightNumbersOverSeveralRacks) {
  for (const std::string& machine :
       {toyPodWith(8, "rack_ipus = 4"), toyPodWith(6, "rack_ipus = 2")}) {
    for (const char* op : kRingOps) {
      for (const char* method : kMethods) {
        expectRightNumbers(machine,
                           fmt::format("op = \"{}\"\nmethod = \"{}\"\nelements = 333", op, method));
      }
    }
  }
}

TEST(Collective, GivesTheRightNumbersOnOtherTopologies) {
  const std::string torus = toyPodWith(16, "layout = \"torus\"");
  const std::string ring =
      toyPodWith(4, R"(layout = "edges", edges = ["0-2 x1", "2-1 x1", "1-3 x1", "3-0 x1"])");
  for (const char* method : kMethods) {
    const std::string sum = fmt::format("op = \"all_reduce\"\nmethod = \"{}\"\n", method);
    expectRightNumbers(torus, sum + "elements = 1000");
    expectRightNumbers(torus, sum + "elements = 100\ngroups = \"orthogonal\"\ngroup_size = 4");
    expectRightNumbers(ring, sum + "elements = 100");
  }
}

/// A group of `elements` floats per IPU, evenly on its four tiles.
Group groupOf(Graph& graph, std::uint32_t ipus, std::uint64_t elements) {
  Group group;
  for (std::uint32_t ipu = 0; ipu < ipus; ++ipu) {
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
  for (const GlobalExchange& exchange : executable.programs.exchanges) {
    cycles += exchange.sync + exchange.transfer;
  }
  return cycles;
}

/// The formula of a collective on the toy system: a step costs its sync and 50 cycles, and 64 B
/// travel as 68 B. A link moves 1 B per cycle.
double formulaCycles(const Collective& collective, const System& system, double links) {
  const double clock = system.ipu.clock_hz;
  const double step = models::externalSyncSeconds(system, system.ipus) + 50 / clock;
  return collectiveSeconds(collective, {step, links * clock * 64 / 68}) * clock;
}

/// Holds the links of a compiled all-reduce against its formula. Every tile has whole packets of
/// every fragment, so that the formula's bytes are those on the links.
void expectFormula(const System& system, CollectiveMethod method, double links) {
  const std::uint64_t elements = std::uint64_t{4} * 16 * 4 * system.ipus;
  const models::CollectiveTask task{
      {system.ipus, system.ipus, 1}, CollectiveKind::AllReduce, Bytes(4 * elements)};
  Graph graph;
  const Group group = groupOf(graph, system.ipus, elements);
  const auto plan = planCollective(system, task, {models::CollectiveRule::Fixed, method});
  graph.program().add(allReduce(graph, group, plan, "sum"));
  const double formula = formulaCycles({task.kind, method, system.ipus, task.bytes}, system, links);
  EXPECT_NEAR(static_cast<double>(globalCycles(compiler::compile(graph, system)).value()), formula,
              1e-9 * formula)
      << system.ipus << " IPUs, method " << static_cast<int>(method);
}

// A rail has two links, the rung of two IPUs four.
TEST(Collective, TakesTheTimeOfItsFormulaOnTheLinks) {
  for (const std::uint32_t ipus : {2U, 4U, 8U}) {
    for (const auto method : {CollectiveMethod::Ring, CollectiveMethod::OppositeRings,
                              CollectiveMethod::MeetInTheMiddle}) {
      expectFormula(toySystem(ipus), method, ipus == 2 ? 4 : 2);
    }
  }
  const System torus = readSystem(
      ConfigReader::fromText("machine = " + toyPodWith(8, "layout = \"torus\""), "torus.toml"));
  expectFormula(torus, CollectiveMethod::QuadRing, 2);
  // 8 flows share a rail in the middle, and 7 come to each member.
  expectFormula(toySystem(8), CollectiveMethod::Broadcast, 2 * 7.0 / 8);
}

TEST(Collective, RunsOneProgramOnAllIpus) {
  Graph graph;
  const Group group = groupOf(graph, 8, 512);
  graph.program().add(allReduce(graph, group, models::oneRing(8, CollectiveMethod::Ring), "sum"));
  const compiler::Executable executable = compiler::compile(graph, toySystem(8));
  EXPECT_EQ(executable.programs.chips.size(), 1U);
  EXPECT_EQ(executable.programs.exchanges.size(), 14U);
}

TEST(Collective, RefusesMembersThatLieUnlike) {
  Graph graph;
  const Tensor a = graph.addVariable(ElementType::Float, {8}, "a");
  const Tensor b = graph.addVariable(ElementType::Float, {8}, "b");
  graph.setTileMapping(a, TileId(0));
  graph.setTileMapping(b.slice(0, 4, 0), TileId(4));
  graph.setTileMapping(b.slice(4, 8, 0), TileId(5));
  EXPECT_THAT(errorOf<GraphError>([&] {
                allReduce(graph, {a, b}, models::oneRing(2, CollectiveMethod::Ring), "sum");
              }),
              HasSubstr("sum: wanted members that lie alike, found b beside a"));
  EXPECT_THAT(
      errorOf<GraphError>([&] {
        allReduce(graph, {a.slice(0, 4, 0), b}, models::oneRing(2, CollectiveMethod::Ring), "sum");
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
      "\"1-2 x1\"], ipu = {base = \"toy\"}}\n[workload]\nkind = \"collective\"\nelements = 1200\n";
  const auto prepared = [&](const char* op) {
    return run::prepare(
        ConfigReader::fromText(edges + fmt::format("op = \"{}\"\n", op), "test.toml"));
  };
  EXPECT_THAT(configErrorOf([&] { prepared("all_reduce"); }),
              HasSubstr("workload.method: wanted \"broadcast\", as a ring"));
  EXPECT_TRUE(run::checkNumbers(prepared("all_to_all")).found.ok);
}

TEST(Collective, RefusesGroupsThatDoNotCoverTheSystem) {
  const auto error = [](const char* groups) {
    return configErrorOf([&] {
      run::prepare(
          configOf(toyPodTable(8), fmt::format("op = \"permute\"\nelements = 4\n{}", groups)));
    });
  };
  EXPECT_THAT(error("groups = \"consecutive\"\ngroup_size = 3"),
              HasSubstr("workload.group_size: wanted a divisor of the 8 IPUs, found 3"));
  EXPECT_THAT(error("groups = \"strided\"\ngroup_size = 2\ngroup_stride = 3"),
              HasSubstr("workload.group_stride: wanted a divisor of the 4 groups, found 3"));
  EXPECT_THAT(error("group_size = 2"), HasSubstr("group_size"));
}

TEST(Collective, TheCheapestMethodTakesNoLongerThanAnyOther) {
  for (const std::uint32_t elements : {64U, 6'400U}) {
    const auto cycles = [&](const char* method) {
      const auto config = configOf(
          toyPodTable(8),
          fmt::format("op = \"all_gather\"\nmethod = \"{}\"\nelements = {}", method, elements));
      return globalCycles(run::prepare(config).executable);
    };
    const Cycles cheapest = cycles("cheapest");
    for (const char* method : kMethods) EXPECT_LE(cheapest, cycles(method)) << method;
  }
}

}  // namespace
}  // namespace ipusim::workloads
