// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"

// The on-chip part of collectives over replicas: what each chip copies and adds between the
// exchanges with its neighbours. Fragments that come from neighbours lie in landing buffers, which
// nothing on the chip writes.

namespace ipusim::workloads {

/// Tensors of one type, one dimension and consecutive elements, each cut into equal shares, one per
/// replica. The last share of a tensor may be padded.
struct SharedTensors {
  std::vector<Tensor> tensors;
  std::uint64_t replicas;
};

/// The elements of one share of `shared`, all tensors together.
std::uint64_t shareElements(const SharedTensors& shared);

/// Adds a reduce-scatter to `program`: for each neighbour, the chip copies its own numbers of a
/// share beside each other and adds those that landed. Returns the share of sums, which is spread
/// linearly over the tiles and lives always.
Tensor addReduceScatter(Graph& graph, const Architecture& machine, const SharedTensors& shared,
                        const std::string& name, Program& program);

/// Adds an all-gather to `program`: for each replica, the chip copies a share that lies like
/// `share` to its place in the tensors.
void addAllGather(Graph& graph, const Tensor& share, const SharedTensors& shared,
                  const std::string& name, Program& program);

/// Adds the copy of the chip's own share of the tensors to `share`.
void addShareCopy(Graph& graph, const SharedTensors& shared, const Tensor& share,
                  const std::string& name, Program& program);

}  // namespace ipusim::workloads
