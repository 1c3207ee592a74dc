// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/fill/zero.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "workloads/graph/mapping_index.h"
#include "workloads/ops/placement/ranges.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

constexpr VariableElements kNext(1);

/// Vertex types by type, regions and elements of a region.
using ZeroTypes = TypeCache<std::tuple<ElementType, std::uint64_t, std::uint64_t>>;

/// Where the vertices go.
struct ZeroSite {
  Graph& graph;
  const Architecture& machine;
  ComputeSetId compute_set;
  std::uint32_t workers;  ///< of a tile
  double value;
};

/// A tile's part in the order of its memory, and in as few levels as that takes. It does not matter
/// in which order elements are cleared.
/// Source: graphcore/poplibs lib/popops/Fill.cpp (MIT), which sorts regions.
Walk<VariableElements> normalized(const TileSection& part) {
  Walk<VariableElements> walk = part.section.walk;
  std::stable_sort(walk.levels.begin(), walk.levels.end(),
                   [](const auto& a, const auto& b) { return a.stride > b.stride; });
  walk.normalize();
  return walk;
}

/// Takes the innermost level out of a walk if its elements are consecutive, and gives their number.
std::uint64_t takeRun(Walk<VariableElements>& walk) {
  if (walk.levels.empty() || walk.levels.back().stride != kNext) return 1;
  const std::uint64_t run = walk.levels.back().count;
  walk.levels.pop_back();
  return run;
}

/// Whether the outermost level of a part, by which addVertices() shares it out, gives each worker
/// something to do.
bool sharesByOuterLevel(const TileSection& part, std::uint32_t workers) {
  Walk<VariableElements> walk = normalized(part);
  takeRun(walk);
  return !walk.levels.empty() && walk.levels.front().count >= workers;
}

/// The elements that one worker clears of each of `runs` equal runs: all of them, or vectors of
/// `vector` elements, at least two of them, where there are fewer runs than workers.
/// Source: graphcore/poplibs lib/popops/Fill.cpp (MIT).
std::uint64_t pieceOf(std::uint64_t run, std::uint64_t runs, std::uint64_t vector,
                      std::uint32_t workers) {
  const std::uint64_t pieces = std::max<std::uint64_t>(1, workers / runs);
  if (pieces == 1) return run;
  return std::min(run, std::max(2 * vector, roundUp(ceilDiv(run, pieces), vector)));
}

/// Adds vertices that clear `part`, whose runs the workers share.
void addVertices(const ZeroSite& site, const TileSection& part, ZeroTypes& types) {
  const ElementType type = site.graph.variable(part.section.variable).type;
  Section section{part.section.variable, normalized(part)};
  const std::uint64_t run = takeRun(section.walk);
  auto& levels = section.walk.levels;
  if (levels.empty()) levels.push_back({1, VariableElements(0)});
  const Level<VariableElements> outer = levels.front();
  const std::uint64_t inner_runs = section.elements() / outer.count;
  for (std::uint64_t done = 0; done < outer.count;) {
    const std::uint64_t left = outer.count - done;
    const std::uint64_t share = std::max<std::uint64_t>(1, left / site.workers);
    const std::uint64_t vertices = std::min<std::uint64_t>(site.workers, left / share);
    Section own = section;
    own.walk.begin += done * outer.stride;
    own.walk.levels.front().count = share;
    own.walk.levels.push_back({run, kNext});
    own.walk.normalize();
    const ZeroVertexShape shape{type, share * inner_runs, run, site.value};
    const auto& zero = types.get({type, shape.regions, run}, [&] { return zeroVertex(shape); });
    site.graph.addVertices(site.compute_set, {zero,
                                              part.tile,
                                              static_cast<std::uint32_t>(vertices),
                                              {{{own}, share * outer.stride.value()}}});
    done += vertices * share;
  }
}

/// Equal runs of one variable on a tile.
using RunsKey = std::tuple<TileId, VariableId, std::uint64_t>;

/// Adds where the runs of `walk` begin. The level of their elements is not part of it.
void addBegins(const Walk<VariableElements>& walk, std::vector<VariableElements>& begins) {
  std::vector<VariableElements> all{walk.begin};
  for (const auto& level : walk.levels) {
    std::vector<VariableElements> next;
    next.reserve(all.size() * level.count);
    for (const VariableElements begin : all) {
      for (std::uint64_t i = 0; i < level.count; ++i) next.push_back(begin + i * level.stride);
    }
    all = std::move(next);
  }
  begins.insert(begins.end(), all.begin(), all.end());
}

/// The runs of a tile, by length.
class TileRuns {
 public:
  void add(const TileSection& part) {
    Walk<VariableElements> walk = normalized(part);
    const std::uint64_t run = takeRun(walk);
    addBegins(walk, begins_[{part.tile, part.section.variable, run}]);
  }

  /// Cuts runs that are fewer than the workers of their tile.
  void cutFew(const ZeroSite& site) {
    std::map<RunsKey, std::vector<VariableElements>> cut;
    for (const auto& [key, begins] : begins_) {
      const auto& [tile, variable, run] = key;
      const std::uint64_t vector = site.machine.vectorWidth(site.graph.variable(variable).type);
      const std::uint64_t piece = pieceOf(run, begins.size(), vector, site.workers);
      for (const VariableElements begin : begins) {
        for (std::uint64_t done = 0; done < run; done += piece) {
          cut[{tile, variable, std::min(piece, run - done)}].push_back(begin +
                                                                       VariableElements(done));
        }
      }
    }
    begins_ = std::move(cut);
  }

  /// Adds up to one vertex per worker for runs of one length. Each has a list of them.
  void addVertices(const ZeroSite& site, ZeroTypes& types) const {
    for (const auto& [key, begins] : begins_) {
      const auto& [tile, variable, run] = key;
      const ElementType type = site.graph.variable(variable).type;
      for (const Range& share : evenRanges(begins.size(), site.workers)) {
        if (share.size() == 0) continue;
        View view;
        for (std::uint64_t b = share.begin; b < share.end; ++b) {
          appendRegular(view, contiguous(variable, begins[b].value(), run));
        }
        const ZeroVertexShape shape{type, share.size(), run, site.value};
        const auto& zero = types.get({type, shape.regions, run}, [&] { return zeroVertex(shape); });
        site.graph.addVertices(site.compute_set, {zero, tile, 1, {{std::move(view)}}});
      }
    }
  }

 private:
  std::map<RunsKey, std::vector<VariableElements>> begins_;
};

}  // namespace

void addFill(Graph& graph, const Architecture& machine, const Fill& fill, const std::string& name,
             Program& program) {
  const ComputeSetId compute_set = graph.addComputeSet(name);
  const ZeroSite site{graph, machine, compute_set, machine.workers_per_tile, fill.value};
  ZeroTypes types;
  TileRuns runs;
  const std::vector<TileSection> parts = sectionsByTile(graph, fill.tensors);
  for (auto first = parts.begin(); first != parts.end();) {
    const auto last = std::find_if(
        first, parts.end(), [&](const TileSection& part) { return part.tile != first->tile; });
    if (last - first == 1 && sharesByOuterLevel(*first, site.workers)) {
      addVertices(site, *first, types);
    } else {
      std::for_each(first, last, [&](const TileSection& part) { runs.add(part); });
    }
    first = last;
  }
  runs.cutFew(site);
  runs.addVertices(site, types);
  program.add(execute(compute_set));
}

void addZero(Graph& graph, const Architecture& machine, const std::vector<Tensor>& tensors,
             const std::string& name, Program& program) {
  addFill(graph, machine, {tensors, 0}, name, program);
}

}  // namespace ipusim::workloads
