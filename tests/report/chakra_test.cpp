// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/chakra/chakra.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ipusim/predict.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "sim/interop/chakra/graph_of.h"
#include "sim/interop/chakra/trace.h"
#include "sim/run/simulate.h"
#include "sim/run/summary/summarize.h"
#include "tests/compile/toy_graph.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"

namespace ipusim::report {
namespace {

using interop::chakra::ChakraGraph;
using interop::chakra::graphOf;
using interop::chakra::Node;
using interop::chakra::NodeType;
using interop::chakra::readTrace;
using interop::chakra::Trace;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// The trace of a graph that is compiled for `machine` and played.
Trace traceOf(const Graph& graph, const Machine& machine) {
  const compiler::Executable executable = compiler::compile(graph, machine);
  const ChipResult measured = models::closedForm(executable.programs.only());
  return interop::chakraOf(executable, run::summarizeRun(graph, executable, {measured, {}}));
}

/// The trace of a config, with or without copies from the host and to it.
Trace traceOfConfig(const std::string& workload, bool host = true) {
  const std::string copies = host ? "host = {copy_in = true, copy_out = true}\n" : "";
  const run::Experiment experiment = run::prepare(ConfigReader::fromText(
      "machine = \"toy\"\n" + copies + "workload = " + workload + "\n", "test.toml"));
  const ChipResult measured = models::closedForm(experiment.executable.programs.only());
  return interop::chakraOf(experiment.executable, run::summarize(experiment, {measured, {}}));
}

Trace matmulTrace() {
  return traceOfConfig("{kind = \"matmul\", m = 16, k = 32, n = 16, type = \"float\"}");
}

Trace read(const std::string& text) {
  return readTrace(text, "t.json");
}

std::string faultOf(const std::string& text) {
  return configErrorOf([&] { graphOf(read(text), "t.json", readPreset("toy")); });
}

std::vector<std::uint64_t> ids(const Trace& trace, NodeType type) {
  std::vector<std::uint64_t> found;
  for (const Node& node : trace.nodes) {
    if (node.type == type) found.push_back(node.id);
  }
  return found;
}

TEST(ChakraTrace, HasANodeForEveryStepThatIsNoSync) {
  const Trace trace = matmulTrace();
  ASSERT_GE(trace.nodes.size(), 4U);
  EXPECT_EQ(trace.nodes.front().type, NodeType::MemLoad);
  EXPECT_EQ(trace.nodes.back().type, NodeType::MemStore);
  EXPECT_THAT(ids(trace, NodeType::CommColl), testing::Not(IsEmpty()));
  std::uint64_t operations = 0;
  for (const Node& node : trace.nodes) {
    EXPECT_GT(node.count("cycles").value_or(0), 0U) << node.name;
    operations += node.count("num_ops").value_or(0);
  }
  EXPECT_GE(operations, 2U * 16 * 32 * 16);
}

TEST(ChakraTrace, DependenciesLeadFromTheHostThroughTheProductToTheHost) {
  const Trace trace = matmulTrace();
  std::vector<bool> from_host(trace.nodes.size(), false);
  from_host[0] = true;
  for (const Node& node : trace.nodes) {
    for (const std::uint64_t dep : node.data_deps) {
      ASSERT_LT(dep, node.id);
      if (from_host[dep]) from_host[node.id] = true;
    }
    if (node.id > 0) {
      EXPECT_THAT(node.ctrl_deps, ElementsAre(node.id - 1));
    }
  }
  EXPECT_TRUE(from_host.back());
}

TEST(ChakraTrace, UnrollsLoopsUpToALimit) {
  Graph graph;
  const Tensor a = graph.addVariable(ElementType::Float, {8}, "a", Lifetime::Always);
  const Tensor b = graph.addVariable(ElementType::Float, {8}, "b", Lifetime::Always);
  graph.setTileMapping(a, TileId(0));
  graph.setTileMapping(b, TileId(1));
  graph.program().add(repeat(3, {graph.copy(a, b, "go"), graph.copy(b, a, "back")}));
  const Machine machine = readPreset("toy");
  const Trace trace = traceOf(graph, machine);
  ASSERT_EQ(trace.nodes.size(), 6U);
  EXPECT_EQ(trace.nodes[4].name, "go/Exchange");
  EXPECT_EQ(trace.nodes[4].count("comm_size"), 32U);
  EXPECT_THAT(trace.nodes[0].data_deps, IsEmpty());
  EXPECT_THAT(trace.nodes[1].data_deps, ElementsAre(0));
  EXPECT_THAT(trace.nodes[2].data_deps, ElementsAre(0, 1));

  const compiler::Executable executable = compiler::compile(graph, machine);
  const Result result =
      run::summarizeRun(graph, executable, {models::closedForm(executable.programs.only()), {}});
  EXPECT_EQ(interop::chakraOf(executable, result, 6).nodes.size(), 6U);
  EXPECT_THAT(configErrorOf([&] { interop::chakraOf(executable, result, 5); }),
              HasSubstr("at most 5 nodes"));
}

TEST(ChakraTrace, OfALongLoopIsRefusedBeforeItIsUnrolled) {
  Graph graph;
  const Tensor a = graph.addVariable(ElementType::Float, {8}, "a", Lifetime::Always);
  const Tensor b = graph.addVariable(ElementType::Float, {8}, "b", Lifetime::Always);
  graph.setTileMapping(a, TileId(0));
  graph.setTileMapping(b, TileId(1));
  constexpr std::uint64_t kMany = 1'000'000;
  graph.program().add(repeat(kMany, {repeat(kMany, {graph.copy(a, b, "go")})}));
  const compiler::Executable executable = compiler::compile(graph, readPreset("toy"));
  Result result;
  result.steps.resize(executable.lowered.steps.size());
  EXPECT_THAT(configErrorOf([&] { interop::chakraOf(executable, result, 1'000'000); }),
              HasSubstr("at most 1000000 nodes"));
}

/// A program on four toy IPUs: IPU 0 sends to two tiles of IPU 1 and to IPU 2, which then scales.
Trace traceOfSystem() {
  compiler::ToyGraph toy;
  const Tensor from = toy.on(0, 16, Lifetime::Always);
  std::vector<CopyPair> pairs;
  for (const std::uint32_t tile : {4U, 5U, 8U}) {
    pairs.push_back({from, toy.on(tile, 16, Lifetime::Always)});
  }
  toy.graph.program().add(toy.graph.copy(pairs, "spread"));
  toy.graph.program().add(toy.scale(8, pairs[2].to, toy.on(8, 16, Lifetime::Always)));
  const compiler::Executable executable = compiler::compile(toy.graph, models::toySystem(4));
  const MeasuredSystem measured = models::closedForm(executable.programs);
  const ChipResult all = overAllIpus(executable.programs, measured);
  return interop::chakraOf(executable, run::summarizeRun(toy.graph, executable, {all, {}}));
}

// The data for both tiles of IPU 1 cross the links once, and are spread there.
TEST(ChakraTrace, HasANodeForEachPairOfIpusThatExchange) {
  const Trace trace = traceOfSystem();
  ASSERT_EQ(trace.nodes.size(), 4U);
  for (const std::uint64_t ipu : {1U, 2U}) {
    const Node& node = trace.nodes[ipu - 1];
    EXPECT_EQ(node.type, NodeType::CommSend);
    EXPECT_EQ(node.count("comm_src"), 0U);
    EXPECT_EQ(node.count("comm_dst"), ipu);
    EXPECT_EQ(node.count("comm_size"), 64U);
    EXPECT_THAT(node.ctrl_deps, IsEmpty());
  }
  EXPECT_EQ(trace.nodes[2].type, NodeType::CommColl);
  EXPECT_THAT(trace.nodes[2].ctrl_deps, ElementsAre(0, 1));
  EXPECT_EQ(trace.nodes[3].type, NodeType::Comp);
  EXPECT_THAT(trace.nodes[3].ctrl_deps, ElementsAre(2));
}

TEST(ChakraTrace, WrittenAndReadAgainIsTheSame) {
  for (const Trace& trace :
       {matmulTrace(), traceOfConfig("{kind = \"butterfly\", features = 16, batch = 4, twiddles = "
                                     "\"tied\", order = \"increasing\", type = \"float\"}")}) {
    const std::string text = textOf(trace);
    const Trace again = read(text);
    EXPECT_EQ(again.version, trace.version);
    EXPECT_EQ(again.attributes, trace.attributes);
    EXPECT_EQ(again.nodes, trace.nodes);
    EXPECT_EQ(textOf(again), text);
  }
}

/// A diamond of two computes that both need an exchange, and an exchange that needs both.
constexpr const char* kDiamond = R"({"version": "1.0.0"}
{"id": "0", "name": "first", "type": "COMP_NODE", "attr": [{"name": "is_cpu_op", "boolVal": false},
  {"name": "cycles", "uint64Val": "500"}, {"name": "num_ops", "int64Val": "64"},
  {"name": "tensor_size", "uint64Val": "128"}]}
{"id": "1", "name": "spread/Exchange", "type": "COMM_COLL_NODE", "ctrlDeps": ["0"],
 "dataDeps": ["0"], "attr": [{"name": "comm_type", "int64Val": "0"},
  {"name": "comm_size", "int64Val": "1000"}]}
{"id": "2", "name": "left", "type": "COMP_NODE", "ctrlDeps": ["1"], "dataDeps": ["1"],
 "attr": [{"name": "cycles", "uint64Val": "700"}]}
{"id": "3", "name": "right", "type": "COMP_NODE", "ctrlDeps": ["2"], "dataDeps": ["0", "1"],
 "attr": [{"name": "cycles", "uint64Val": "900"}]}
{"id": "4", "name": "collect/Exchange", "type": "COMM_COLL_NODE", "ctrlDeps": ["3"],
 "dataDeps": ["2", "3"], "attr": [{"name": "comm_size", "int64Val": "44"}]}
)";

/// The nodes must be equal, but for the time of exchanges: the machine computes it.
void expectSameNodes(const Trace& after, const Trace& before) {
  ASSERT_EQ(after.nodes.size(), before.nodes.size());
  for (std::size_t i = 0; i < before.nodes.size(); ++i) {
    const Node& wanted = before.nodes[i];
    const Node& node = after.nodes[i];
    EXPECT_EQ(node.id, wanted.id);
    EXPECT_EQ(node.name, wanted.name);
    EXPECT_EQ(node.type, wanted.type);
    EXPECT_EQ(node.ctrl_deps, wanted.ctrl_deps);
    EXPECT_EQ(node.data_deps, wanted.data_deps) << wanted.name;
    EXPECT_EQ(node.count("comm_size"), wanted.count("comm_size"));
    if (wanted.type != NodeType::Comp) continue;
    EXPECT_EQ(node.count("cycles"), wanted.count("cycles")) << wanted.name;
    EXPECT_EQ(node.count("num_ops").value_or(0), wanted.count("num_ops").value_or(0));
    EXPECT_EQ(node.count("tensor_size").value_or(0), wanted.count("tensor_size").value_or(0));
  }
}

TEST(ChakraGraph, RunsAndGivesTheNodesItWasMadeFrom) {
  const Machine machine = readPreset("toy");
  for (const Trace& trace :
       {read(kDiamond),
        traceOfConfig("{kind = \"matmul\", m = 64, k = 64, n = 64, type = \"float\"}", false)}) {
    expectSameNodes(traceOf(graphOf(trace, "t.json", machine).graph, machine), trace);
  }
}

TEST(ChakraGraph, TakesTimeFromMicrosecondsAndFromOperations) {
  const Machine machine = readPreset("toy");
  const double peak = machine.peakFlopsPerCycle(ElementType::Float, ElementType::Float);
  const auto operations = static_cast<std::uint64_t>(peak * 250);
  const Trace trace = read(
      "{}\n{\"id\": 7, \"name\": \"a\", \"type\": 4, \"duration_micros\": 3}\n"
      "{\"id\": 5, \"name\": \"b\", \"type\": 4, \"data_deps\": [7], \"attr\": [{\"name\": "
      "\"num_ops\", \"int64_val\": " +
      std::to_string(operations) + "}]}\n");
  const Trace again = traceOf(graphOf(trace, "t.json", machine).graph, machine);
  ASSERT_EQ(again.nodes.size(), 2U);
  EXPECT_EQ(again.nodes[0].count("cycles"),
            static_cast<std::uint64_t>(std::llround(3e-6 * machine.clock_hz)));
  EXPECT_EQ(again.nodes[1].count("cycles"), 250U);
}

TEST(ChakraGraph, KeepsDependenciesThatTheOrderOfTheNodesBreaks) {
  const Trace trace = read(
      "{}\n{\"id\": \"1\", \"name\": \"late\", \"type\": \"COMP_NODE\", \"dataDeps\": [\"2\"]}\n"
      "{\"id\": \"2\", \"name\": \"early\", \"type\": \"COMP_NODE\"}\n"
      "{\"id\": \"3\", \"name\": \"last\", \"type\": \"COMP_NODE\"}\n");
  const Machine machine = readPreset("toy");
  const Graph graph = graphOf(trace, "t.json", machine).graph;
  ASSERT_EQ(graph.computeSets().size(), 3U);
  EXPECT_EQ(graph.computeSets()[0].name, "early");
  EXPECT_EQ(graph.computeSets()[1].name, "late");
}

TEST(ChakraGraph, NamesWhatHasNoCounterpart) {
  const Trace trace = read(R"({}
{"id": 0, "name": "load", "type": "MEM_LOAD_NODE",
 "attr": [{"name": "tensor_size", "uint64Val": 64}]}
{"id": 1, "name": "send", "type": "COMM_SEND_NODE",
 "attr": [{"name": "comm_size", "int64Val": 64}]}
{"id": 2, "name": "use", "type": "COMP_NODE", "durationMicros": 1, "ctrlDeps": [99],
 "dataDeps": [0], "inputs": {"values": "[1]", "shapes": "[]", "types": "[]"}}
{"id": 3, "name": "all", "type": "COMM_COLL_NODE",
 "attr": [{"name": "comm_size", "int64Val": 66}]}
)");
  const ChakraGraph built = graphOf(trace, "t.json", readPreset("toy"));
  EXPECT_EQ(built.graph.streams().size(), 1U);
  EXPECT_EQ(built.graph.copies().size(), 1U);
  EXPECT_THAT(
      built.without_counterpart,
      ElementsAre(StartsWith("COMM_SEND_NODE (nodes: 1, first id: 1)"),
                  StartsWith("bytes beyond whole floats"), StartsWith("comm_type: "),
                  StartsWith("ctrl_deps on nodes that are not in the trace"),
                  StartsWith("data_deps on nodes of memory"), StartsWith("inputs and outputs")));
}

TEST(ChakraGraph, NamesEachAttributeThatNoStepTakes) {
  const Trace trace = read(R"({"attr": [{"name": "schema", "stringVal": "x"}]}
{"id": 0, "name": "a", "type": "COMP_NODE", "attr": [{"name": "cycles", "uint64Val": 64},
 {"name": "rf_id", "int64Val": 1}, {"name": "is_cpu_op", "boolVal": true}]}
{"id": 1, "name": "b", "type": "COMP_NODE", "durationMicros": 2, "attr": [
 {"name": "num_ops", "doubleVal": 0.5}, {"name": "rf_id", "int64Val": 2},
 {"name": "is_cpu_op", "boolVal": false}]}
{"id": 2, "name": "c", "type": "COMM_COLL_NODE", "durationMicros": 2, "attr": [
 {"name": "comm_size", "int64Val": 64}, {"name": "cycles", "uint64Val": 64}]}
)");
  EXPECT_THAT(
      graphOf(trace, "t.json", readPreset("toy")).without_counterpart,
      ElementsAre(
          "attribute \"schema\" of the metadata",
          "attribute \"cycles\" of COMM_COLL_NODE (nodes: 1, first id: 2)",
          "attribute \"is_cpu_op\" of COMP_NODE (nodes: 1, first id: 0)",
          "attribute \"num_ops\" of COMP_NODE (nodes: 1, first id: 1)",
          "attribute \"rf_id\" of COMP_NODE (nodes: 2, first id: 0)", StartsWith("comm_type: "),
          "duration_micros of COMM_COLL_NODE: the machine says it (nodes: 1, first id: 2)"));
}

TEST(ChakraGraph, FaultsNameNodeAndLine) {
  EXPECT_EQ(faultOf("{}\n{\"id\": 1, \"type\": 4, \"data_deps\": [5]}\n"),
            "t.json: node 1: data_deps: wanted ids of nodes, found 5");
  EXPECT_THAT(faultOf("{}\n{\"id\": 1, \"type\": 4, \"data_deps\": [2]}\n"
                      "{\"id\": 2, \"type\": 4, \"data_deps\": [1]}\n"),
              HasSubstr("wanted dependencies without a cycle"));
  EXPECT_THAT(faultOf("{}\n{\"id\": 1, \"type\": 7, \"attr\": [{\"name\": \"comm_size\", "
                      "\"int64Val\": 1000000000000}]}\n"),
              HasSubstr("node 1: comm_size: wanted at most"));
  EXPECT_THAT(faultOf("{}\n{\"id\": 1, \"type\": 4, \"durationMicros\": 18446744073709551615}\n"),
              HasSubstr("wanted at most 2^53 cycles"));
  EXPECT_THAT(faultOf("{}\n{\"id\": 1, \"type\": 4, \"attr\": [{\"name\": \"num_ops\", "
                      "\"uint64Val\": 9007199254740993}, {\"name\": \"cycles\", "
                      "\"uint64Val\": 1}]}\n"),
              HasSubstr("node 1: wanted at most 2^53 num_ops"));
  EXPECT_EQ(faultOf("{}\n\n{\"id\": 1}\n{\"id\": \"1\"}\n"),
            "t.json:4: wanted an id that no other node has, found 1");
  EXPECT_EQ(faultOf("{}\n{\"id\": 1,\n \"type\": \"COMP\"}\n"),
            "t.json:2: type: wanted the name of a node type such as \"COMP_NODE\", found \"COMP\"");
  EXPECT_EQ(faultOf("{}"),
            "t.json: nodes: wanted one at least that is a COMP_NODE, COMM_COLL_NODE, MEM_LOAD_NODE "
            "or MEM_STORE_NODE, found none among 0");
  EXPECT_THAT(faultOf("{}\n{}\n{\"id\": 3, \"type\": \"METADATA_NODE\"}"),
              EndsWith("found none among 2"));
  EXPECT_THAT(faultOf("[]"), HasSubstr("wanted an object, found"));
  EXPECT_THAT(faultOf("{} garbage"), StartsWith("t.json:1: wanted "));
  EXPECT_THAT(faultOf("{\"workload_graph\": []}"), EndsWith("found \"workload_graph\""));
  EXPECT_THAT(faultOf("{}\n{\"id\": 1, \"attr\": [{\"name\": \"x\"}]}"),
              EndsWith("attr[0]: wanted a value such as \"int64Val\", found none"));
}

TEST(ChakraTrace, EveryKindOfValueComesBack) {
  const std::string text =
      R"({"version":"1.0.0","attr":[{"name":"a","docString":"d","doubleVal":1.5},)"
      R"({"name":"b","floatList":{"values":[0.5,2.0]}},)"
      R"({"name":"c","int64Val":"-9000000000"},)"
      R"({"name":"d","fixed64List":{"values":["1","2"]}},)"
      R"({"name":"e","boolList":{"values":[true,false]}},)"
      R"({"name":"f","sint32Val":-5},{"name":"g","bytesVal":"MTIz"},)"
      R"({"name":"h","stringList":{"values":[]}}]})"
      "\n";
  EXPECT_EQ(textOf(read(text)), text);
}

}  // namespace
}  // namespace ipusim::report
