// SPDX-License-Identifier: Apache-2.0
#include "ipusim/vertex_table.h"

#include "base/config/config_reader.h"
#include "workloads/vertices/table.h"

namespace ipusim {

VertexType vertexType(const std::string& lines, const Machine& machine) {
  const ConfigReader config = ConfigReader::fromText(lines, "vertex type");
  VertexType type = workloads::readVertexType(config, machine, "vertex");
  config.expectAllRead();
  return type;
}

}  // namespace ipusim
