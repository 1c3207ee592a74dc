// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/sources/tile_list.h"
#include "workloads/sources/trace/json_line.h"
#include "workloads/sources/trace/limits.h"
#include "workloads/sources/trace/named.h"
#include "workloads/sources/trace/trace.h"

namespace ipusim::workloads {

/// Consecutive elements of a variable, on one tile.
struct Interval {
  std::uint64_t begin;
  std::uint64_t end;
};

/// What the lines of a trace have made so far, and what all readers of lines share.
struct TraceParts {
  TraceParts(const Architecture& for_machine, const TraceLimits& with_limits)
      : machine(for_machine), limits(with_limits) {}

  const Architecture& machine;
  const TraceLimits& limits;
  TraceBudget budget;
  Trace trace;
  Named<VariableId> variables{"variable"};
  Named<std::uint64_t> types{"vertex"};
  Named<ComputeSetId> compute_sets{"compute set"};
  Named<CopyId> copies{"copy"};
  Named<StreamId> streams{"stream"};
  Named<RemoteBufferId> remote_buffers{"remote buffer"};
  Named<RemoteCopyId> remote_copies{"remote copy"};
  Named<FunctionId> functions{"function"};
  std::vector<std::shared_ptr<const VertexType>> vertex_types;
  /// All compute sets, copies, streams and remote copies in the order of the lines.
  std::vector<Program> in_order;

  /// Counts things that the line of `value` makes. Throws when the file makes too many.
  void keep(std::uint64_t things, const JsonValue& value) {
    if (!budget.keep(things)) throw value.error("fewer things for the size of the file");
  }
  /// The tiles of a text such as "0-1471", or of one number.
  [[nodiscard]] TileList tiles(const JsonValue& value) const;
};

/// Reads regions of variables: a variable's name alone, [variable, begin], [variable, begin, count]
/// or [variable, begin, count, stride, ...] with the outermost loop first; the last stride may be
/// left out and is then 1.
class RegionReader {
 public:
  explicit RegionReader(TraceParts& parts) : parts_(parts) {}

  /// One region. A name alone is the whole variable.
  [[nodiscard]] Section section(const JsonValue& value) const;
  /// One region, or an array of regions.
  [[nodiscard]] View view(const JsonValue& value) const;
  /// Throws unless `times` copies of the section, each `step` after the one before, are in its
  /// variable, and so are those that start up to `further` elements after each.
  void expectInside(const Section& section, std::uint64_t times, std::int64_t step,
                    const JsonValue& value, std::uint64_t further = 0) const;

 private:
  [[nodiscard]] Section loops(const JsonValue& value) const;
  [[nodiscard]] Section whole(VariableId variable, const JsonValue& value) const;

  TraceParts& parts_;
};

/// Reads the line of a variable: its elements, its tiles, and what it holds at the start.
void readVariable(const JsonRecord& line, TraceParts& parts);

/// Reads the line of a vertex type.
void readVertexType(const JsonRecord& line, TraceParts& parts);

/// Reads the vertices of compute sets.
class VertexReader {
 public:
  explicit VertexReader(TraceParts& parts) : parts_(parts), regions_(parts) {}

  void computeSet(const JsonRecord& line);
  /// A line of vertices, which belong to the last compute set.
  void vertices(const JsonRecord& line);

 private:
  struct Data {
    std::optional<VariableId> share;  ///< the tile's share of this variable, or
    View view;                        ///< this region
    std::uint64_t step = 0;
    std::int64_t next_tile = 0;
  };
  /// An entry of a line: what each tile of the line gets.
  struct Pattern {
    JsonValue value;
    std::shared_ptr<const VertexType> type;
    std::uint32_t count;
    bool round_robin;
    bool apart;
    std::vector<Data> data;
    std::unordered_map<std::uint32_t, std::shared_ptr<const VertexType>> by_tile;
  };

  /// A tile of a line, and its place in the list of tiles.
  struct TilePosition {
    std::uint32_t tile;
    std::uint64_t number;
    bool is_last;
  };

  [[nodiscard]] Pattern pattern(const JsonValue& value, const TileList& tiles);
  void readCycles(const JsonValue& value, Pattern& pattern);
  [[nodiscard]] std::shared_ptr<const VertexType> typeWith(
      const std::shared_ptr<const VertexType>& type, Cycles cycles);
  [[nodiscard]] Data data(const JsonValue& value) const;
  void expectFits(const Pattern& pattern, std::uint64_t tiles) const;
  void countWork(const Pattern& pattern, std::uint64_t tiles);
  /// Adds the vertices of a tile. The last tile takes the regions away.
  void add(Pattern& pattern, const TilePosition& position);
  static void setRegion(Data& data, const TilePosition& position, Connection& connection);
  [[nodiscard]] Connection shareOf(VariableId variable, std::uint32_t tile, const Pattern& pattern);

  TraceParts& parts_;
  RegionReader regions_;
  std::uint64_t vertices_ = 0;
  std::uint64_t edges_ = 0;
  /// One entry per variable whose shares were asked for: its intervals by tile.
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, std::vector<Interval>>>
      shares_;
  /// Types with other cycles than the trace says of the type, by the type and the cycles.
  std::map<std::pair<const VertexType*, std::uint64_t>, std::shared_ptr<const VertexType>>
      types_with_;
};

/// Reads copies, streams, remote copies, functions, the program and the execution record.
class ProgramReader {
 public:
  explicit ProgramReader(TraceParts& parts) : parts_(parts), regions_(parts) {}

  void copy(const JsonRecord& line);
  /// A line of moves, which belong to the last copy.
  void moves(const JsonRecord& line);
  /// Call before any line that is not one of moves, and at the end.
  void endCopy();
  void stream(const JsonRecord& line);
  void remoteBuffer(const JsonRecord& line);
  void remoteCopy(const JsonRecord& line);
  void ioTiles(const JsonRecord& line);
  void function(const JsonRecord& line);
  void program(const JsonRecord& line);
  void record(const JsonRecord& line);
  /// Makes the program of a trace that has none: all compute sets, copies, streams and remote
  /// copies, in the order of the lines. Call at the end.
  void end();

 private:
  struct OpenCopy {
    std::string name;
    std::vector<MoveRun> moves;
  };

  void addMove(const JsonValue& value);
  [[nodiscard]] Move moveOf(const Section& from, const Section& to, const JsonValue& value) const;
  [[nodiscard]] Program step(const JsonValue& value, std::uint64_t depth);
  [[nodiscard]] std::optional<Program> stepAlone(const JsonRecord& record, std::uint64_t depth);
  [[nodiscard]] std::optional<Program> stepWithBody(const JsonRecord& record, std::uint64_t depth);
  [[nodiscard]] Program named(const JsonValue& value, std::uint64_t depth);
  [[nodiscard]] Program writeUndefOf(const JsonValue& variables);
  [[nodiscard]] Program callOf(const JsonValue& function, std::uint64_t depth);
  void expectShallow(std::uint64_t depth, const JsonValue& value);
  [[nodiscard]] Sequence body(const JsonValue& value, std::uint64_t depth);
  [[nodiscard]] Program repeatStep(const JsonRecord& step, std::uint64_t depth);
  [[nodiscard]] Program ifStep(const JsonRecord& step, std::uint64_t depth);
  [[nodiscard]] Program switchStep(const JsonRecord& step, std::uint64_t depth);
  [[nodiscard]] Program whileStep(const JsonRecord& step, std::uint64_t depth);
  [[nodiscard]] Program overlapStep(const JsonRecord& step, std::uint64_t depth);
  [[nodiscard]] Tensor tensorOf(const JsonValue& value) const;
  [[nodiscard]] Tensor oneElement(const JsonValue& value) const;
  [[nodiscard]] MeasuredStep measuredStep(const JsonValue& value);
  [[nodiscard]] CyclesByTile cyclesByTile(const JsonValue& table);

  TraceParts& parts_;
  RegionReader regions_;
  std::optional<OpenCopy> open_;
  std::vector<std::uint64_t> steps_of_function_;  ///< those of the functions that it calls included
  std::vector<std::uint64_t> depth_of_function_;  ///< likewise
  std::uint64_t steps_ = 0;                       ///< of the body that is being read
  std::uint64_t called_steps_ = 0;  ///< steps of the body being read that its calls stand for
  std::uint64_t deepest_ = 0;       ///< bodies of the body being read within one another
  bool has_program_ = false;
};

}  // namespace ipusim::workloads
