// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/parallel/pipeline/collectives.h"
#include "sim/parallel/pipeline/phase.h"

// The phases of a training step. The forward phases come in the order of the sections. The last
// section turns: it has one phase, with both passes. The backward phases of the others come in
// reverse order, each with the update of its parameters.

namespace ipusim::parallel {

/// A part of the network that phases execute.
struct Section {
  workloads::ModuleRange modules;
  const SectionProgram* program;
};

/// The rows of a micro-batch that a section has beside it. A row is stored once and loaded as often
/// as it is read.
struct SectionRows {
  Bytes input;   ///< from the section before
  Bytes kept;    ///< what the backward pass reads
  Bytes fresh;   ///< the part of `kept` that is no row of the section before
  Bytes result;  ///< for the next section; its gradient is as large
};

/// The rows of section s, wherever they lie.
SectionRows rowsOf(const ParallelTraining& training, const std::vector<Section>& sections,
                   std::size_t s);

/// The IPU, of those of a replica, that executes section s: phases alternate.
inline std::uint32_t ipuOf(const ParallelTraining& training, std::size_t s) {
  return static_cast<std::uint32_t>(s % training.stages);
}

/// What a replica keeps of the weights of a section in streaming memory, where it keeps any.
Bytes offloadedWeights(const ParallelTraining& training, const Section& section);

struct PhasePlan {
  std::vector<Phase> phases;
  CollectiveTime collective;  ///< all of a step
};

PhasePlan phasePlan(const ParallelTraining& training, const std::vector<Section>& sections);

}  // namespace ipusim::parallel
