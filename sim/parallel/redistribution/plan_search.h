// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/parallel/redistribution/collective.h"

namespace ipusim::parallel {

/// What a plan should take least of. The other goal decides between plans that are equal in it.
enum class PlanGoal : std::uint8_t { FewestSteps, LeastReceived };

/// The best plan from `source` to `target` by `goal`, of all sequences of collectives that never
/// let a device hold more elements than the larger of the two types asks for. The search is
/// exhaustive. Its time grows with the ways of giving the axes to dimensions: five axes take
/// milliseconds. Nothing where there are too many ways: nine axes and two dimensions have. Throws
/// ConfigError where the shapes differ.
///
/// A collective runs along one axis. To use a part of an axis, split the axis first: factored().
std::optional<Plan> findPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh,
                             PlanGoal goal);

/// Gathers the whole array on every device, then slices it. No steps between equal types.
Plan gatherAndSlice(const ArrayType& source, const ArrayType& target, const Mesh& mesh);

/// Two types of one mesh.
struct Redistribution {
  Mesh mesh;
  ArrayType source;
  ArrayType target;
};

/// The redistribution with each axis split into axes of prime size. The devices keep their numbers
/// and their elements. The parts of axis x of size 4 are x.1 and x.0, the minor one.
Redistribution factored(const Redistribution& redistribution);

}  // namespace ipusim::parallel
