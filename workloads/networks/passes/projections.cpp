// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/passes/projections.h"

#include "workloads/networks/operations/products/product.h"

namespace ipusim::workloads {

namespace {

/// The tensor from which reshapes and transpositions make another one.
NetworkTensorId behindViews(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  for (;;) {
    const NetworkNode* view = rewrite.ownProducer(tensor, "reshape");
    if (view == nullptr) view = rewrite.ownProducer(tensor, "transpose");
    if (view == nullptr) return tensor;
    tensor = view->operands.front();
  }
}

/// The product, if its right operand is a matrix of parameters that is given as it is.
const NetworkNode* productOfParameters(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const product = rewrite.ownProducer(tensor, "matmul");
  if (product == nullptr) return nullptr;
  const bool is_plain = product->operation->settings() == matmul()->settings() &&
                        rewrite.before().shapeOf(product->operands[1]).size() == 2;
  return is_plain && rewrite.isOwnParameter(product->operands[1]) ? product : nullptr;
}

}  // namespace

std::optional<Projection> projectionBehind(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkTensorId plain = behindViews(rewrite, tensor);
  if (const NetworkNode* const product = productOfParameters(rewrite, plain)) {
    return Projection{product};
  }
  const NetworkNode* const sum = rewrite.ownProducer(plain, "add");
  if (sum == nullptr) return std::nullopt;
  const NetworkTensorId bias = sum->operands[1];
  const Shape vector{rewrite.before().shapeOf(plain).back()};
  if (!rewrite.isOwnParameter(bias) || rewrite.before().shapeOf(bias) != vector)
    return std::nullopt;
  const NetworkNode* const product = productOfParameters(rewrite, sum->operands[0]);
  return product == nullptr ? std::nullopt : std::optional(Projection{product, sum});
}

}  // namespace ipusim::workloads
