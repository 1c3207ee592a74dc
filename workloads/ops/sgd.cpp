// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sgd.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/error.h"
#include "workloads/ops/elementwise.h"
#include "workloads/ops/shares.h"

namespace ipusim::workloads {

namespace {

bool isConsecutive(const Tensor& tensor) {
  if (tensor.pieces().size() != 1) return false;
  const View view = tensor.view();
  return view.size() == 1 && view[0].end() - view[0].offset == tensor.elements() &&
         view[0].dims.size() <= 1;
}

/// The variables of a view in the order in which they appear.
std::vector<VariableId> variablesOf(const Tensor& tensor) {
  std::vector<VariableId> variables;
  for (const Tensor::Piece& piece : tensor.pieces()) {
    const bool seen =
        std::find(variables.begin(), variables.end(), piece.variable) != variables.end();
    if (!seen) variables.push_back(piece.variable);
  }
  return variables;
}

/// The elements in the order of their storage: a tensor of one dimension for each variable.
std::vector<Tensor> storageOf(const Graph& graph, const Tensor& tensor) {
  if (isConsecutive(tensor)) return {tensor.reshape({tensor.elements()})};
  std::vector<Tensor> storage;
  const std::vector<VariableId> variables = variablesOf(tensor);
  storage.reserve(variables.size());
  std::uint64_t elements = 0;
  for (const VariableId variable : variables) {
    const std::uint64_t own = graph.variables().at(variable).elements;
    storage.emplace_back(variable, tensor.type(), Shape{own});
    elements += own;
  }
  check(elements == tensor.elements(), "a parameter is a view of whole variables");
  return storage;
}

/// A view like `tensor` of new variables, which are laid out like its own.
Tensor addAlike(Graph& graph, const Tensor& tensor, const std::string& name, Lifetime lifetime) {
  std::map<VariableId, VariableId> variables;
  for (const Tensor& part : storageOf(graph, tensor)) {
    const Tensor like = graph.addVariable(tensor.type(), part.shape(), name, lifetime);
    mapAlike(graph, part, like);
    if (isConsecutive(tensor)) return like.reshape(tensor.shape());
    variables[part.pieces().front().variable] = like.pieces().front().variable;
  }
  return tensor.onVariables(variables);
}

/// Whether two tensors have their elements in the same order of storage, in variables of like size.
bool inStep(const Graph& graph, const Tensor& a, const Tensor& b) {
  if (isConsecutive(a) && isConsecutive(b)) return true;
  std::map<VariableId, VariableId> partners;
  const auto alike = [&](const Tensor::Piece& x, const Tensor::Piece& y) {
    const VariableId partner = partners.try_emplace(x.variable, y.variable).first->second;
    return partner == y.variable && x.begin == y.begin && x.extent == y.extent &&
           x.stride == y.stride && x.offset == y.offset &&
           graph.variables()[x.variable].elements == graph.variables()[y.variable].elements;
  };
  return std::equal(a.pieces().begin(), a.pieces().end(), b.pieces().begin(), b.pieces().end(),
                    alike);
}

}  // namespace

Tensor addVelocity(Graph& graph, const Tensor& parameter, const std::string& name) {
  return addAlike(graph, parameter, name, Lifetime::Always);
}

void addSgdStep(Graph& graph, const models::Machine& machine, const SgdTensors& tensors,
                const SgdRates& rates, const std::string& name, Program& program) {
  const auto& [parameter, velocity, given] = tensors;
  check(given.shape() == parameter.shape(), "a gradient of the shape of its parameter");
  Tensor gradient = given;
  if (!inStep(graph, parameter, given)) {
    gradient = addAlike(graph, parameter, name + "/gradient", Lifetime::Temporary);
    program.add(graph.copy(given, gradient, name + "/Copy"));
  }
  const std::vector<Tensor> parameters = storageOf(graph, parameter);
  const std::vector<Tensor> velocities = storageOf(graph, velocity);
  const std::vector<Tensor> gradients = storageOf(graph, gradient);
  check(velocities.size() == parameters.size() && gradients.size() == parameters.size(),
        "velocities and gradients in step with their parameter");
  Elementwise ops(graph, machine, program);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    ops.scaleInPlace(velocities[p], rates.momentum, name + "/Multiply");
    ops.binaryInPlace(models::BinaryOp::Add, velocities[p], gradients[p], name + "/Add");
    ops.scaledAdd(parameters[p], velocities[p], -rates.learning_rate, name + "/AddTo");
  }
}

}  // namespace ipusim::workloads
