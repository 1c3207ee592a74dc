// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compile_cache.h"

#include <gtest/gtest.h>

#include "sim/run/json.h"
#include "tests/support/thrown.h"

namespace ipusim::run {
namespace {

const std::vector<Override> kSmall = {
    {"machine.tiles", "64"}, {"workload.m", "96"}, {"workload.k", "64"}, {"workload.n", "80"}};

ConfigReader configOf(const std::string& run, const std::vector<Override>& overrides) {
  return ConfigReader::fromFile("configs/runs/" + run + ".toml", overrides);
}

std::string textOf(const Experiment& experiment) {
  return toJson(simulate(experiment, Engine::ClosedForm)).dump();
}

std::vector<Override> with(std::vector<Override> overrides, const Override& more) {
  overrides.push_back(more);
  return overrides;
}

const std::vector<Override>& laterKeys() {
  static const std::vector<Override> kKeys = {{"machine.clock_hz", "1.5e9"},
                                              {"machine.sync_base_cycles", "90"},
                                              {"machine.vertex_launch_cycles", "31"},
                                              {"machine.supervisor_call_cycles", "17"},
                                              {"machine.compute_set_entry_cycles", "71"},
                                              {"machine.cycle_counter_cycles", "3"}};
  return kKeys;
}

/// The cache gives what a compile gives, key by key, one after the other.
void expectSameAsCompiled(const std::string& run, const std::vector<Override>& small) {
  CompileCache cache;
  (void)cache.prepare(configOf(run, small));
  for (const Override& key : laterKeys()) {
    ASSERT_TRUE(isReadAfterCompile(key.key));
    const ConfigReader config = configOf(run, with(small, key));
    const std::string fresh = textOf(prepare(config));
    EXPECT_EQ(textOf(cache.prepare(configOf(run, with(small, key)))), fresh) << run << key.key;
  }
}

TEST(CompileCache, GivesWhatACompileGives) {
  expectSameAsCompiled("matmul", kSmall);
  expectSameAsCompiled("matmul_a30", kSmall);
  expectSameAsCompiled("linear",
                       {{"machine.tiles", "64"}, {"workload.in", "64"}, {"workload.batch", "32"}});
  expectSameAsCompiled(
      "butterfly",
      {{"machine.tiles", "64"}, {"workload.features", "32"}, {"workload.batch", "32"}});
  expectSameAsCompiled("amp_codelet", {});
  expectSameAsCompiled("exchange_latency", {{"machine.tiles", "64"}, {"workload.to", "5"}});
}

TEST(CompileCache, AHostCopyIsCompiledForItsClock) {
  auto host = with(kSmall, {"host.copy_in", "true"});
  expectSameAsCompiled("matmul", with(host, {"host.copy_out", "true"}));
}

TEST(CompileCache, CompilesAnewWhereTheProgramChanges) {
  CompileCache cache;
  (void)cache.prepare(configOf("matmul", kSmall));
  for (const Override& key : {Override{"workload.n", "100"}, Override{"machine.tiles", "60"},
                              Override{"machine.sync_per_row_cycles", "1"},
                              Override{"machine.exchange_bytes_per_cycle", "8"},
                              Override{"machine.stack_bytes", "4000"}}) {
    EXPECT_FALSE(isReadAfterCompile(key.key));
    const auto overrides = with(kSmall, key);
    EXPECT_EQ(textOf(cache.prepare(configOf("matmul", overrides))),
              textOf(prepare(configOf("matmul", overrides))))
        << key.key;
  }
}

TEST(CompileCache, IsAsStrictAsACompile) {
  CompileCache cache;
  (void)cache.prepare(configOf("matmul_a30", kSmall));
  for (const Override& wrong : {Override{"compare.gpus", "3"}, Override{"machine.clock_hz", "-1"},
                                Override{"compare.gpu", "none"}, Override{"more.keys", "1"}}) {
    const auto overrides = with(kSmall, wrong);
    const std::string fresh = configErrorOf([&] { prepare(configOf("matmul_a30", overrides)); });
    EXPECT_EQ(configErrorOf([&] { (void)cache.prepare(configOf("matmul_a30", overrides)); }),
              fresh);
    (void)cache.prepare(configOf("matmul_a30", kSmall));
  }
}

}  // namespace
}  // namespace ipusim::run
