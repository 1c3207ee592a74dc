// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/parallel/redistribution/array_type.h"

namespace ipusim::parallel {

/// Makes `axis` the minor axis of the dimension. Each device keeps one part of what it holds.
struct Slice {
  std::uint32_t dimension;
  std::uint32_t axis;
};

/// Takes the minor axes from the dimension. Each device receives the parts of the others along
/// them.
struct Gather {
  std::uint32_t dimension;
  std::uint32_t axes = 1;  ///< number of minor axes
};

/// Makes the minor axes of one dimension the minor axes of another, in their order.
struct AllToAll {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t axes = 1;  ///< number of minor axes
};

/// Gives the array another type with the same local shape.
struct Permute {
  ArrayType to;
};

/// One step of a redistribution, along some axes of the mesh or, as a permutation, along any.
/// Source: arXiv 2112.01075.
using Collective = std::variant<Slice, Gather, AllToAll, Permute>;
using Plan = std::vector<Collective>;

/// The type of the array after the step. Throws ConfigError, which names the step, where a device
/// cannot take it: an axis that is used already or not used, a size that does not divide.
ArrayType apply(const Collective& step, const ArrayType& before, const Mesh& mesh);

/// The elements that the device which receives most receives from others in the step.
std::uint64_t receivedElements(const Collective& step, const ArrayType& before, const Mesh& mesh);

/// What a plan takes.
struct PlanCost {
  std::uint64_t steps = 0;
  std::uint64_t received = 0;      ///< sum over the steps of receivedElements()
  std::uint64_t peak = 0;          ///< most elements of the array that a device holds
  std::uint64_t peak_buffers = 0;  ///< most elements before and after a step that a device holds

  friend bool operator==(const PlanCost& a, const PlanCost& b) {
    return a.steps == b.steps && a.received == b.received && a.peak == b.peak &&
           a.peak_buffers == b.peak_buffers;
  }
};

/// What `plan` takes from the type `source` on. Throws as apply() does.
PlanCost costOf(const Plan& plan, const ArrayType& source, const Mesh& mesh);

/// "dynslice(0,x)", "allgather(0:x)", "alltoall(0->1:x,y)", "allpermute(x,y/-)".
std::string toText(const Collective& step, const ArrayType& before, const Mesh& mesh);
/// The steps, "; " between two; "none" for an empty plan.
std::string toText(const Plan& plan, const ArrayType& source, const Mesh& mesh);

}  // namespace ipusim::parallel
