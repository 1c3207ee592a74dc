// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/runs.h"

#include <numeric>
#include <utility>

#include "ipusim/error.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

Runs Runs::one(std::uint64_t elements) {
  check(elements > 0, "an elementwise vertex on nothing");
  return {true, {elements}};
}

Runs Runs::list(std::vector<std::uint64_t> elements) {
  check(!elements.empty(), "an elementwise vertex on no run");
  return {false, std::move(elements)};
}

Runs Runs::read(const ConfigReader& config) {
  if (config.has("runs")) return list(config.wholes("runs", 0, kMaxElements));
  const std::uint64_t elements = readCount(config, "elements");
  if (!config.has("regions")) return one(elements);
  return list(std::vector<std::uint64_t>(readCount(config, "regions"), elements));
}

std::uint64_t Runs::elements() const {
  return std::accumulate(lengths_.begin(), lengths_.end(), std::uint64_t{0});
}

VertexKind Runs::kind() const {
  return one_ ? VertexKind::Supervisor : VertexKind::Worker;
}

EdgeGroups Runs::groups() const {
  EdgeGroups groups;
  for (const std::uint64_t length : lengths_) {
    if (!groups.empty() && groups.back().elements == length) {
      ++groups.back().count;
    } else {
      groups.push_back({1, length});
    }
  }
  return groups;
}

Bytes Runs::tableBytes(Bytes run_bytes) const {
  return one_ ? Bytes(0) : run_bytes * lengths_.size();
}

void Runs::appendTo(Params& params) const {
  if (one_) {
    params.push_back({"elements", lengths_.front()});
  } else {
    params.push_back({"runs", lengths_});
  }
}

}  // namespace ipusim::workloads
