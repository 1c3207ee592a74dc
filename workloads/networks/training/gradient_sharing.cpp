// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training/gradient_sharing.h"

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

std::uint64_t shareOf(const Tensor& tensor, std::uint64_t replicas) {
  return ceilDiv(tensor.elements(), replicas);
}

enum class SharingDirection : std::uint8_t { ToShare, FromShare };

/// The first share of each tensor beside its place in `share`. All shares are copied alike.
std::vector<CopyPair> pairsOf(const SharedTensors& shared, const Tensor& share,
                              SharingDirection way) {
  std::vector<CopyPair> pairs;
  std::uint64_t begin = 0;
  for (const Tensor& tensor : shared.tensors) {
    const std::uint64_t elements = shareOf(tensor, shared.replicas);
    const Tensor own = tensor.slice(0, elements, 0);
    const Tensor place = share.slice(begin, begin + elements, 0);
    pairs.push_back(way == SharingDirection::ToShare ? CopyPair{own, place} : CopyPair{place, own});
    begin += elements;
  }
  return pairs;
}

}  // namespace

std::uint64_t shareElements(const SharedTensors& shared) {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : shared.tensors) sum += shareOf(tensor, shared.replicas);
  return sum;
}

void addShareCopy(Graph& graph, const SharedTensors& shared, const Tensor& share,
                  const std::string& name, Program& program) {
  program.add(graph.copy(pairsOf(shared, share, SharingDirection::ToShare), name));
}

Tensor addReduceScatter(Graph& graph, const Architecture& machine, const SharedTensors& shared,
                        const std::string& name, Program& program) {
  check(shared.replicas > 1, "replicas that share their gradients");
  const Shape shape{shareElements(shared)};
  const ElementType type = shared.tensors.front().type();
  Tensor sum = graph.addVariable(type, shape, name + "/landing/sum", Lifetime::Always);
  graph.mapLinearly(sum, machine);
  const Tensor landed = addAlike(graph, sum, type, name + "/landing/neighbour", Lifetime::Always);
  Program step;
  addShareCopy(graph, shared, sum, name + "/own", step);
  Elementwise(graph, machine, step)
      .binaryInPlace(models::BinaryOp::Add, sum, landed, name + "/Add");
  program.add(repeat(shared.replicas - 1, {std::move(step)}));
  return sum;
}

void addAllGather(Graph& graph, const Tensor& share, const SharedTensors& shared,
                  const std::string& name, Program& program) {
  const std::vector<CopyPair> pairs = pairsOf(shared, share, SharingDirection::FromShare);
  program.add(repeat(shared.replicas, {graph.copy(pairs, name + "/place")}));
}

}  // namespace ipusim::workloads
