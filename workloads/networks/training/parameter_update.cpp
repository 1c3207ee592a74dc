// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training/parameter_update.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "workloads/networks/training/gradient_sharing.h"
#include "workloads/networks/training/optimiser_lowering.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

/// What follows the name of a parameter in the names of its steps.
std::string suffixOf(OptimiserRule rule) {
  const bool is_descent = rule == OptimiserRule::Sgd || rule == OptimiserRule::Momentum;
  return is_descent ? "/sgd" : std::string("/") + wordOf(rule, kOptimiserRules);
}

}  // namespace

ParameterUpdate::ParameterUpdate(Graph& graph, const Architecture& machine,
                                 std::vector<Parameter> parameters, const Optimiser& optimiser,
                                 const StageSharing& sharing)
    : graph_(graph),
      machine_(machine),
      parameters_(std::move(parameters)),
      optimiser_(optimiser),
      sharing_(sharing) {
  if (sharing_.rack_replicas > 1 || sharing_.racks > 1) expectOneType();
  for (const Parameter& parameter : parameters_) {
    if (!sharing_.shards_optimizer) addStates(parameter.tensor, parameter.name);
    if (sharing_.accumulates) {
      accumulators_.push_back(addAlike(graph_, parameter.tensor, parameter.tensor.type(),
                                       parameter.name + "/accumulator", Lifetime::Always));
    }
  }
}

void ParameterUpdate::expectOneType() const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.tensor.type() == parameters_.front().tensor.type()) continue;
    throw NotLowered(parameter.name + ": replicas sum gradients of one type, and those of " +
                     parameters_.front().name + " have another one");
  }
}

void ParameterUpdate::addStates(const Tensor& parameter, const std::string& name) {
  for (std::size_t s = 0; s < statesOf(optimiser_.rule); ++s) {
    states_.push_back(addAlike(graph_, parameter, parameter.type(),
                               name + (s == 0 ? "/velocity" : "/square_velocity"),
                               Lifetime::Always));
  }
}

void ParameterUpdate::accumulate(const std::vector<Tensor>& gradients, Program& program) {
  check(gradients.size() == parameters_.size(), "a gradient for each parameter");
  gradients_ = gradients;
  if (!sharing_.accumulates) return;
  Elementwise ops(graph_, machine_, program);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::string name = parameters_[p].name + "/accumulate";
    const Tensor gradient =
        arrangedAs(graph_, parameters_[p].tensor, gradients[p], name + "/gradient", program);
    ops.binaryInPlace(models::BinaryOp::Add, storageOf(graph_, accumulators_[p]),
                      storageOf(graph_, gradient), name + "/Add");
  }
  gradients_ = accumulators_;
}

/// The storage of the gradients, where each lies like its parameter.
std::vector<Tensor> ParameterUpdate::arrangedGradients(Program& program) {
  std::vector<Tensor> storage;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    gradients_[p] = arrangedAs(graph_, parameters_[p].tensor, gradients_[p],
                               parameters_[p].name + "/sum/gradient", program);
    storage.push_back(storageOf(graph_, gradients_[p]));
  }
  return storage;
}

/// Sums gradients in each rack, and then the shares between racks. Where a rack has one replica,
/// `shared` is between racks.
Tensor ParameterUpdate::addGradientSum(const SharedTensors& shared, Program& program) {
  Tensor sum = addReduceScatter(graph_, machine_, shared, "collective/gradients", program);
  if (sharing_.rack_replicas == 1 || sharing_.racks == 1) return sum;
  const SharedTensors across{{sum}, sharing_.racks};
  const Tensor share = addReduceScatter(graph_, machine_, across, "collective/racks", program);
  addAllGather(graph_, share, across, "collective/racks/gather", program);
  return sum;
}

/// `operands` are a parameter, its gradient and its states.
void ParameterUpdate::addRule(const std::string& name, const std::vector<Tensor>& operands,
                              Program& program) {
  TensorTypes types;
  for (const Tensor& operand : operands) types.push_back({operand.shape(), operand.type()});
  const Shape& shape = operands.front().shape();
  const std::vector<bool> is_last_use(operands.size(), false);
  lowerUpdate(optimiser_,
              {graph_, machine_, name, types, shape, Lifetime::Always, true, is_last_use})
      ->lower(operands, program);
}

/// Each replica of a rack updates its share of all parameters, and sends the share to the others.
void ParameterUpdate::addShardedUpdate(Program& program) {
  std::vector<Tensor> weights;
  for (const Parameter& parameter : parameters_) {
    weights.push_back(storageOf(graph_, parameter.tensor));
  }
  const SharedTensors shared{weights, sharing_.rack_replicas};
  const Tensor gradient =
      addGradientSum({arrangedGradients(program), sharing_.rack_replicas}, program);
  const Tensor share =
      addAlike(graph_, gradient, gradient.type(), "collective/landing/weights", Lifetime::Always);
  addShareCopy(graph_, shared, share, "collective/weights/own", program);
  addStates(share, "shard");
  std::vector<Tensor> operands{share, gradient};
  operands.insert(operands.end(), states_.begin(), states_.end());
  addRule("shard" + suffixOf(optimiser_.rule), operands, program);
  addAllGather(graph_, share, shared, "collective/weights", program);
}

void ParameterUpdate::addWholeUpdate(Program& program) {
  const std::uint64_t replicas =
      sharing_.rack_replicas > 1 ? sharing_.rack_replicas : sharing_.racks;
  if (replicas > 1) {
    const SharedTensors shared{arrangedGradients(program), replicas};
    const Tensor sum = addGradientSum(shared, program);
    addAllGather(graph_, sum, shared, "collective/gradients/gather", program);
  }
  const auto per_parameter = static_cast<std::ptrdiff_t>(statesOf(optimiser_.rule));
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    std::vector<Tensor> operands{parameters_[p].tensor, gradients_[p]};
    const auto first = states_.begin() + static_cast<std::ptrdiff_t>(p) * per_parameter;
    operands.insert(operands.end(), first, first + per_parameter);
    addRule(parameters_[p].name + suffixOf(optimiser_.rule), operands, program);
  }
}

void ParameterUpdate::addSteps(Program& program) {
  if (parameters_.empty()) return;
  if (sharing_.shards_optimizer) {
    addShardedUpdate(program);
  } else {
    addWholeUpdate(program);
  }
  if (!sharing_.accumulates) return;
  std::vector<Tensor> storage;
  for (const Tensor& accumulator : accumulators_) {
    storage.push_back(storageOf(graph_, accumulator));
  }
  addZero(graph_, machine_, storage, "accumulators/zero", program);
}

}  // namespace ipusim::workloads
