// SPDX-License-Identifier: Apache-2.0
#include "base/part.h"
#include "sim/interop/topology/topology_workload.h"
#include "workloads/sources/named/butterfly.h"
#include "workloads/sources/named/codec.h"
#include "workloads/sources/named/conv.h"
#include "workloads/sources/named/linear.h"
#include "workloads/sources/named/message_passing.h"
#include "workloads/sources/named/mlp_training.h"
#include "workloads/sources/named/shl_training.h"
#include "workloads/sources/named/structured_layer.h"
#include "workloads/sources/text/network_workload.h"

namespace ipusim::workloads {

BuiltWorkload buildButterfly(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildCodec(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildConv(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildLinear(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildMessagePassing(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildMlpTraining(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildNetwork(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildShlTraining(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

BuiltWorkload buildStructured(const std::string& /*kind*/, const ConfigReader& /*config*/,
                              const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

LeastSize leastLinear(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

LeastSize leastStructured(const std::string& /*kind*/, const ConfigReader& /*config*/,
                          const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

LeastSize leastShlTraining(const ConfigReader& /*config*/, const System& /*system*/) {
  throw PartAbsent("networks");
}

LeastSize leastNetwork(const ConfigReader& /*config*/, const System& /*system*/) {
  throw PartAbsent("networks");
}

TrainedNetworkPointer readMlpNetwork(const ConfigReader& /*config*/) {
  throw PartAbsent("networks");
}

TrainedNetworkPointer readShlNetwork(const ConfigReader& /*config*/) {
  throw PartAbsent("networks");
}

TrainedNetworkPointer readTextNetwork(const ConfigReader& /*config*/) {
  throw PartAbsent("networks");
}

}  // namespace ipusim::workloads

namespace ipusim::interop {

workloads::BuiltWorkload buildTopology(const ConfigReader& /*config*/,
                                       const Architecture& /*machine*/) {
  throw PartAbsent("networks");
}

workloads::LeastSize leastTopology(const ConfigReader& /*config*/, const System& /*system*/) {
  throw PartAbsent("networks");
}

}  // namespace ipusim::interop
