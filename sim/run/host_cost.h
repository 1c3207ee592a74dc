// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "ipusim/graph.h"
#include "ipusim/result.h"
#include "workloads/sources/least_size.h"

// What a run takes of the computer that simulates it. The cost of the simulated machine is
// elsewhere.

namespace ipusim::run {

/// Counts of a graph. The cost of compiling and simulating the graph grows with them.
struct HostWork {
  std::uint64_t tiles = 0;
  std::uint64_t ipus = 1;
  std::uint64_t steps = 0;       ///< compute sets, copies and streams
  std::uint64_t tile_steps = 0;  ///< tiles that take part in a step, at most, over all steps
  std::uint64_t families = 0;    ///< families of equal vertices
  std::uint64_t moves = 0;       ///< walks that copies move
  /// Moves of the copy that has most of them: the messages of one exchange are in memory together.
  std::uint64_t largest_copy = 0;
  std::uint64_t move_runs = 0;  ///< runs of such walks of one form at constant distances
  /// Intervals of mappings that the ends of copies pass, each a part of a message at most.
  double passed = 0;
  std::uint64_t intervals = 0;  ///< intervals of the mappings of all variables
  std::uint64_t vertices = 0;
  Bytes data;  ///< of all variables
  /// Elements of the variables that live always, as what a host writes and reads does.
  double kept_elements = 0;
  /// Vertices and their operations, as often as loops run them. What data decide about runs once.
  double executed_vertices = 0;
  double executed_flops = 0;
  /// What building makes, for a graph that is not built yet.
  workloads::LeastSize least = {};
};

/// The work of compiling and simulating one graph after the other.
HostWork operator+(const HostWork& a, const HostWork& b);

/// Counts the work of compiling and simulating `graph` on `tiles` tiles, those of all `ipus`.
HostWork hostWork(const Graph& graph, std::uint32_t tiles, std::uint32_t ipus = 1);

/// The work of a graph that is compiled, and never executed with numbers.
HostWork withoutExecution(HostWork work);

/// The work of building a graph that holds `least`, before it is built.
HostWork leastWork(const workloads::LeastSize& least, std::uint32_t tiles, std::uint32_t ipus);

/// Seconds and memory that a run takes of this computer.
struct HostCost {
  double seconds = 0;
  Bytes memory;
};

/// The cost of most runs lies between the estimate over this factor and the estimate times this
/// factor. host_cost.cpp lists the others.
constexpr double kHostCostAccuracy = 2;

/// The work of a run. The graphs of layers that are programs of their own do not stay.
struct RunWork {
  HostWork all;   ///< of all graphs up to now
  HostWork held;  ///< of those that are in memory now
  /// False before a graph is built: the run then takes at least what its counts say.
  bool is_built = true;
};

/// Estimates the cost of a run from its counts.
HostCost hostCost(const HostWork& work, Engine engine);
/// The time of all graphs, and the memory of those that are held.
HostCost hostCost(const RunWork& work, Engine engine);

/// Estimates what executing with numbers adds to the cost of compiling, on `threads` threads.
/// Results differ from case to case by more than hostCost(): within a factor of 3.
HostCost executionCost(const HostWork& work, std::uint64_t threads);
HostCost executionCost(const RunWork& work, std::uint64_t threads);

/// The cost of one thing after the other.
HostCost operator+(const HostCost& a, const HostCost& b);

/// What a run may take of this computer.
struct HostLimits {
  std::optional<double> seconds;
  std::optional<Bytes> memory;
};

/// True when a run of `cost` takes longer than its limit even if the estimate is too high by
/// kHostCostAccuracy.
bool isSurelyTooLong(const HostCost& cost, const HostLimits& limits);
/// True when a run of `cost` holds more memory than its limit even if the estimate is too high by
/// kHostCostAccuracy.
bool isSurelyTooLarge(const HostCost& cost, const HostLimits& limits);

/// Called with the estimated work of a run before most of the work is done.
using OnWorkEstimate = std::function<void(const RunWork&)>;

}  // namespace ipusim::run
