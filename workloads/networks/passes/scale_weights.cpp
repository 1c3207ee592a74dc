// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/passes/passes.h"
#include "workloads/networks/passes/projections.h"

namespace ipusim::workloads {

namespace {

/// A product of two computed matrices, one of which a product with parameters alone makes.
bool hasProjection(const GraphRewrite& rewrite, const NetworkNode& product) {
  return projectionBehind(rewrite, product.operands[0]).has_value() ||
         projectionBehind(rewrite, product.operands[1]).has_value();
}

bool foldScale(const NetworkNode& scaled, GraphRewrite& rewrite) {
  if (!scaleFactor(*scaled.operation)) return false;
  const NetworkTensorId scores = scaled.operands.front();
  const NetworkNode* const product = rewrite.ownProducer(scores, "matmul");
  if (product == nullptr || !hasProjection(rewrite, *product)) return false;
  rewrite.replace(scaled.results.front(), rewrite.now(scores));
  return true;
}

}  // namespace

std::uint64_t scaleWeights(PassedNetwork& network) {
  return rewriteNodes(network, foldScale);
}

}  // namespace ipusim::workloads
