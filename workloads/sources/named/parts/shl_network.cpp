// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/shl_network.h"

#include <algorithm>

#include "workloads/networks/dense.h"

namespace ipusim::workloads {

namespace {

/// The most products in the passes from whose differences a check computes slopes.
constexpr std::uint64_t kMaxCheckedWork = 20'000'000'000;

}  // namespace

bool isCheckable(const ShlShape& shape, std::uint64_t parameters, std::uint64_t steps) {
  // Divided factor by factor, because the product of the factors may not fit 64 bits.
  std::uint64_t left = kMaxCheckedWork;
  for (const std::uint64_t factor : {parameters, shape.batch, parameters + shape.features, steps}) {
    left /= std::max<std::uint64_t>(factor, 1);
  }
  return left > 0;
}

Network shlModules(const ShlShape& shape, const SgdRates& rates, const std::string& hidden,
                   const MakeLayer& make) {
  return {{{"hidden", hidden, ModuleKind::Layer, shape.features, shape.features, make,
            shape.has_wrapper_bias},
           {"relu", "relu", ModuleKind::Relu, shape.features, shape.features},
           {"output", "linear", ModuleKind::Layer, shape.features, shape.classes,
            trainedDense(shape.features, shape.classes)},
           {"loss", "loss", ModuleKind::SoftmaxLoss, shape.classes, shape.classes}},
          shape.batch,
          rates};
}

ShlNetwork::ShlNetwork(Graph& graph, const Architecture& machine, const ShlShape& shape,
                       const Network& network)
    : shape_(shape), stage_(graph, machine, network, {0, network.modules.size()}, {}) {}

void ShlNetwork::addStep(Program& program) {
  stage_.addForward(program);
  stage_.addBackward(program);
  stage_.addUpdate(program);
}

ShlReference ShlNetwork::reference() const {
  return {stage_.layer(0), stage_.layer(2), shape_};
}

std::vector<HostTensor> ShlNetwork::inputs() const {
  std::vector<HostTensor> tensors{{"x", stage_.x()}, {"labels", stage_.labels(), shape_.classes}};
  for (const HostTensor& learnt : outputs()) {
    if (learnt.name != "loss") tensors.push_back(learnt);
  }
  return tensors;
}

std::vector<HostTensor> ShlNetwork::outputs() const {
  std::vector<HostTensor> tensors{{"loss", stage_.loss()}};
  const std::vector<Parameter>& learnt = parameters();
  for (const Parameter& parameter : learnt) tensors.push_back({parameter.name, parameter.tensor});
  for (std::size_t p = 0; p < learnt.size(); ++p) {
    tensors.push_back({learnt[p].name + "/velocity", stage_.states()[p]});
  }
  return tensors;
}

}  // namespace ipusim::workloads
