// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/copy.h"

#include <cstring>

#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Estimated: a kind of runs has a copy descriptor with both ends, run length, run count and two
// strides, one word each.
constexpr Bytes kBytesPerKind(24);
// Estimated from the elementwise vertices of recorded profiles, 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kCopyCodeBytes(200);

Cycles copyCost(const CopyVertexShape& shape, const Architecture& machine) {
  models::CopyShape copy;
  // A single run starts and ends inside a word only if its elements do: shares and buffers start at
  // whole words of the data path. Runs with strides are aligned like their lengths.
  for (const CopyRuns& run : shape.runs) {
    const Bytes bytes = sizeOf(shape.type) * run.elements;
    const bool aligned = run.count == 1 || bytes.value() % machine.data_path.value() == 0;
    copy.runs.push_back({run.count, bytes, aligned ? machine.data_path : sizeOf(shape.type)});
  }
  return models::copyCycles(machine, copy);
}

void computeCopy(const CopyVertexShape& shape, const VertexData& data) {
  std::uint64_t edge = 0;
  for (const CopyRuns& run : shape.runs) {
    const std::size_t bytes = (sizeOf(shape.type) * run.elements).value();
    for (std::uint64_t r = 0; r < run.count; ++r, ++edge) {
      std::memcpy(data.edge(1, edge), data.edge(0, edge), bytes);
    }
  }
}

Params paramsOf(const CopyVertexShape& shape) {
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> lengths;
  for (const CopyRuns& run : shape.runs) {
    counts.push_back(run.count);
    lengths.push_back(run.elements);
  }
  Params params{{"type", wordOf(shape.type, kElementWords)}};
  params.push_back({"run_counts", std::move(counts)});
  params.push_back({"run_elements", std::move(lengths)});
  return params;
}

/// Reads the kinds of runs that "run_counts" and "run_elements" list, or one kind: "runs" of
/// "elements".
std::vector<CopyRuns> readRuns(const ConfigReader& config) {
  if (!config.has("run_counts")) {
    return {{readCount(config, "runs", 1), readCount(config, "elements")}};
  }
  const std::vector<std::uint64_t> counts = config.wholes("run_counts", 1, kMaxElements);
  const std::vector<std::uint64_t> lengths = config.wholes("run_elements", 1, kMaxElements);
  if (counts.size() != lengths.size()) {
    throw config.error("run_elements", "one length for each of run_counts");
  }
  std::vector<CopyRuns> runs;
  for (std::size_t r = 0; r < counts.size(); ++r) runs.push_back({counts[r], lengths[r]});
  return runs;
}

VertexType readCopy(const ConfigReader& config, const Architecture& /*machine*/) {
  return copyVertex({readWord(config, "type", kElementWords), readRuns(config)});
}

}  // namespace

VertexType copyVertex(CopyVertexShape shape) {
  EdgeGroups groups;
  for (const CopyRuns& run : shape.runs) groups.push_back({run.count, run.elements});
  VertexType type;
  type.name = "poplar_rt::StridedCopy";
  type.maker = kCopyEntry.name;
  type.params = paramsOf(shape);
  type.kind = VertexKind::Supervisor;
  type.fields = {{"from", FieldDirection::Input, shape.type, groups},
                 {"to", FieldDirection::Output, shape.type, groups}};
  type.sizes = {kBytesPerKind * shape.runs.size(), Bytes(0), kCopyCodeBytes};
  type.work = workOn(type.fields, Flops(0));
  return withFunctions<CopyVertexShape>(std::move(type), std::move(shape), {copyCost, computeCopy});
}

const VertexEntry kCopyEntry{"copy", "copy on a tile: type, elements (of a run), runs", readCopy};

}  // namespace ipusim::workloads
