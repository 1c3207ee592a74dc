// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// What an elementwise vertex goes over. The vendor's library has each such vertex in two forms:
/// 1D, one run that all workers of the tile share, and 2D, a list of runs on one worker.
class Runs {
 public:
  static Runs one(std::uint64_t elements);
  static Runs list(std::vector<std::uint64_t> elements);
  /// The runs that appendTo wrote: "elements" for one, "runs" for a list. "regions" beside
  /// "elements" stands for a list of as many equal runs.
  static Runs read(const ConfigReader& config);

  [[nodiscard]] bool isOne() const { return one_; }
  [[nodiscard]] const std::vector<std::uint64_t>& lengths() const { return lengths_; }
  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] VertexKind kind() const;
  /// "1D" or "2D": the end of the vertex's name.
  [[nodiscard]] std::string suffix() const { return one_ ? "1D" : "2D"; }
  /// One edge per run.
  [[nodiscard]] EdgeGroups groups() const;
  /// Of the tables behind the vertex: `run_bytes` for each run of a list, nothing for one run.
  [[nodiscard]] Bytes tableBytes(Bytes run_bytes) const;
  /// Adds the parameter that `read` understands.
  void appendTo(Params& params) const;

 private:
  Runs(bool one, std::vector<std::uint64_t> lengths) : one_(one), lengths_(std::move(lengths)) {}

  bool one_;
  std::vector<std::uint64_t> lengths_;
};

}  // namespace ipusim::workloads
