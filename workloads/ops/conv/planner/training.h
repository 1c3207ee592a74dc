// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/candidate.h"
#include "workloads/ops/conv/planner/share.h"

// Fully connected layers that train, whose three passes may share one partition.
// Source: graphcore/poplibs lib/poplin/{ConvPlan,ConvModel}.cpp (MIT).

namespace ipusim::workloads {

/// True when `pass` belongs to a fully connected layer that trains.
bool isFcTraining(ConvPass pass);

/// The forward, backward and weight-update products of a layer. `problem` is one of the three.
std::array<ConvProblem, 3> trainingPasses(const ConvProblem& problem);

/// The candidates that a joint plan can share between its passes. `forward` is the forward product,
/// and `candidates` are those of that by itself.
std::vector<ConvCandidate> jointCandidates(std::vector<ConvCandidate> candidates);

/// A joint plan as one of its passes sees it. The backward pass swaps the field and the in channels
/// of the forward pass. The weight update swaps out channels and in channels. The weights stay
/// where they are.
ConvCandidate jointCandidateOf(const ConvCandidate& forward, ConvPass pass);
/// It is its own inverse for a plan of the forward pass.
ConvPoint jointPointOf(const ConvPoint& forward, ConvPass pass);

/// What a search minimises.
struct PlanCost {
  Cycles cycles;
  Bytes temp;
};

/// Adds the backward pass and the weight update of a joint plan to the cost of its forward pass.
void addGradientPasses(const Architecture& machine, const ConvCandidate& forward,
                       const ConvPoint& point, PlanCost& cost);

}  // namespace ipusim::workloads
