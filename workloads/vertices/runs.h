// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// The elements that an elementwise vertex covers. The vendor's library has each such vertex in two
/// forms. The 1D form has one run, which all workers of the tile share. The 2D form has a list of
/// runs on one worker.
class Runs {
 public:
  static Runs one(std::uint64_t elements);
  static Runs list(std::vector<std::uint64_t> elements);
  /// Reads the runs that appendTo() wrote: "elements" for one run, or "runs" for a list. "regions"
  /// with "elements" stands for a list of that many equal runs.
  static Runs read(const ConfigReader& config);

  [[nodiscard]] bool isOne() const { return one_; }
  [[nodiscard]] const std::vector<std::uint64_t>& lengths() const { return lengths_; }
  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] VertexKind kind() const;
  /// The end of the vertex's name: "1D" or "2D".
  [[nodiscard]] std::string suffix() const { return one_ ? "1D" : "2D"; }
  /// The edges: one per run.
  [[nodiscard]] EdgeGroups groups() const;
  /// Bytes of the tables behind the vertex: `run_bytes` per run of a list, and none for one run.
  [[nodiscard]] Bytes tableBytes(Bytes run_bytes) const;
  /// Adds the parameter that read() understands.
  void appendTo(Params& params) const;

 private:
  Runs(bool one, std::vector<std::uint64_t> lengths) : one_(one), lengths_(std::move(lengths)) {}

  bool one_;
  std::vector<std::uint64_t> lengths_;
};

}  // namespace ipusim::workloads
