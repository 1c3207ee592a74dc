// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/result.h"
#include "ipusim/tile_program.h"
#include "sim/report/timeline/chip_track.h"
#include "sim/report/timeline/trace_events.h"

namespace ipusim::report {

/// A tile that a timeline shows, and why.
struct ShownTile {
  std::uint32_t tile;
  std::string why;  ///< empty for a tile that the user named
};

/// The tile that is busy longest, the one in the middle of all, and the named ones. Each comes
/// once. A tile is busy while it computes, copies or exchanges.
std::vector<ShownTile> shownTiles(const Result& result, const std::vector<std::uint32_t>& named);

/// Writes what it observes as the events of a timeline: a track of the chip, and for each shown
/// tile its program, worker contexts, ports and live memory. Tells another observer, which may be
/// null, all that it observes.
class Timeline : public Observer {
 public:
  /// `programs` must outlive the timeline. `expected` is the result of the run, of either engine.
  Timeline(const ChipPrograms& programs, const Result& expected,
           const std::vector<ShownTile>& shown, Sink sink, Observer* next);

  void busy(TileId tile, OpKind kind, const Interval& when) override;
  void transmission(std::uint32_t transmission, const Interval& when) override;
  void sync(const Interval& when) override;
  void hostTransfer(std::uint32_t transfer, const Interval& when) override;

  /// Writes the rest. Throws what writing threw.
  void finish();

 private:
  struct StepText {
    std::string name;  ///< as a JSON string
    const char* kind;
  };
  /// A tile and what is known of its program.
  struct Shown {
    std::uint32_t tile;
    std::uint32_t process;
    Cycles reached;                      ///< the end of its last slice
    Cycles end;                          ///< of its program
    std::vector<const TileOp*> compute;  ///< by step
    std::vector<Bytes> live;             ///< by step
    Bytes counted;
  };
  enum class PortUse : std::uint8_t { Send, Receive };
  /// A port of a shown tile that a transmission holds.
  struct Held {
    std::uint32_t shown;
    PortUse use;
  };

  void nameChip(const Result& expected);
  void nameTile(const ShownTile& tile);
  void findPorts();
  void hold(std::uint32_t transmission, TileId tile, PortUse use);
  void write(const std::vector<ChipPhase>& phases);
  void write(Shown& shown, OpKind kind, const Interval& when);
  void writeContexts(const Shown& shown, const Interval& when);
  void fillGap(Track track, Cycles& reached, Cycles begin);
  [[nodiscard]] Shown shownOf(const ShownTile& tile, const Result& expected) const;

  const ChipPrograms& programs_;
  Observer* next_;
  TraceEvents events_;
  std::vector<StepText> steps_;
  std::vector<Shown> shown_;
  std::vector<std::uint32_t> place_of_tile_;  ///< index into `shown_`, or kNotShown
  std::unordered_map<std::uint32_t, std::vector<Held>> held_;  ///< by transmission
  std::optional<ChipTrack> chip_;
  Cycles chip_reached_;
  Cycles end_;  // of the run
  std::string other_;
};

}  // namespace ipusim::report
