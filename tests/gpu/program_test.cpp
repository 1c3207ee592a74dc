// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/program.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

/// 100,000 bytes in L2: 1 us, and 1 us of launch.
Kernel twoMicros() {
  return Elementwise{Bytes(50'000), Bytes(50'000), Bytes(100'000)};
}

Operator chain(FrameworkCall call, std::size_t kernels, std::uint64_t times = 1) {
  return {"chain", call, std::vector<Kernel>(kernels, twoMicros()), times};
}

double micros(const Operator& op, Host host) {
  return operatorTime(toyGpu(), op, host).total.seconds / kMicro;
}

TEST(OperatorTime, AddsKernelsUpWithoutAFramework) {
  EXPECT_NEAR(micros(chain(FrameworkCall::Elementwise, 4), Host::None), 8, kRounding);
}

TEST(OperatorTime, WaitsForTheHostOfAnEagerFramework) {
  // 10 us for a linear layer, by the ratio of the call.
  EXPECT_NEAR(micros(chain(FrameworkCall::Linear, 1), Host::Eager), 10, kRounding);
  EXPECT_NEAR(micros(chain(FrameworkCall::BatchedMatmul, 1), Host::Eager), 6, kRounding);
  EXPECT_NEAR(micros(chain(FrameworkCall::Elementwise, 1), Host::Eager), 5, kRounding);
  EXPECT_NEAR(micros(chain(FrameworkCall::ButterflyStage, 1), Host::Eager), 20, kRounding);
  EXPECT_NEAR(micros(chain(FrameworkCall::PixelflyLayer, 1), Host::Eager), 80, kRounding);
}

TEST(OperatorTime, OfAProductByItselfCostsTheHostWhatABatchedOneDoes) {
  EXPECT_NEAR(micros(chain(FrameworkCall::Product, 1), Host::Eager), 6, kRounding);
}

TEST(OperatorTime, OfAViewIsAnElementwiseCallWithoutItsLaunch) {
  const Operator view{"view", FrameworkCall::View, {}};
  Machine machine = toyGpu();
  machine.launch.host_seconds = 2e-6;
  EXPECT_NEAR(operatorTime(machine, view, Host::Eager).total.seconds / kMicro, 3, kRounding);
  EXPECT_DOUBLE_EQ(operatorTime(machine, view, Host::Graph).total.seconds, 0);
  machine.launch.host_seconds = 9e-6;
  EXPECT_DOUBLE_EQ(operatorTime(machine, view, Host::Eager).total.seconds, 0);
}

TEST(OperatorTime, WaitsForTheHostToLaunchAShortKernel) {
  Machine machine = toyGpu();
  machine.launch.host_seconds = 5e-6;
  const Operator op = chain(FrameworkCall::Elementwise, 2);
  EXPECT_NEAR(operatorTime(machine, op, Host::None).total.seconds / kMicro, 10, kRounding);
}

TEST(ProgramTime, OfAGraphStartsAfterTheOneBefore) {
  Machine machine = toyGpu();
  machine.launch.graph_kernel_seconds = 0;
  machine.launch.graph_replay_seconds = 7e-6;
  const Program program{"graph", {chain(FrameworkCall::Elementwise, 2)}, Bytes(0)};
  EXPECT_NEAR(programTime(machine, program, Host::Graph).total->seconds / kMicro, 11, kRounding);
  EXPECT_NEAR(programTime(machine, program, Host::None).total->seconds / kMicro, 4, kRounding);
}

TEST(OperatorTime, HidesTheHostBehindALongDevice) {
  const OperatorTime time =
      operatorTime(toyGpu(), chain(FrameworkCall::Elementwise, 4), Host::Eager);
  EXPECT_NEAR(time.total.seconds / kMicro, 8, kRounding);
  EXPECT_NEAR(time.total.host_seconds / kMicro, 5, kRounding);
  EXPECT_EQ(time.kernels.size(), 4U);
}

TEST(OperatorTime, OfAGraphCostsTheHostAKernelAtATime) {
  EXPECT_NEAR(micros(chain(FrameworkCall::Elementwise, 4), Host::Graph), 12, kRounding);
}

TEST(OperatorTime, LosesEfficiencyInAFrameworksProducts) {
  const OperatorTime time = operatorTime(toyGpu(), chain(FrameworkCall::Linear, 10), Host::Graph);
  EXPECT_NEAR(time.total.device_seconds / kMicro, 40, kRounding);
  EXPECT_NEAR(time.total.framework_seconds / kMicro, 20, kRounding);
  EXPECT_NEAR(micros(chain(FrameworkCall::Linear, 10), Host::None), 20, kRounding);
}

TEST(OperatorTime, RepeatsAnOperator) {
  EXPECT_NEAR(micros(chain(FrameworkCall::Elementwise, 1, 3), Host::Eager), 15, kRounding);
}

TEST(OperatorTime, ShowsTheTilingOfASingleProduct) {
  const Operator op{"product", FrameworkCall::Linear, {Gemm{{128, 128, 800}}}};
  const Breakdown total = operatorTime(toyGpu(), op, Host::None).total;
  ASSERT_TRUE(total.tiling.has_value());
  EXPECT_EQ(total.tiling->waves, 1U);
}

TEST(ProgramTime, AddsOperatorsUp) {
  const Program program{
      "two", {chain(FrameworkCall::Elementwise, 4), chain(FrameworkCall::Linear, 1)}, Bytes(940)};
  const ProgramTime time = programTime(toyGpu(), program, Host::Eager);
  ASSERT_TRUE(time.total.has_value());
  EXPECT_NEAR(time.total->seconds / kMicro, 8 + 10, kRounding);
  EXPECT_NEAR(time.total->launch_seconds / kMicro, 5, kRounding);
  EXPECT_EQ(time.operators.size(), 2U);
}

TEST(ProgramTime, SaysWhatMemoryIsMissingInPlaceOfATime) {
  const Program program{"large", {chain(FrameworkCall::Linear, 1)}, Bytes(941)};
  const ProgramTime time = programTime(toyGpu(), program, Host::None);
  EXPECT_FALSE(time.memory.fits());
  EXPECT_EQ(time.memory.required, Bytes(941));
  EXPECT_EQ(time.memory.available, Bytes(940));
  EXPECT_FALSE(time.total.has_value());
  EXPECT_TRUE(time.operators.empty());
}

TEST(WithTensorCores, ChangesTheProductsOfTheLibraryOnly) {
  const Program fp32{
      "all",
      {{"all", FrameworkCall::Linear, {Gemm{}, BatchedGemm{}, BlockSpmm{}, ThreadGemm{}}}},
      Bytes(0)};
  const std::vector<Kernel> kernels = withTensorCores(fp32).operators.front().kernels;
  EXPECT_EQ(std::get<Gemm>(kernels[0]).precision, Precision::Tf32);
  EXPECT_EQ(std::get<BatchedGemm>(kernels[1]).precision, Precision::Tf32);
  EXPECT_EQ(std::get<BlockSpmm>(kernels[2]).precision, Precision::Tf32);
  EXPECT_EQ(kernels.size(), 4U);
}

TEST(HostNames, AreThoseOfAConfig) {
  EXPECT_STREQ(nameOf(Host::None), "none");
  EXPECT_STREQ(nameOf(Host::Eager), "eager");
  EXPECT_STREQ(nameOf(Host::Graph), "graph");
}

TEST(TrainingFactor, GrowsWithOperations) {
  EXPECT_DOUBLE_EQ(trainingFactor(toyGpu(), 0), 1);
  EXPECT_DOUBLE_EQ(trainingFactor(toyGpu(), 5), 1.05);
}

TEST(KernelNames, Differ) {
  const std::vector<Kernel> kinds = {Gemm{},        BatchedGemm{}, ThreadGemm{},
                                     CsrSpmm{},     BlockSpmm{},   Attention{},
                                     Elementwise{}, Reduce{},      Gather{}};
  std::set<std::string> names;
  for (const Kernel& kernel : kinds) EXPECT_TRUE(names.insert(nameOf(kernel)).second);
  EXPECT_EQ(names.size(), std::variant_size_v<Kernel>);
}

}  // namespace
}  // namespace ipusim::gpu
