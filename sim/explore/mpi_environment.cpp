// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/explore/mpi_ranks.h"

namespace ipusim::explore {

bool startedByMpi() {
  // Open MPI; MPICH, Intel MPI and Slurm's PMI; PMIx.
  const std::array<const char*, 3> names = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::any_of(names.begin(), names.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace ipusim::explore
