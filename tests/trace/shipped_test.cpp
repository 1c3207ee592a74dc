// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "base/files/write_file.h"
#include "ipusim/predict.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "sim/interop/chakra/chakra.h"
#include "sim/interop/chakra/graph_of.h"
#include "sim/run/measure.h"
#include "sim/run/summary/summarize.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

// The traces of configs/traces against the workloads that they were recorded from. After a change
// of a lowering that is meant, IPUSIM_UPDATE_TRACES=1 writes them anew.

namespace ipusim {
namespace {

namespace chakra = interop::chakra;

struct Shipped {
  const char* name;
  const char* workload;
};

constexpr std::array<Shipped, 14> kShipped{{
    {"matmul_128", "kind = \"matmul\"\nm = 128\nk = 128\nn = 128\ntype = \"float\"\n"},
    {"matmul_512", "kind = \"matmul\"\nm = 512\nk = 512\nn = 512\ntype = \"float\"\n"},
    {"matmul_naive_64",
     "kind = \"matmul\"\nvariant = \"naive\"\nm = 64\nk = 64\nn = 64\ntype = \"float\"\n"},
    {"matmul_naive_128",
     "kind = \"matmul\"\nvariant = \"naive\"\nm = 128\nk = 128\nn = 128\ntype = \"float\"\n"},
    {"matmul_blocked_64",
     "kind = \"matmul\"\nvariant = \"blocked\"\nblock = 16\nm = 64\nk = 64\nn = 64\ntype = "
     "\"float\"\n"},
    {"matmul_blocked_256",
     "kind = \"matmul\"\nvariant = \"blocked\"\nblock = 32\nm = 256\nk = 256\nn = 256\ntype = "
     "\"float\"\n"},
    {"butterfly_64", "kind = \"butterfly\"\nfeatures = 64\nbatch = 16\n"},
    {"butterfly_256", "kind = \"butterfly\"\nfeatures = 256\nbatch = 16\n"},
    {"butterfly_fused_64",
     "kind = \"butterfly\"\nfeatures = 64\nbatch = 16\nlowering = \"fused\"\n"},
    {"butterfly_fused_256",
     "kind = \"butterfly\"\nfeatures = 256\nbatch = 16\nlowering = \"fused\"\n"},
    {"pixelfly_128",
     "kind = \"pixelfly\"\nfeatures = 128\nbutterfly_size = 4\nblock = 16\nrank = 8\nbatch = 16\n"},
    {"pixelfly_256",
     "kind = \"pixelfly\"\nfeatures = 256\nbutterfly_size = 8\nblock = 16\nrank = 16\nbatch = "
     "16\n"},
    {"training_32",
     "kind = \"shl_training\"\nhidden = \"linear\"\nfeatures = 32\nclasses = 4\nbatch = 8\nsteps = "
     "10\nlearning_rate = 0.01\n"},
    {"training_64",
     "kind = \"shl_training\"\nhidden = \"linear\"\nfeatures = 64\nclasses = 10\nbatch = 16\nsteps "
     "= 10\nlearning_rate = 0.01\n"},
}};

std::string bytesOf(const std::filesystem::path& file) {
  const auto source = workloads::openBytes(file);
  std::string bytes;
  std::array<char, 1U << 16U> part{};
  while (const std::size_t more = source->read(part.data(), part.size())) {
    bytes.append(part.data(), more);
  }
  return bytes;
}

/// The nodes must be equal, but for the time of exchanges and host copies: the machine says it.
void expectSameNode(const chakra::Node& found, const chakra::Node& wanted) {
  EXPECT_EQ(found.id, wanted.id);
  EXPECT_EQ(found.name, wanted.name);
  EXPECT_EQ(found.type, wanted.type) << wanted.name;
  EXPECT_EQ(found.ctrl_deps, wanted.ctrl_deps) << wanted.name;
  EXPECT_EQ(found.data_deps, wanted.data_deps) << wanted.name;
  if (wanted.type == chakra::NodeType::Comp) {
    EXPECT_EQ(found.duration_micros, wanted.duration_micros) << wanted.name;
    EXPECT_EQ(found.attributes, wanted.attributes) << wanted.name;
  } else {
    EXPECT_EQ(found.count("comm_size"), wanted.count("comm_size")) << wanted.name;
    EXPECT_EQ(found.count("tensor_size"), wanted.count("tensor_size")) << wanted.name;
  }
}

class ShippedTrace : public testing::TestWithParam<Shipped> {
 protected:
  static std::filesystem::path file() {
    return std::string("configs/traces/") + GetParam().name + ".ipt.zst";
  }
  static ConfigReader config() {
    return ConfigReader::fromText(
        std::string("machine = \"gc200\"\n[workload]\n") + GetParam().workload, "run.toml");
  }
  static std::string recorded() {
    run::BuiltConfig built = run::build(config());
    const workloads::Trace trace = workloads::traceOf(
        std::move(built.workload), built.workload_kind, built.system.machineName());
    return workloads::traceText(trace, built.system.allTiles());
  }
};

TEST_P(ShippedTrace, HoldsTheProgramOfItsWorkload) {
  const std::string wanted = recorded();
  if (std::getenv("IPUSIM_UPDATE_TRACES") != nullptr) {
    writeFile(file(), workloads::compressedFor(file(), wanted));
  }
  const std::string found = bytesOf(file());
  const auto after_header = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_TRUE(after_header(found) == after_header(wanted))
      << "IPUSIM_UPDATE_TRACES=1 writes the file anew, after a change that is meant";
}

TEST_P(ShippedTrace, TakesTheCyclesOfItsWorkload) {
  EXPECT_EQ(run::simulate(configOf(file(), "gc200"), Engine::ClosedForm).time.cycles,
            run::simulate(config(), Engine::ClosedForm).time.cycles);
}

TEST_P(ShippedTrace, DoesTheWorkOfItsVerticesUnlessItSaysAnother) {
  std::string text = bytesOf(file());
  const std::size_t begin = text.find(",\"flops\"");
  ASSERT_NE(begin, std::string::npos);
  text.erase(begin, text.find_first_of(",}", begin + 1) - begin);
  const Graph graph = workloads::parseTrace(text, "t.ipt", readPreset("gc200")).graph;
  const TemporaryFolder folder;
  const run::Experiment experiment = run::prepare(configOf(folder.write("t.ipt", text), "gc200"));
  EXPECT_EQ(experiment.workload.flops, graph.flops(graph.program()));
}

TEST_P(ShippedTrace, HasChakraNodesThatComeBack) {
  const Machine machine = readPreset("gc200");
  const run::Experiment experiment = run::prepare(configOf(file(), "gc200"));
  const chakra::Trace trace =
      interop::chakraOf(experiment.executable, run::simulate(experiment, Engine::ClosedForm));
  const std::string text = textOf(trace);
  EXPECT_EQ(chakra::readTrace(text, "t.json").nodes, trace.nodes);
  // The nodes as a program on the machine, and the nodes of that program.
  const Graph graph = chakra::graphOf(trace, "t.json", machine).graph;
  const compiler::Executable executable = compiler::compile(graph, machine);
  const chakra::Trace again = interop::chakraOf(
      executable,
      run::summarizeRun(graph, executable, run::measure(executable, Engine::ClosedForm, nullptr)));
  ASSERT_EQ(again.nodes.size(), trace.nodes.size());
  for (std::size_t n = 0; n < trace.nodes.size(); ++n) {
    expectSameNode(again.nodes[n], trace.nodes[n]);
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, ShippedTrace, testing::ValuesIn(kShipped),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace ipusim
