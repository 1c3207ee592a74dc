// SPDX-License-Identifier: Apache-2.0
#include "base/part.h"
#include "workloads/sources/onnx/onnx_workload.h"

namespace ipusim::workloads {

BuiltWorkload buildOnnx(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("onnx");
}

LeastSize leastOnnx(const ConfigReader& /*config*/, const System& /*system*/) {
  throw PartAbsent("onnx");
}

std::vector<std::string> previewOnnx(const ConfigReader& /*config*/) {
  throw PartAbsent("onnx");
}

TrainedNetworkPointer readOnnxNetwork(const ConfigReader& /*config*/) {
  throw PartAbsent("onnx");
}

}  // namespace ipusim::workloads
