// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compile_cache.h"

#include <gtest/gtest.h>

#include "models/ipu/machine/machine_fields.h"
#include "sim/report/json.h"
#include "tests/support/thrown.h"

namespace ipusim::run {
namespace {

const std::vector<Override> kSmall = {
    {"machine.tiles", "64"}, {"workload.m", "96"}, {"workload.k", "64"}, {"workload.n", "80"}};

ConfigReader cachedConfigOf(const std::string& run, const std::vector<Override>& overrides) {
  return ConfigReader::fromFile("configs/runs/" + run + ".toml", overrides);
}

std::string textOf(const Experiment& experiment) {
  return report::toJson(simulate(experiment, Engine::ClosedForm)).dump();
}

std::vector<Override> with(std::vector<Override> overrides, const Override& more) {
  overrides.push_back(more);
  return overrides;
}

using compiler::Stage;

struct StagedKey {
  Override key;
  Stage taken_by;
};

/// Keys of the machine, and the first stage that takes the value of each.
const std::vector<StagedKey>& stagedKeys() {
  static const std::vector<StagedKey> kKeys = {
      {{"machine.start_delay_longest_cycles", "400"}, Stage::Lowering},
      {{"machine.start_delay_per_column_cycles", "1"}, Stage::Lowering},
      {{"machine.start_delay_per_row_cycles", "0"}, Stage::Lowering},
      {{"machine.start_delay_per_receiver_row_cycles", "3"}, Stage::Lowering},
      {{"machine.sync_per_row_cycles", "9"}, Stage::Lowering},
      {{"machine.sync_per_column_cycles", "1"}, Stage::Lowering},
      {{"machine.exchange", "\"bound\""}, Stage::Exchange},
      {{"machine.stack_bytes", "4000"}, Stage::Memory},
      {{"machine.control_program_bytes", "90"}, Stage::Memory},
      {{"machine.control_per_step_bytes", "40"}, Stage::Memory},
      {{"machine.exchange_entry_bytes", "0"}, Stage::Memory},
      {{"machine.exchange_per_send_bytes", "30"}, Stage::Memory},
      {{"machine.exchange_per_receive_bytes", "300000"}, Stage::Memory},  // does not fit
      {{"machine.host_exchange_code_bytes", "1000"}, Stage::Memory},
      {{"machine.compiled_slots_per_1000_elements", "123456"}, Stage::Vertices},
      {{"machine.compiled_slots_per_loop", "77"}, Stage::Vertices},
      {{"machine.clock_hz", "1.5e9"}, Stage::Timing},
      {{"machine.sync_base_cycles", "2000"}, Stage::Lowering},
      {{"machine.vertex_launch_cycles", "31"}, Stage::Lowering},
      {{"machine.supervisor_call_cycles", "17"}, Stage::Lowering},
      {{"machine.compute_set_entry_cycles", "7100"}, Stage::Lowering},
      {{"machine.host_fixed_cycles", "7"}, Stage::Timing},
      {{"machine.host_link_bytes_per_second", "1000000"}, Stage::Timing},
      {{"machine.framework_bytes_per_second", "1000000"}, Stage::Timing},
      {{"machine.cycle_counter_cycles", "3"}, Stage::Timing}};
  return kKeys;
}

Stage takenBy(const std::string& run, const std::vector<Override>& small, const Override& key) {
  return firstToDiffer(compileInputs(cachedConfigOf(run, small)),
                       compileInputs(cachedConfigOf(run, with(small, key))));
}

/// The cache returns what a compilation returns, key by key, one after the other.
void expectSameAsCompiled(const std::string& run, const std::vector<Override>& small) {
  CompileCache cache;
  (void)cache.prepare(cachedConfigOf(run, small));
  for (const StagedKey& staged : stagedKeys()) {
    ASSERT_EQ(takenBy(run, small, staged.key), staged.taken_by) << staged.key.key;
    const auto overrides = with(small, staged.key);
    const std::string fresh = textOf(prepare(cachedConfigOf(run, overrides)));
    EXPECT_EQ(textOf(cache.prepare(cachedConfigOf(run, overrides))), fresh)
        << run << staged.key.key;
  }
}

TEST(CompileCache, GivesWhatACompileGives) {
  expectSameAsCompiled("matmul", kSmall);
  expectSameAsCompiled("matmul", with(kSmall, {"workload.variant", "naive"}));
  expectSameAsCompiled("matmul_a30", kSmall);
  expectSameAsCompiled("linear",
                       {{"machine.tiles", "64"}, {"workload.in", "64"}, {"workload.batch", "32"}});
  expectSameAsCompiled(
      "butterfly",
      {{"machine.tiles", "64"}, {"workload.features", "32"}, {"workload.batch", "32"}});
  expectSameAsCompiled("amp_codelet", {});
  expectSameAsCompiled("exchange_latency", {{"machine.tiles", "64"}, {"workload.to", "5"}});
}

TEST(CompileCache, LowersOnceForKeysOfLaterStages) {
  CompileCache cache;
  const auto* const lowered =
      cache.prepare(cachedConfigOf("matmul", kSmall)).workload.graph.computeSets().data();
  for (const StagedKey& staged : stagedKeys()) {
    if (staged.taken_by == Stage::Lowering) continue;
    const Experiment& again = cache.prepare(cachedConfigOf("matmul", with(kSmall, staged.key)));
    EXPECT_EQ(again.workload.graph.computeSets().data(), lowered) << staged.key.key;
  }
}

TEST(CompileCache, GivesWhatACompileOfTrainingGives) {
  for (const char* const layer : {"baseline", "butterfly", "fastfood", "pixelfly"}) {
    expectSameAsCompiled(
        std::string("shl_training_") + layer,
        {{"workload.features", "64"}, {"workload.batch", "10"}, {"machine.tiles", "96"}});
  }
}

TEST(CompileCache, AHostCopyIsCompiledForItsClock) {
  auto host = with(kSmall, {"host.copy_in", "true"});
  expectSameAsCompiled("matmul", with(host, {"host.copy_out", "true"}));
}

TEST(CompileCache, CompilesAnewWhereTheProgramChanges) {
  CompileCache cache;
  (void)cache.prepare(cachedConfigOf("matmul", kSmall));
  for (const Override& key : {Override{"workload.n", "100"}, Override{"machine.tiles", "60"},
                              Override{"machine.exchange_bytes_per_cycle", "8"},
                              Override{"machine.sram_per_tile_bytes", "300000"}}) {
    EXPECT_EQ(takenBy("matmul", kSmall, key), Stage::Lowering);
    const auto overrides = with(kSmall, key);
    EXPECT_EQ(textOf(cache.prepare(cachedConfigOf("matmul", overrides))),
              textOf(prepare(cachedConfigOf("matmul", overrides))))
        << key.key;
  }
}

TEST(CompileCache, TellsEveryNumberOfAMachineApart) {
  const Machine preset = readPreset("gc200");
  for (const MachineField& field : machineFields()) {
    Machine low = preset;
    Machine high = preset;
    field.set(low, field.low);
    field.set(high, field.high);
    const bool differ = compiler::firstToDiffer(low, high) != Stage::Timing ||
                        !(static_cast<const Platform&>(low) == static_cast<const Platform&>(high));
    EXPECT_TRUE(differ) << field.key;
  }
}

TEST(CompileCache, CompilesASwitchOfPresetsAsByItself) {
  CompileCache cache;
  for (const char* const preset : {"gc200", "bow", "gc200-624k", "gc2", "gc200"}) {
    const std::vector<Override> overrides = {
        {"machine", preset}, {"workload.m", "96"}, {"workload.k", "64"}, {"workload.n", "80"}};
    EXPECT_EQ(textOf(cache.prepare(cachedConfigOf("matmul", overrides))),
              textOf(prepare(cachedConfigOf("matmul", overrides))))
        << preset;
  }
}

TEST(CompileCache, IsAsStrictAsACompile) {
  CompileCache cache;
  (void)cache.prepare(cachedConfigOf("matmul_a30", kSmall));
  for (const Override& wrong : {Override{"compare.gpus", "3"}, Override{"machine.clock_hz", "-1"},
                                Override{"compare.gpu", "none"}, Override{"more.keys", "1"}}) {
    const auto overrides = with(kSmall, wrong);
    const std::string fresh =
        configErrorOf([&] { prepare(cachedConfigOf("matmul_a30", overrides)); });
    EXPECT_EQ(configErrorOf([&] { (void)cache.prepare(cachedConfigOf("matmul_a30", overrides)); }),
              fresh);
    (void)cache.prepare(cachedConfigOf("matmul_a30", kSmall));
  }
}

}  // namespace
}  // namespace ipusim::run
