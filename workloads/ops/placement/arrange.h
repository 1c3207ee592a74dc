// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// Tensors that lie alike. Elementwise operations work on their memory in step, whatever they view.

namespace ipusim::workloads {

/// The whole variable that `tensor` views, with one dimension in storage order, padding included.
/// The tensor must view one variable only.
Tensor storageOf(const Graph& graph, const Tensor& tensor);

/// True when equal indices of both lie at equal places of variables that are mapped alike.
bool lieAlike(const Graph& graph, const Tensor& a, const Tensor& b);

/// The tensor in the variable of `storage`, and of its type, that lies there as `like` lies in its
/// own.
Tensor placedAs(const Tensor& like, const Tensor& storage);

/// A new variable of `type` with the mapping of that of `like`, viewed as `like` views its own.
Tensor addAlike(Graph& graph, const Tensor& like, ElementType type, const std::string& name,
                Lifetime lifetime = Lifetime::Temporary);

/// `tensor`, of the shape of `like`, where `like` lies. Returns `tensor` when it lies there
/// already, and otherwise a copy, which a step added to `program` makes.
Tensor arrangedAs(Graph& graph, const Tensor& like, const Tensor& tensor, const std::string& name,
                  Program& program);

/// `tensor` as consecutive elements in row-major order. Returns `tensor` when it is so already, and
/// otherwise a copy that is spread linearly over the tiles.
Tensor consecutive(Graph& graph, const Architecture& machine, const Tensor& tensor,
                   const std::string& name, Program& program);

/// True when `tensor` views one variable, each element once, with at most as much padding as
/// elements.
bool viewsOneVariable(const Graph& graph, const Tensor& tensor);

/// True when the elements of `tensor` are consecutive in storage.
bool isConsecutive(const Tensor& tensor);

}  // namespace ipusim::workloads
