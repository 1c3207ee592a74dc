// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/codelet.h"
#include "workloads/matmul.h"
#include "workloads/workload.h"

namespace ipusim::workloads {

const std::vector<WorkloadKind>& workloadKinds() {
  static const std::vector<WorkloadKind> kKinds = {
      {"codelet", "one vertex on some tiles: codelet, its parameters, tiles", buildCodelet},
      {"matmul", "a matrix product (m, k) x (k, n): m, k, n, type, operands", buildMatmul},
  };
  return kKinds;
}

BuiltWorkload buildWorkload(const ConfigReader& workload, const models::Machine& machine) {
  std::vector<std::string> names;
  for (const WorkloadKind& kind : workloadKinds()) names.push_back(kind.name);
  const std::string name = workload.choice("kind", names);
  const auto kind =
      std::find_if(workloadKinds().begin(), workloadKinds().end(),
                   [&name](const WorkloadKind& candidate) { return candidate.name == name; });
  BuiltWorkload built = kind->build(workload, machine);
  workload.expectAllRead();
  return built;
}

}  // namespace ipusim::workloads
