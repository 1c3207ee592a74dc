// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/run_store.h"

#include <gtest/gtest.h>

namespace ipusim::validate {
namespace {

constexpr const char* kRunStoreConfig = "configs/runs/amp_codelet.toml";

TEST(RunStore, SimulatesEachRunOnce) {
  RunStore store(Engine::ClosedForm);
  const auto& one = store.resultOf(kRunStoreConfig, {{"machine", "toy"}, {"workload.field", "16"}});
  const auto& same =
      store.resultOf(kRunStoreConfig, {{"workload.field", "16"}, {"machine", "toy"}});
  EXPECT_EQ(&one, &same);
  EXPECT_EQ(store.size(), 1U);
  const auto& other =
      store.resultOf(kRunStoreConfig, {{"machine", "toy"}, {"workload.field", "64"}});
  EXPECT_EQ(store.size(), 2U);
  EXPECT_EQ(one.json.at("config").at("workload").at("field"), 16);
  EXPECT_EQ(other.json.at("config").at("workload").at("field"), 64);
}

TEST(RunStore, GivesWhatItWasTold) {
  RunStore store(Engine::ClosedForm);
  store.add(ConfigReader::fromFile(kRunStoreConfig, {{"machine", "toy"}, {"workload.field", "16"}}),
            {{{"told", 1}}, {}});
  const auto& same =
      store.resultOf(kRunStoreConfig, {{"workload.field", "16"}, {"machine", "toy"}});
  EXPECT_EQ(same.json.at("told"), 1);
  EXPECT_EQ(store.size(), 1U);
}

TEST(RunStore, UsesTheEngineItWasMadeWith) {
  for (const Engine engine : {Engine::ClosedForm, Engine::SystemC}) {
    RunStore store(engine);
    const auto& result = store.resultOf(kRunStoreConfig, {{"machine", "toy"}});
    EXPECT_EQ(result.json.at("engine").at("kind"), nameOf(engine));
  }
}

TEST(RunStore, KeepsNothingOfARunThatCannotBe) {
  RunStore store(Engine::ClosedForm);
  EXPECT_THROW(store.resultOf(kRunStoreConfig, {{"workload.fields", "16"}}), ConfigError);
  EXPECT_EQ(store.size(), 0U);
}

}  // namespace
}  // namespace ipusim::validate
