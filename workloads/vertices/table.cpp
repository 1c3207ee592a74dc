// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/table.h"

#include <algorithm>

#include "workloads/vertices/entries.h"

namespace ipusim::workloads {

const std::vector<VertexEntry>& vertexTable() {
  static const std::vector<VertexEntry> kTable = {
      kAmpEntry,
      kBinaryOpEntry,
      kBroadcastVectorEntry,
      kButterflyStageEntry,
      kCastEntry,
      kConvPartialEntry,
      kCopyEntry,
      kDropoutEntry,
      kDynamicSliceEntry,
      kHmacEntry,
      kInverseStdDevEntry,
      kMapScalarsEntry,
      kMultiSliceEntry,
      kNonlinearityEntry,
      kNonlinearityGradEntry,
      kOneHotEntry,
      kOuterProductEntry,
      kPoolingEntry,
      kReduceEntry,
      kReduceAddEntry,
      kReducePairsEntry,
      kReluGradEntry,
      kScaleByScalarEntry,
      kScaledAddEntry,
      kSparseMatMulEntry,
      kTernaryOpEntry,
      kTransposeEntry,
      kTriadEntry,
      kUnaryOpEntry,
      kUniformEntry,
      kUserAddEntry,
      kUserProductEntry,
      kUserStencilEntry,
      kZeroEntry,
  };
  return kTable;
}

VertexType readVertexType(const ConfigReader& config, const Architecture& machine,
                          const char* key) {
  std::vector<std::string> names;
  for (const VertexEntry& entry : vertexTable()) names.emplace_back(entry.name);
  const std::string name = config.choice(key, names);
  const auto entry = std::find_if(vertexTable().begin(), vertexTable().end(),
                                  [&](const VertexEntry& one) { return one.name == name; });
  return entry->read(config, machine);
}

}  // namespace ipusim::workloads
