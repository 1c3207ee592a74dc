// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/passes/factors.h"
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {

namespace {

bool recogniseSilu(const NetworkNode& node, GraphRewrite& rewrite) {
  if (node.operation->kind() != "multiply") return false;
  for (const std::size_t one : {0U, 1U}) {
    const NetworkTensorId x = node.operands[one];
    const NetworkNode* const gate =
        rewrite.ownProducer(node.operands[1 - one], rowOf(UnaryFunction::Sigmoid).word);
    if (gate != nullptr && gate->operands.front() == x) {
      return replaceByFunction(node, rewrite, UnaryFunction::Silu, x);
    }
  }
  return false;
}

}  // namespace

std::uint64_t recogniseSilus(PassedNetwork& network) {
  return rewriteNodes(network, recogniseSilu);
}

}  // namespace ipusim::workloads
