// SPDX-License-Identifier: Apache-2.0
// Replaces mpi_ranks.cpp when the build found no MPI.
#include "ipusim/error.h"
#include "sim/studies/sweep/processes/mpi_ranks.h"

namespace ipusim::sweep {

class MpiRanks::Session {
 public:
  std::vector<std::string> reasons;
};

MpiRanks::MpiRanks() {
  throw ConfigError(
      "ipusim: wanted a build with MPI under mpirun, found one without; install libboost-mpi-dev "
      "and "
      "openmpi-bin and build it anew");
}
MpiRanks::~MpiRanks() = default;
bool MpiRanks::isOwner() const {
  return true;
}
int MpiRanks::size() const {
  return 1;
}
void MpiRanks::compute(const PoolWork& /*work*/, const std::string& /*identity*/) {}
const std::vector<std::string>& MpiRanks::reasons() const {
  return session_->reasons;
}
void MpiRanks::serve(WorkerPool& /*pool*/, const std::string& /*identity*/) {}
void MpiRanks::leave(const std::string& /*reason*/) {}

}  // namespace ipusim::sweep
