// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/lower.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sim/compile/emit/measured.h"
#include "sim/compile/layout/liveness.h"
#include "sim/compile/lower/flow.h"
#include "sim/compile/lower/flow_builder.h"
#include "sim/compile/lower/last_uses.h"
#include "sim/compile/lower/lower_compute.h"
#include "sim/compile/lower/lowering_size.h"
#include "sim/compile/lower/placement.h"
#include "sim/compile/lower/shared_reads.h"
#include "sim/compile/lower/transfer.h"
#include "workloads/graph/copy_moves.h"

namespace ipusim::compiler {

namespace {

class Lowering {
 public:
  /// `last_uses` hears of each step that is lowered; it may be null.
  Lowering(const Graph& graph, const TileSpace& space, LastUses* last_uses)
      : graph_(graph), placement_(graph, space), last_uses_(last_uses) {}

  Lowered run(const ExecutionRecord& record) {
    const Flows flows = FlowBuilder(graph_, *this).run();
    Lowered result;
    result.steps = std::move(steps_);
    result.control = replayed(flows, record);
    result.depends_on_data = dependsOnData(flows);
    placement_.moveInto(result);
    setMeasured(record.measured, placement_.space().tiles(), result);
    setLiveRanges(positionsOf(flows), result);
    return result;
  }

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& stepEnds() const { return step_ends_; }

  void add(const Execute& step) {
    append(lowerComputeSet(graph_.computeSets().at(indexOf(step.compute_set)), placement_));
    if (last_uses_ != nullptr) last_uses_->done(step);
  }
  void add(const Copy& step) {
    append(lowerCopy(graph_.copy(step.copy)));
    if (last_uses_ != nullptr) last_uses_->done(step);
  }
  void add(const Stream& step) { append(lowerStream(graph_.stream(step.stream))); }
  void add(const Remote& step) {
    const RemoteCopy& copy = graph_.remoteCopy(step.copy);
    std::vector<Step> steps = lowerRemoteBegin(copy);
    steps.push_back(remoteEnd(copy));
    append(std::move(steps));
  }
  void beginOverlap(const Overlap& step) { append(lowerRemoteBegin(graph_.remoteCopy(step.copy))); }
  void endOverlap(const Overlap& step) { append({remoteEnd(graph_.remoteCopy(step.copy))}); }

  /// Brings the element that decides to every tile: each runs a program of its own, and all take
  /// the same way.
  void tellAllTiles(const Tensor& decision) {
    std::vector<TileId> tiles;
    for (std::uint32_t t = 0; t < placement_.space().tiles(); ++t) tiles.emplace_back(t);
    const VariableId variable = decision.view().front().variable;
    append(tellTiles(decision, tiles, graph_.variable(variable).name + "/Decision"));
  }

 private:
  std::vector<Step> lowerCopy(const CopyStep& copy) {
    if (placement_.space().ipus == 1) {
      Transfer transfer(placement_);
      SharedReads reads(placement_, copy);
      last_form_.reset();
      visitMoveRuns(copy, [&](const MoveRun& run) {
        if (reads.any()) {
          lowerEach(run, reads, transfer);
        } else {
          lowerRun(run, transfer);
        }
      });
      if (reads.finish(transfer)) return transfer.take(copy.name);
    }
    // The moves are lowered one by one. On several IPUs the transfer finds equal data, and on one
    // IPU a shared message may send what another message sends.
    Transfer apart(placement_);
    last_form_.reset();
    visitMoveRuns(copy, [&](const MoveRun& run) { lowerRun(run, apart); });
    return apart.take(copy.name);
  }

  /// Lowers the moves of a run in a copy some of whose moves read the same.
  void lowerEach(const MoveRun& run, SharedReads& reads, Transfer& transfer) {
    visitMoves(run, [&](const Move& move) {
      if (!lowerShared(move, reads, transfer)) lowerRun({move}, transfer);
    });
  }

  /// Lowers a move that several others read too, from more than one interval, into one interval.
  /// False for any other move.
  bool lowerShared(const Move& move, SharedReads& reads, Transfer& transfer) {
    if (!reads.mayShare(move)) return false;
    const VariableElements each(1);
    const auto end = move.walk.begin + move.walk.span({each, each});
    const MappedInterval& from =
        from_at_.of(move.from, placement_).at(move.walk.begin.from.value());
    const MappedInterval& to = to_at_.of(move.to, placement_).at(move.walk.begin.to.value());
    if (end.to.value() > to.end || end.from.value() <= from.end) return false;
    const Bytes offset =
        placement_.elementBytes(move.to) * (move.walk.begin.to.value() - to.begin + to.local);
    const auto parts = [&]() -> const std::vector<TilePart<ShareElements>>& {
      cut(swapped(move.walk), placement_.mapping(move.to), destinations_);
      cut(swapped(destinations_.front().walk), placement_.mapping(move.from), parts_);
      return parts_;
    };
    reads.add(move, {placement_.share(move.to, to.tile), offset}, parts, transfer);
    return true;
  }

  /// Most moves stay in one interval at both ends. Such moves of a run have one form.
  void lowerRun(const MoveRun& run, Transfer& transfer) {
    const Bytes element = placement_.elementBytes(run.first.from);
    const VariableElements each(1);
    const auto span = run.first.walk.span({each, each});
    IntervalCursor& from_at = from_at_.of(run.first.from, placement_);
    IntervalCursor& to_at = to_at_.of(run.first.to, placement_);
    std::optional<std::uint32_t> form;
    for (std::uint64_t m = 0; m < run.count; ++m) {
      const auto begin = run.begin(m);
      const MappedInterval& from = from_at.at(begin.from.value());
      const MappedInterval& to = to_at.at(begin.to.value());
      const bool uncut =
          (begin.from + span.from).value() <= from.end && (begin.to + span.to).value() <= to.end;
      if (!uncut) {
        lowerCut(run, m, transfer);
        continue;
      }
      const BlockId from_block = placement_.share(run.first.from, from.tile);
      const BlockId to_block = placement_.share(run.first.to, to.tile);
      const BlockOffsets offsets{element * (begin.from.value() - from.begin + from.local),
                                 element * (begin.to.value() - to.begin + to.local)};
      if (from.tile == to.tile) {
        BlockMove move{from_block, to_block, element, inBytes(run.first.walk, element)};
        move.walk.begin = offsets;
        transfer.add(move);
        continue;
      }
      if (!form) form = formOf(run.first, element, transfer);
      transfer.send({from_block, to_block, Message::kNoList, *form, offsets});
    }
  }

  /// The form of a move's message. Moves that follow one another mostly have one form.
  std::uint32_t formOf(const Move& move, Bytes element, Transfer& transfer) {
    const bool as_before =
        last_form_ && last_element_ == element && last_walk_.levels == move.walk.levels;
    if (as_before) return *last_form_;
    last_form_ = transfer.formOf(inBytes(move.walk, element), element);
    last_element_ = element;
    last_walk_ = move.walk;
    return *last_form_;
  }

  /// Cuts the `number`-th move of a run where it passes from one interval to another.
  void lowerCut(const MoveRun& run, std::uint64_t number, Transfer& transfer) {
    const auto& [from_variable, to_variable, whole] = run.first;
    const Bytes element = placement_.elementBytes(from_variable);
    auto walk = whole;
    walk.begin = run.begin(number);
    cut(swapped(walk), placement_.mapping(to_variable), destinations_);
    for (const auto& destination : destinations_) {
      const BlockId to = placement_.share(to_variable, destination.tile);
      cut(swapped(destination.walk), placement_.mapping(from_variable), parts_);
      for (const auto& part : parts_) {
        const BlockId from = placement_.share(from_variable, part.tile);
        transfer.add({from, to, element, inBytes(part.walk, element)});
      }
    }
  }

  static std::vector<Step> lowerStream(const HostStream& stream) {
    Step sync{stream.name + "/Sync", StepKind::Sync, {}, {}};
    Step transfer{stream.name, StepKind::HostCopy, {}, {}};
    transfer.host = {stream.direction, stream.bytes, stream.path, stream.variables};
    return {std::move(sync), std::move(transfer)};
  }

  /// The steps that begin a remote copy. Each tile writes the row's number into the headers of its
  /// packets: a number that is known during the run only goes to all these tiles first.
  std::vector<Step> lowerRemoteBegin(const RemoteCopy& copy) {
    RowCopy row = rowCopyOf(copy);
    std::vector<Step> steps;
    if (const auto* const offset = std::get_if<Tensor>(&copy.row)) {
      steps = tellTiles(*offset, tilesOf(row), copy.name + "/Row");
      const View view = offset->view();
      const ViewPart part = placement_.partsOf(view).front();
      row.row_type = offset->type();
      row.row_block = placement_.share(part.variable, part.tile);
      row.row_offset = inBytes(part.walk, sizeOf(row.row_type)).begin.from;
    }
    steps.push_back({copy.name + "/Sync", StepKind::Sync, {}, {}});
    Step begin{copy.name + "/Begin", StepKind::RemoteBegin, {}, {}};
    begin.remote = std::move(row);
    steps.push_back(std::move(begin));
    return steps;
  }

  static Step remoteEnd(const RemoteCopy& copy) {
    Step end{copy.name, StepKind::RemoteEnd, {}, {}};
    end.remote.direction = copy.direction;
    end.remote.bytes = copy.tensor.elements() * sizeOf(copy.tensor.type());
    return end;
  }

  RowCopy rowCopyOf(const RemoteCopy& copy) {
    const RemoteBuffer& buffer = graph_.remoteBuffer(copy.buffer);
    RowCopy row;
    row.direction = copy.direction;
    row.bytes = buffer.row_elements * sizeOf(buffer.type);
    row.buffer = copy.buffer;
    row.element = sizeOf(buffer.type);
    row.rows = buffer.rows;
    if (const auto* const constant = std::get_if<std::uint64_t>(&copy.row)) row.row = *constant;
    for (std::size_t b = 0; b <= indexOf(copy.buffer); ++b) {
      const RemoteBuffer& before = graph_.remoteBuffers()[b];
      const std::uint64_t rows = b == indexOf(copy.buffer) ? row.row : before.rows;
      row.address += rows * (before.row_elements * sizeOf(before.type));
    }
    for (const ViewPart& part : placement_.partsOf(copy.tensor.view())) {
      row.parts.push_back(
          {placement_.share(part.variable, part.tile), inBytes(part.walk, row.element)});
    }
    return row;
  }

  /// The tiles that have a part of the row, in ascending order.
  [[nodiscard]] std::set<TileId> tilesOf(const RowCopy& row) const {
    std::set<TileId> tiles;
    for (const RowPart& part : row.parts) {
      tiles.insert(placement_.blocks()[indexOf(part.block)].tile);
    }
    return tiles;
  }

  /// Brings the only element of a tensor to buffers on the tiles, but for the tile that has it.
  template <typename Tiles>
  std::vector<Step> tellTiles(const Tensor& element, const Tiles& tiles, const std::string& name) {
    const View view = element.view();
    const std::vector<ViewPart> parts = placement_.partsOf(view);
    const Bytes bytes = placement_.elementBytes(view.front().variable);
    Transfer transfer(placement_);
    Destinations destinations;
    for (const TileId tile : tiles) {
      if (tile != parts.front().tile) {
        destinations.push_back({placement_.addBuffer(tile, bytes), Bytes(0)});
      }
    }
    if (!destinations.empty()) transfer.addMulticast(parts, destinations);
    return transfer.take(name);
  }

  void append(std::vector<Step> steps) {
    for (Step& step : steps) steps_.push_back(std::move(step));
    step_ends_.push_back(static_cast<std::uint32_t>(steps_.size()));
  }

  /// The cursor of one end of the moves. Moves that follow one another mostly have one variable.
  class EndCursor {
   public:
    IntervalCursor& of(VariableId variable, const Placement& placement) {
      if (!cursor_ || variable_ != variable) cursor_.emplace(placement.mapping(variable));
      variable_ = variable;
      return *cursor_;
    }

   private:
    VariableId variable_{};
    std::optional<IntervalCursor> cursor_;
  };

  const Graph& graph_;
  Placement placement_;
  EndCursor from_at_;
  EndCursor to_at_;
  // What the move before had: its walk, the size of its elements, and the form of its message.
  Walk<Ends<VariableElements, VariableElements>> last_walk_;
  Bytes last_element_;
  std::optional<std::uint32_t> last_form_;
  LastUses* last_uses_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> step_ends_;
  std::vector<TilePart<VariableElements>> destinations_;  ///< parts of a move, by where they go
  std::vector<TilePart<ShareElements>> parts_;  ///< parts of a destination, by where they come from
};

/// Counts the steps of a program without making them.
class UnloweredSteps {
 public:
  template <typename Step>
  void add(const Step& /*step*/) {
    ++steps_;
  }
  template <typename Step>
  void beginOverlap(const Step& /*step*/) {
    ++steps_;
  }
  template <typename Step>
  void endOverlap(const Step& /*step*/) {
    ++steps_;
  }
  void tellAllTiles(const Tensor& /*decision*/) { ++steps_; }
  [[nodiscard]] std::size_t size() const { return steps_; }

 private:
  std::size_t steps_ = 0;
};

}  // namespace

Lowered lower(const Graph& graph, const TileSpace& space, const ExecutionRecord& record) {
  return Lowering(graph, space, nullptr).run(record);
}

LoweredGraph lowerAndRelease(Graph& graph, const TileSpace& space, const ExecutionRecord& record) {
  LastUses last_uses(graph);
  Lowering lowering(graph, space, &last_uses);
  LoweredGraph lowered{lowering.run(record), lowering.stepEnds()};
  graph.releaseSteps();
  return lowered;
}

std::size_t stepsOf(const Graph& graph) {
  UnloweredSteps steps;
  static_cast<void>(FlowBuilder(graph, steps).run());
  return steps.size();
}

std::vector<Control> replayedControl(const Graph& graph, const ExecutionRecord& record) {
  UnloweredSteps steps;
  return replayed(FlowBuilder(graph, steps).run(), record);
}

bool checkRecord(const Graph& graph, const TileSpace& space, const ExecutionRecord& record,
                 std::uint64_t most_parts) {
  if (!record.measured.empty() && mostPartsOf(graph) <= most_parts) {
    static_cast<void>(lower(graph, space, record));
    return true;
  }
  static_cast<void>(replayedControl(graph, record));
  return record.measured.empty();
}

}  // namespace ipusim::compiler
