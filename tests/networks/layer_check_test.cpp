// SPDX-License-Identifier: Apache-2.0
#include "tests/networks/layer_check.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"
#include "workloads/networks/dense.h"
#include "workloads/ops/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

constexpr LayerSizes kSizes{3, 4};
const DenseShape kShape{4, 2};

/// A faulty layer: its reference adds something to each result.
class OffLayer : public DenseLayer {
 public:
  using DenseLayer::DenseLayer;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override {
    Values y = DenseLayer::reference(parameters, x);
    for (double& value : y) value += 1e-3;
    return y;
  }
};

/// A faulty layer: the gradient of its bias has the wrong sign.
class UphillLayer : public DenseLayer {
 public:
  using DenseLayer::DenseLayer;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override {
    std::vector<Tensor> gradients = DenseLayer::backward(gradient, program);
    Elementwise(site_.graph, site_.machine, program)
        .unaryInPlace(models::UnaryOp::Negate, gradients.back(), "negate");
    return gradients;
  }
};

/// A faulty layer: it leaves its gradients where they are computed.
class ForgetfulLayer : public DenseLayer {
 public:
  using DenseLayer::DenseLayer;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override {
    std::vector<Tensor> gradients = DenseLayer::backward(gradient, program);
    gradients.back() = gradient.slice(0, 1, 0).reshape({kShape.outputs});
    return gradients;
  }
};

template <typename Type>
std::unique_ptr<Layer> make(const LayerSite& site) {
  return std::make_unique<Type>(site, kShape);
}

template <typename Type>
checker::CheckResult checkOf() {
  return LayerRun(models::toyMachine(), kSizes, make<Type>).check();
}

TEST(LayerCheck, FindsAWrongResult) {
  EXPECT_TRUE(checkOf<DenseLayer>().ok);
  const checker::CheckResult result = checkOf<OffLayer>();
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.output, "y");
  EXPECT_FALSE(checkLayer(models::toyMachine(), kSizes, make<OffLayer>));
}

TEST(LayerCheck, FindsAWrongGradient) {
  const checker::CheckResult result = checkOf<UphillLayer>();
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.output, "bias gradient");
}

TEST(LayerCheck, ComparesTheResultAndEachGradient) {
  // 3 x 2 results, 4 x 2 weights, 2 biases.
  EXPECT_EQ(checkOf<DenseLayer>().elements, 6U + 8 + 2);
}

TEST(LayerCheck, WantsGradientsThatLieLikeTheirParameters) {
  EXPECT_THROW(checkOf<ForgetfulLayer>(), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
