// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/json.h"
#include "ipusim/memory_use.h"
#include "ipusim/step_kind.h"
#include "ipusim/units.h"

// What a profile of a real machine says, before it becomes a result.

namespace ipusim::interop {

/// The version of the keys of an imported result.
constexpr const char* kProfileSchema = "ipusim-profile-1";

/// One entry per tile; empty where the profile does not say.
using CountsByTile = std::vector<std::uint64_t>;

/// A compute set, an exchange or another step. Figures by tile count one iteration.
struct RecordedStep {
  std::string name;
  StepKind kind = StepKind::Compute;
  std::optional<std::uint64_t> iterations;
  std::optional<Cycles> cycles;  ///< of all iterations, for a step without `cycles_by_tile`
  std::optional<std::uint64_t> vertices;
  CountsByTile cycles_by_tile;
  CountsByTile received_by_tile;  ///< bytes
  CountsByTile sent_by_tile;      ///< bytes
};

/// Bytes of all tiles in one category, and by tile where that is known.
struct RecordedCategory {
  MemoryCategory category;
  Bytes total;
  CountsByTile by_tile;
};

struct Recording {
  /// Members of a result, by the keys of `ipusim run --json`: the sections machine, graph, memory,
  /// time, and `fits`. Members that no profile says are absent.
  Json figures = {{"machine", Json::object()},
                  {"graph", Json::object()},
                  {"memory", Json::object()},
                  {"time", Json::object()}};
  std::vector<RecordedCategory> categories;
  std::vector<RecordedStep> steps;
  CountsByTile total_bytes;
  CountsByTile including_gaps_bytes;
  CountsByTile always_live_bytes;
  std::vector<std::string> not_held;  ///< what the profile says and a result has no member for

  /// Adds to the category; figures of one category by several names add up.
  void add(MemoryCategory category, Bytes total, const CountsByTile& by_tile);
};

/// The recording as a result: the object that `ipusim run --json` prints, without the members that
/// are not known. Three members are its own: `tiles` has the columns of tiles.csv, `not_filled`
/// names the missing members, and `not_held` names what the profile says beyond a result.
Json resultOf(const Recording& recording);

}  // namespace ipusim::interop
