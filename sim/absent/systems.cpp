// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/part.h"
#include "sim/cli/commands/commands.h"
#include "sim/parallel/pipeline/page.h"
#include "sim/parallel/pipeline/report.h"

namespace ipusim::parallel {

ParallelTraining readParallel(const ConfigReader& /*config*/) {
  throw PartAbsent("systems");
}

ParallelPrediction predictParallel(const ParallelTraining& /*training*/, Engine /*engine*/,
                                   const run::OnWorkEstimate& /*on_estimate*/) {
  throw PartAbsent("systems");
}

const StagePrediction* ParallelPrediction::firstOverflow() const {
  throw PartAbsent("systems");
}

Json parallelJson(const ParallelTraining& /*training*/, const ParallelPrediction& /*prediction*/) {
  throw PartAbsent("systems");
}

std::string parallelText(const ParallelTraining& /*training*/,
                         const ParallelPrediction& /*prediction*/) {
  throw PartAbsent("systems");
}

Json parallelPageData(const ParallelTraining& /*training*/,
                      const ParallelPrediction& /*prediction*/) {
  throw PartAbsent("systems");
}

}  // namespace ipusim::parallel

namespace ipusim::cli {

ExitCode redistributeCommand(const RedistributeArguments& /*arguments*/) {
  throw PartAbsent("systems");
}

}  // namespace ipusim::cli
