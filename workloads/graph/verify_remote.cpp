// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "ipusim/verify.h"
#include "workloads/graph/copy_moves.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim {

namespace {

/// Consecutive elements of a row that come from the tiles of one IPU.
struct RowRun {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t ipu;

  friend bool operator==(const RowRun& a, const RowRun& b) {
    return a.begin == b.begin && a.end == b.end && a.ipu == b.ipu;
  }
};

using PartWalk = Walk<Ends<ShareElements, PackedElements>>;

/// Adds the runs of the levels of `walk` from `level` on. `begin` is where they start in the row.
void addRuns(const PartWalk& walk, std::size_t level, const RowRun& begin,
             std::vector<RowRun>& runs) {
  const auto& levels = walk.levels;
  const bool is_run = level + 1 == levels.size() && levels[level].stride.to == PackedElements(1);
  if (is_run || level == levels.size()) {
    const std::uint64_t count = is_run ? levels[level].count : 1;
    runs.push_back({begin.begin, begin.begin + count, begin.ipu});
    return;
  }
  RowRun next = begin;
  for (std::uint64_t i = 0; i < levels[level].count; ++i) {
    addRuns(walk, level + 1, next, runs);
    next.begin += levels[level].stride.to.value();
  }
}

/// The IPU of every element of a row that `tensor` is copied to or from.
std::vector<RowRun> rowRunsOf(const Graph& graph, const Tensor& tensor, std::uint32_t ipu_tiles) {
  std::vector<RowRun> runs;
  for (const PackedSection& section : packed(tensor.view())) {
    const MappingIndex mapping(graph.variable(section.variable));
    for (const auto& part : cut(section.walk, mapping)) {
      const std::uint32_t ipu = part.tile.tile() / ipu_tiles;
      addRuns(part.walk, 0, {part.walk.begin.to.value(), 0, ipu}, runs);
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const RowRun& a, const RowRun& b) { return a.begin < b.begin; });
  std::vector<RowRun> joined;
  for (const RowRun& run : runs) {
    if (!joined.empty() && joined.back().ipu == run.ipu && joined.back().end == run.begin) {
      joined.back().end = run.end;
    } else {
      joined.push_back(run);
    }
  }
  return joined;
}

/// Where the rows of the buffers are, and whether they fit.
class BufferVerifier {
 public:
  BufferVerifier(const Graph& graph, const Machine& ipu, std::uint32_t ipus)
      : graph_(graph), ipu_(ipu), runs_of_(graph.remoteBuffers().size()), bytes_(ipus) {}

  void run() {
    for (const RemoteCopy& copy : graph_.remoteCopies()) add(copy);
    for (std::size_t b = 0; b < runs_of_.size(); ++b) expectFits(graph_.remoteBuffers()[b], b);
  }

 private:
  void add(const RemoteCopy& copy) {
    std::vector<RowRun> runs{{0, copy.tensor.elements(), 0}};
    if (bytes_.size() > 1) runs = rowRunsOf(graph_, copy.tensor, ipu_.tiles);
    std::optional<std::vector<RowRun>>& known = runs_of_[indexOf(copy.buffer)];
    if (known && !(*known == runs)) {
      throw GraphError(fmt::format(
          "remote copy {}: wanted a tensor on the IPUs of the other copies of buffer {}, found one "
          "on others",
          copy.name, graph_.remoteBuffer(copy.buffer).name));
    }
    known = std::move(runs);
  }

  /// Adds the bytes of a buffer to the IPUs that have its elements. A row takes whole packets.
  void expectFits(const RemoteBuffer& buffer, std::size_t number) {
    if (!runs_of_[number]) return;
    std::map<std::uint32_t, Bytes> of_ipu;
    for (const RowRun& run : *runs_of_[number]) {
      of_ipu[run.ipu] += (run.end - run.begin) * sizeOf(buffer.type);
    }
    const std::uint64_t room = ipu_.streaming.bytes / ipu_.streaming.ipus;
    const Bytes packet = ipu_.streaming.packet_payload;
    for (const auto& [ipu, row] : of_ipu) {
      bytes_[ipu] += buffer.rows * (ceilDiv(row.value(), packet.value()) * packet);
      if (bytes_[ipu].value() <= room) continue;
      throw GraphError(fmt::format(
          "remote buffer {}: wanted at most {} bytes of streaming memory for IPU {}, found {}",
          buffer.name, room, ipu, bytes_[ipu].value()));
    }
  }

  const Graph& graph_;
  const Machine& ipu_;
  std::vector<std::optional<std::vector<RowRun>>> runs_of_;  ///< one entry per buffer
  std::vector<Bytes> bytes_;                                 ///< one entry per IPU
};

/// Whether a variable has elements on I/O tiles, and elsewhere.
struct Sides {
  bool io = false;
  bool other = false;
};

/// Walks a program, and looks at what its Overlaps do with which tiles. Inside an Overlap, every
/// step is one of its body.
class OverlapVerifier {
 public:
  explicit OverlapVerifier(const Graph& graph) : graph_(graph) {
    for (const Variable& variable : graph.variables()) {
      Sides sides;
      for (const MappedInterval& interval : variable.mapping.intervals()) {
        (isIo(interval.tile) ? sides.io : sides.other) = true;
      }
      sides_.push_back(sides);
    }
  }

  void operator()(const Sequence& step) { walk(step, *this); }
  void operator()(const Repeat& step) { walk(step.body, *this); }
  void operator()(const Call& step) {
    const bool is_new = called_.insert({step.function, transfer_ != nullptr}).second;
    if (is_new) walk(graph_.function(step.function), *this);
  }
  void operator()(const Execute& step) {
    if (transfer_ == nullptr) return;
    for (const VertexFamily& family : graph_.computeSets().at(indexOf(step.compute_set)).families) {
      if (isIo(family.tile)) throw fault(fmt::format("a vertex on tile {}", family.tile.tile()));
      for (const Connection& field : family.fields) {
        for (const Section& section : field.view) expectElsewhere(section.variable);
      }
    }
  }
  void operator()(const Copy& step) {
    if (transfer_ == nullptr) return;
    visitMoveRuns(graph_.copy(step.copy), [this](const MoveRun& run) {
      expectElsewhere(run.first.from);
      expectElsewhere(run.first.to);
    });
  }
  void operator()(const Stream& step) {
    if (transfer_ == nullptr) return;
    for (const VariableId id : graph_.stream(step.stream).variables) expectElsewhere(id);
  }
  void operator()(const Remote& step) {
    if (transfer_ != nullptr) throw fault("remote copy " + graph_.remoteCopy(step.copy).name);
  }
  void operator()(const WriteUndef& /*step*/) {}
  void operator()(const Overlap& step) {
    const RemoteCopy& copy = graph_.remoteCopy(step.copy);
    if (transfer_ != nullptr) throw fault("remote copy " + copy.name);
    for (const Tensor::Piece& piece : copy.tensor.pieces()) {
      if (!sides_[indexOf(piece.variable)].other) continue;
      throw GraphError(fmt::format(
          "remote copy {}: wanted a tensor on I/O tiles for an Overlap, found variable {}",
          copy.name, graph_.variable(piece.variable).name));
    }
    transfer_ = &copy;
    walk(step.body, *this);
    transfer_ = nullptr;
  }
  void operator()(const If& step) {
    expectNone("If");
    walk(step.then, *this);
    walk(step.otherwise, *this);
  }
  void operator()(const Switch& step) {
    expectNone("Switch");
    for (const Switch::Case& one : step.cases) walk(one.body, *this);
    walk(step.otherwise, *this);
  }
  void operator()(const RepeatWhile& step) {
    expectNone("RepeatWhile");
    walk(step.condition, *this);
    walk(step.body, *this);
  }

 private:
  [[nodiscard]] bool isIo(TileId tile) const {
    return std::binary_search(graph_.ioTiles().begin(), graph_.ioTiles().end(), tile);
  }
  [[nodiscard]] GraphError fault(const std::string& found) const {
    return GraphError(fmt::format(
        "the steps beside remote copy {}: wanted steps that leave the I/O tiles alone, found {}",
        transfer_->name, found));
  }
  void expectElsewhere(VariableId id) const {
    if (sides_[indexOf(id)].io) throw fault("variable " + graph_.variable(id).name);
  }
  void expectNone(const char* step) const {
    if (transfer_ != nullptr) throw fault(step);
  }

  const Graph& graph_;
  std::vector<Sides> sides_;  ///< one entry per variable
  /// The functions that were walked outside Overlaps and inside them.
  std::set<std::pair<FunctionId, bool>> called_;
  const RemoteCopy* transfer_ = nullptr;  ///< of the Overlap that the walk is in
};

/// Source: graphcore/popart willow/src/popx/irlowering.cpp (MIT).
constexpr std::uint32_t kFewestIoTiles = 32;

void verifyIoTiles(const Graph& graph, const Machine& ipu, std::uint32_t ipus) {
  std::map<std::uint32_t, std::uint32_t> of_ipu;
  for (const TileId tile : graph.ioTiles()) {
    if (tile.tile() >= ipus * ipu.tiles) {
      throw GraphError(fmt::format("I/O tiles: wanted tiles below {}, found tile {}",
                                   ipus * ipu.tiles, tile.tile()));
    }
    ++of_ipu[tile.tile() / ipu.tiles];
  }
  for (const auto& [number, tiles] : of_ipu) {
    if (tiles % 2 == 0 && tiles >= kFewestIoTiles) continue;
    throw GraphError(
        fmt::format("I/O tiles: wanted an even number of at least {} on IPU {}, found {}",
                    kFewestIoTiles, number, tiles));
  }
}

}  // namespace

void verifyRemoteCopies(const Graph& graph, const Machine& ipu, std::uint32_t ipus,
                        const std::string& system) {
  verifyIoTiles(graph, ipu, ipus);
  if (graph.remoteBuffers().empty()) return;
  if (ipu.streaming.ipus == 0) {
    throw GraphError(
        fmt::format("remote buffer {}: wanted a system with streaming memory, found {}",
                    graph.remoteBuffers().front().name, system));
  }
  BufferVerifier(graph, ipu, ipus).run();
  walk(graph.program(), OverlapVerifier(graph));
}

}  // namespace ipusim
