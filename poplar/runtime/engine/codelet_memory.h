// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "poplar/runtime/engine/hot_lines.h"
#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// Where the cycles of a codelet come from: its code, or what its program said of it, if it did.
enum class CyclesFrom : std::uint8_t { Code, Estimates };

/// Calls of vertices of which the program gave an estimate.
struct EstimateTally {
  std::uint64_t calls = 0;
  ipusim::Cycles estimated;  ///< by the program
  ipusim::Cycles counted;    ///< by the code

  EstimateTally& operator+=(const EstimateTally& other) {
    calls += other.calls;
    estimated += other.estimated;
    counted += other.counted;
    return *this;
  }
};

/// The codelets of an engine: their structs, in memory that they can address, and the calls.
class CodeletMemory {
 public:
  /// `data` must outlive this. Throws what loading codelets throws.
  CodeletMemory(const ExecutableData& data, CyclesFrom from);

  /// Gives all structs the values that they have at the load of a program.
  void reset();
  /// Runs the codelet at a place: one worker, or all workers of the tile. May be called for
  /// different tiles at the same time. Throws CodeletFault.
  ipusim::Cycles run(const ipusim::VertexData& edges, const ipusim::VertexPlace& place);

  /// Begins a step: forgets what the vertices of the step before returned.
  void beginStep() { all_true_ = true; }
  /// Whether all vertices since beginStep() returned true.
  [[nodiscard]] bool allTrue() const { return all_true_; }
  /// Gives away what the codelets printed, tile by tile.
  std::string takePrinted();

  /// Gives away what the codelets of all tiles did since the last call.
  ipusim::Activity takeActivity();

  /// Lines of the codelets with the slots since the last forgetLines(), the most first.
  [[nodiscard]] std::vector<HotLine> hotLines() const {
    return tally_.lines(data_.codelets.blocks());
  }
  /// What the program's estimates say beside the code, since the last forgetLines().
  [[nodiscard]] EstimateTally estimates() const;
  void forgetLines() {
    tally_.clear();
    estimates_.assign(estimates_.size(), {});
  }

 private:
  /// Where a vertex has its struct, its tables of rows, and the arrays of its members.
  struct Instance {
    std::size_t type = 0;
    std::uint32_t state = 0;
    std::uint32_t tables = 0;
    std::uint32_t arrays = 0;
  };

  void place();
  void setMembers(const Vertex& vertex, const Instance& instance);
  [[nodiscard]] const ipusim::codelets::VertexType& typeOf(const Instance& instance) const {
    return data_.codelets.vertices()[instance.type];
  }
  [[nodiscard]] ipusim::Cycles besideEstimate(const Vertex& vertex, std::uint32_t tile,
                                              ipusim::Cycles counted);
  void pointAt(const ipusim::VertexData& edges, const std::vector<ipusim::EdgeGroups>& groups,
               const Instance& instance);

  const ExecutableData& data_;
  ipusim::codelets::Execution execution_;
  ipusim::codelets::LowMemory memory_;
  std::uint64_t bytes_ = 0;          ///< of `memory_`
  std::vector<Instance> instances_;  ///< by vertex of the graph
  BlockTally tally_;
  std::vector<ipusim::Activity> activity_;  ///< by tile, since takeActivity()
  CyclesFrom from_;
  std::vector<EstimateTally> estimates_;  ///< by tile
  std::mutex mutex_;                      ///< guards what follows
  bool all_true_ = true;
  std::map<ipusim::VertexPlace, std::string> printed_;
};

}  // namespace poplar::detail
