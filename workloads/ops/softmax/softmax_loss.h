// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// The output of a classifier, and the right classes.
struct Classified {
  Tensor logits;  ///< (batch, classes), of any layout
  Tensor labels;  ///< (batch), unsigned int: the class of each row
};

struct SoftmaxLoss {
  Tensor loss;      ///< (1): mean of -log softmax(logits)[label]; lives always
  Tensor gradient;  ///< (batch, classes): gradient of the loss by the logits, with each row on one
                    ///< tile
};

/// Adds to `program` the log of the softmax, the negative log-likelihood as the mean over the
/// batch, and the gradient, (softmax - one-hot) / batch. They are made of elementwise steps and
/// reductions, as the framework lowers them: 16 compute sets, and one more when the sum over the
/// batch takes two. The logits are copied so that each row is on one tile.
/// Source: graphcore/poplibs lib/popnn/NonLinearity.cpp (softmax); graphcore/popart
/// willow/src/popx/op/nllx.cpp (MIT).
SoftmaxLoss addSoftmaxLoss(Graph& graph, const Architecture& machine, const Classified& rows,
                           const std::string& name, Program& program);

}  // namespace ipusim::workloads
