// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// Tensors that lie alike: elementwise operations work on their memory in step, whatever they view.

namespace ipusim::workloads {

/// The whole variable that `tensor` views, its one dimension in storage order, padding included.
/// The tensor must view one variable only.
Tensor storageOf(const Graph& graph, const Tensor& tensor);

/// Whether the same indices of both lie at the same places of variables that are mapped alike.
bool lieAlike(const Graph& graph, const Tensor& a, const Tensor& b);

/// A new variable of `type` that is mapped as that of `like`, seen as `like` is.
Tensor addAlike(Graph& graph, const Tensor& like, ElementType type, const std::string& name,
                Lifetime lifetime = Lifetime::Temporary);

/// `tensor`, of the shape of `like`, where that lies: itself where it lies there already, else a
/// copy, which a step added to `program` makes.
Tensor arrangedAs(Graph& graph, const Tensor& like, const Tensor& tensor, const std::string& name,
                  Program& program);

/// `tensor` as consecutive elements in row-major order: itself where it is, else a copy spread
/// linearly over the tiles.
Tensor consecutive(Graph& graph, const Architecture& machine, const Tensor& tensor,
                   const std::string& name, Program& program);

/// Whether the elements of `tensor` follow one another in storage.
bool isConsecutive(const Tensor& tensor);

}  // namespace ipusim::workloads
