// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/training.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

double stepSeconds(HiddenLayer kind, Host host) {
  const LayerShape layer{1024, 50};
  const Program step = trainingStep(trainedLayer(kind, layer), layer, 10);
  return programTime(a30(), step, host).total.value().seconds;
}

TEST(TrainedLayers, HaveThePublishedParametersAtWidth1024) {
  // arXiv 2309.08946, Table 4, without the 10,250 of the output layer.
  const auto parameters = [](HiddenLayer kind) {
    return trainedLayer(kind, {1024, 50}).parameters;
  };
  EXPECT_EQ(parameters(HiddenLayer::Dense), 1'059'850U - 10'250);
  EXPECT_EQ(parameters(HiddenLayer::LowRank), 13'322U - 10'250);
  EXPECT_EQ(parameters(HiddenLayer::Circulant), 12'298U - 10'250);
  EXPECT_EQ(parameters(HiddenLayer::Fastfood), 14'346U - 10'250);
  EXPECT_EQ(parameters(HiddenLayer::Pixelfly), 404'490U - 10'250);
  EXPECT_EQ(parameters(HiddenLayer::Butterfly), 16'390U - 10'250);
}

/// Parameters, gradients and velocities besides activations; the output layer comes on top.
TEST(TrainingStep, HoldsEachParameterThreeTimes) {
  const LayerShape layer{1024, 50};
  const TrainedLayer hidden = trainedLayer(HiddenLayer::Dense, layer);
  const Bytes activations(2ULL * 4 * 1024 * 50);
  EXPECT_EQ(trainingStep(hidden, layer, 10).tensors,
            hidden.forward.tensors + activations + Bytes(3ULL * 4 * 1'059'850));
}

TEST(TrainingStep, TakesTheHostLongerWithMoreOperations) {
  const double dense = stepSeconds(HiddenLayer::Dense, Host::Eager);
  EXPECT_DOUBLE_EQ(dense, a30().framework.training_step_host_seconds);
  for (const auto& [kind, name] : kHiddenLayerWords) {
    const std::uint64_t extra = trainedLayer(kind, {1024, 50}).operations - 3;
    EXPECT_DOUBLE_EQ(stepSeconds(kind, Host::Eager), dense * trainingFactor(a30(), extra)) << name;
  }
}

/// The kernels alone are shorter than the host, so the host decides.
TEST(TrainingStep, IsShorterOnTheDeviceThanOnTheHost) {
  for (const auto& [kind, name] : kHiddenLayerWords) {
    EXPECT_LT(stepSeconds(kind, Host::None), stepSeconds(kind, Host::Eager)) << name;
    EXPECT_GT(stepSeconds(kind, Host::None), 0) << name;
  }
}

TEST(TrainingStep, WaitsForTheDeviceOfALargeNetwork) {
  const LayerShape layer{16384, 4096};
  const Program step = trainingStep(trainedLayer(HiddenLayer::Dense, layer), layer, 10);
  EXPECT_EQ(programTime(a30(), step, Host::Eager).total->bound, Bound::Compute);
}

TEST(HiddenLayers, AreFoundByTheirNames) {
  for (const auto& [kind, name] : kHiddenLayerWords) {
    EXPECT_EQ(valueOf(name, kHiddenLayerWords), kind);
  }
  EXPECT_THROW(valueOf("dense", kHiddenLayerWords), InternalError);
}

TEST(TrainingStep, NeedsClasses) {
  const LayerShape layer{64, 8};
  EXPECT_THROW(trainingStep(trainedLayer(HiddenLayer::Dense, layer), layer, 0), InternalError);
}

}  // namespace
}  // namespace ipusim::gpu
