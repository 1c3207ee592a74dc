// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config/words.h"
#include "workloads/networks/graph/network_graph.h"

// The operations of message passing on graphs: what the body of a loop over them computes.

namespace ipusim::workloads {

enum class MessagePassing : std::uint8_t {
  Gather,            ///< rows of the inputs by random numbers
  ScatterAdd,        ///< the inputs are added to random rows of zeros
  InteractionBlock,  ///< of SchNet: messages along the edges of a graph
};

constexpr Words<MessagePassing, 3> kMessagePassingWords{{
    {MessagePassing::Gather, "gather"},
    {MessagePassing::ScatterAdd, "scatter_add"},
    {MessagePassing::InteractionBlock, "interaction_block"},
}};

/// The sizes of an operation: rows of its input and of its result, and the elements of a row. An
/// interaction block has as many edges as `outputs`, and its result has the shape of its input.
struct MessagePassingShape {
  MessagePassing op;
  std::uint64_t inputs;
  std::uint64_t features;
  std::uint64_t outputs;
};

/// Adds the nodes of the operation to an empty network, and a copy of its result, spread
/// linearly. Returns the copy.
///
/// A framework adds what it scatters to zeros of its own, which are spread linearly.
/// Source: graphcore/poptorch, OtherOps.cpp; graphcore-research/hydronet-gnn, mpbench.py and
/// model.py; pyg-team/pytorch_geometric, schnet.py (all MIT).
NetworkTensorId addMessagePassing(const MessagePassingShape& shape, NetworkGraph& network);

}  // namespace ipusim::workloads
