// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/studies/sweep/processes/mpi_ranks.h"

namespace ipusim::sweep {

namespace {

/// True when the variable is set to more than `least`.
bool isMoreThan(const char* name, int least) {
  const char* const value = std::getenv(name);
  return value != nullptr && std::atoi(value) > least;
}

}  // namespace

bool startedByMpi() {
  // Set by Open MPI; by MPICH, Intel MPI and Slurm's PMI; and by PMIx.
  const std::array<const char*, 3> names = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::any_of(names.begin(), names.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

bool isOneOfSeveralRanks() {
  return isMoreThan("OMPI_COMM_WORLD_SIZE", 1) || isMoreThan("PMI_SIZE", 1) ||
         isMoreThan("SLURM_STEP_NUM_TASKS", 1) || isMoreThan("PMIX_RANK", 0);
}

}  // namespace ipusim::sweep
