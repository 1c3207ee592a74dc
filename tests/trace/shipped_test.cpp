// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "base/write_file.h"
#include "tests/trace/trace_run.h"
#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

// The traces of configs/traces against the workloads that they were recorded from. After a change
// of a lowering that is meant, IPUSIM_UPDATE_TRACES=1 writes them anew.

namespace ipusim {
namespace {

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
    const workloads::Trace trace =
        workloads::traceOf(std::move(built.workload), built.workload_kind, built.machine.name);
    return workloads::traceText(trace, built.machine);
  }
};

TEST_P(ShippedTrace, HoldsTheProgramOfItsWorkload) {
  const std::string wanted = recorded();
  if (std::getenv("IPUSIM_UPDATE_TRACES") != nullptr) {
    writeFile(file(), workloads::compressedFor(file(), wanted));
  }
  const auto source = workloads::openBytes(file());
  std::string found(wanted.size() + 1, '\0');
  std::size_t size = 0;
  while (const std::size_t more = source->read(&found[size], found.size() - size)) size += more;
  found.resize(size);
  const auto after_header = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_TRUE(after_header(found) == after_header(wanted))
      << "IPUSIM_UPDATE_TRACES=1 writes the file anew, after a change that is meant";
}

TEST_P(ShippedTrace, TakesTheCyclesOfItsWorkload) {
  EXPECT_EQ(run::simulate(configOf(file(), "gc200"), Engine::ClosedForm).time.cycles,
            run::simulate(config(), Engine::ClosedForm).time.cycles);
}

INSTANTIATE_TEST_SUITE_P(Traces, ShippedTrace, testing::ValuesIn(kShipped),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace ipusim
