// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/transform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/config/config_reader.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "workloads/graph/copy_moves.h"
#include "workloads/sources/trace/linear_mapping.h"
#include "workloads/vertices/table.h"

namespace ipusim::workloads {

namespace {

using SharedType = std::shared_ptr<const VertexType>;

/// What a transformation makes of one thing at a time.
struct TraceChange {
  std::optional<std::uint32_t> tiles;  ///< new tiles in place of the old ones
  std::uint32_t old_tiles = 0;
  bool halves = false;
  std::optional<double> factor = {};  ///< of the cycles
  std::string scaled_type = {};       ///< whose cycles are scaled; empty: those of all
};

ElementType changed(ElementType type, const TraceChange& change) {
  return change.halves && type == ElementType::Float ? ElementType::Half : type;
}

/// The type from the table with the parameters that `edit` changes.
template <typename Edit>
VertexType remade(const VertexType& type, const Architecture& machine, const Edit& edit) {
  VertexType like = type;
  for (Param& param : like.params) edit(param);
  return readVertexType(ConfigReader::fromText(toText(like), "vertex type"), machine);
}

/// Copies a graph and changes it on the way.
class Transformation {
 public:
  Transformation(const Trace& trace, TraceChange change, const Architecture& machine)
      : old_(trace.graph), change_(std::move(change)), machine_(machine) {}

  Graph run() {
    for (const Variable& variable : old_.variables()) add(variable);
    for (const ComputeSet& set : old_.computeSets()) add(set);
    for (const CopyStep& copy : old_.copies()) {
      new_.copy(runsOf(copy), copy.name);
    }
    for (const HostStream& stream : old_.streams()) add(stream);
    for (const RemoteBuffer& buffer : old_.remoteBuffers()) {
      new_.addRemoteBuffer(changed(buffer.type, change_), buffer.row_elements, buffer.rows,
                           buffer.name);
    }
    for (const RemoteCopy& copy : old_.remoteCopies()) add(copy);
    new_.setIoTiles(old_.ioTiles());
    for (const Program& function : old_.functions()) new_.addFunction(function);
    new_.program() = old_.program();
    return std::move(new_);
  }

 private:
  void add(const Variable& variable) {
    const ElementType type = changed(variable.type, change_);
    const Tensor whole =
        variable.constant
            ? new_.addConstant(type, {variable.elements}, variable.constant, variable.name)
            : new_.addVariable(type, {variable.elements}, variable.name, variable.lifetime);
    new_.setShape(whole, variable.shape);
    bool moved = false;
    if (const auto tiles = spreadOver(variable)) {
      spread(whole, *tiles);
      moved = !areEqual(variable.mapping.intervals(), new_.variables().back().mapping.intervals());
    } else {
      for (const MappedInterval& interval : variable.mapping.intervals()) {
        expectStays(variable, interval);
        new_.setTileMapping(whole.slice(interval.begin, interval.end, 0), interval.tile);
      }
    }
    is_moved_.push_back(moved);
  }

  void spread(const Tensor& whole, std::uint32_t tiles) {
    const std::uint64_t elements = whole.elements();
    const std::uint64_t grain = libraryGrain(whole.type());
    const std::uint64_t used = tilesUsed(elements, grain, tiles);
    std::uint64_t begin = 0;
    for (std::uint64_t part = 0; part < used; ++part) {
      const std::uint64_t end = endOfPart(elements, grain, part, used);
      new_.setTileMapping(whole.slice(begin, end, 0), TileId(static_cast<std::uint32_t>(part)));
      begin = end;
    }
  }

  static bool areEqual(const std::vector<MappedInterval>& a, const std::vector<MappedInterval>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const MappedInterval& one, const MappedInterval& other) {
                        return one.begin == other.begin && one.end == other.end &&
                               one.tile == other.tile;
                      });
  }

  /// The tiles over which the variable is to be spread anew; none if it stays where it is.
  [[nodiscard]] std::optional<std::uint32_t> spreadOver(const Variable& variable) const {
    if (change_.old_tiles == 0) return std::nullopt;
    const auto& intervals = variable.mapping.intervals();
    const std::uint64_t grains = ceilDiv(variable.elements, libraryGrain(variable.type));
    const bool uses_all = intervals.size() == std::min<std::uint64_t>(change_.old_tiles, grains) &&
                          isSpread(variable, libraryGrain(variable.type)) &&
                          startsAtTile0(intervals);
    if (!uses_all || grains < 2) return std::nullopt;
    return change_.tiles.value_or(change_.old_tiles);
  }

  /// True when interval t is on tile t.
  static bool startsAtTile0(const std::vector<MappedInterval>& intervals) {
    for (std::size_t t = 0; t < intervals.size(); ++t) {
      if (intervals[t].tile.tile() != t) return false;
    }
    return true;
  }

  void expectStays(const Variable& variable, const MappedInterval& interval) const {
    if (!change_.tiles || interval.tile.tile() < *change_.tiles) return;
    throw ConfigError(fmt::format(
        "variable {}: wanted elements that are spread over all {} tiles, "
        "or on tiles below {}, found some on tile {}",
        oneLine(variable.name), change_.old_tiles, *change_.tiles, interval.tile.tile()));
  }

  void add(const ComputeSet& set) {
    const ComputeSetId id = new_.addComputeSet(set.name);
    const bool is_moved = std::any_of(set.families.begin(), set.families.end(),
                                      [this](const VertexFamily& family) { return moves(family); });
    if (is_moved) return addShares(set, id);
    for (const VertexFamily& family : set.families) {
      if (change_.tiles && family.tile.tile() >= *change_.tiles) throw wrongSet(set);
      VertexFamily copy = family;
      copy.type = typeFor(family.type, std::nullopt);
      new_.addVertices(id, std::move(copy));
    }
  }

  [[nodiscard]] bool moves(const VertexFamily& family) const {
    return std::any_of(family.fields.begin(), family.fields.end(), [this](const Connection& data) {
      return std::any_of(data.view.begin(), data.view.end(), [this](const Section& section) {
        return is_moved_[indexOf(section.variable)];
      });
    });
  }

  /// Adds vertices like those of the first tile to each tile. Each works on the shares of its tile.
  void addShares(const ComputeSet& set, ComputeSetId id) {
    const auto end = std::find_if(
        set.families.begin(), set.families.end(),
        [&set](const VertexFamily& family) { return family.tile != set.families.front().tile; });
    for (const VertexFamily& family : set.families) {
      const auto kind = static_cast<std::size_t>(&family - set.families.data()) %
                        static_cast<std::size_t>(end - set.families.begin());
      expectOfShares(set, family, set.families[kind]);
    }
    const VariableId first = set.families.front().fields.front().view.front().variable;
    for (const MappedInterval& interval : new_.variable(first).mapping.intervals()) {
      for (auto family = set.families.begin(); family != end; ++family) {
        addShare(set, *family, interval, id);
      }
    }
  }

  void addShare(const ComputeSet& set, const VertexFamily& like, const MappedInterval& here,
                ComputeSetId id) {
    const std::uint64_t elements = here.end - here.begin;
    VertexFamily family{
        typeFor(like.type, elements), here.tile, 1, {}, like.round_robin, like.apart};
    for (const Connection& data : like.fields) {
      const VariableId variable = data.view.front().variable;
      const auto& intervals = new_.variable(variable).mapping.intervals();
      const auto own =
          std::find_if(intervals.begin(), intervals.end(), [&here](const MappedInterval& other) {
            return other.begin == here.begin && other.end == here.end && other.tile == here.tile;
          });
      if (own == intervals.end()) throw wrongSet(set);
      family.fields.push_back({{contiguous(variable, here.begin, elements)}});
    }
    for (const Field& field : family.type->fields) {
      if (field.elements() != elements) throw wrongSet(set);
    }
    new_.addVertices(id, std::move(family));
  }

  /// Throws unless the family is one vertex on shares, made as `like` but for the elements.
  void expectOfShares(const ComputeSet& set, const VertexFamily& family,
                      const VertexFamily& like) const {
    bool holds = family.count == 1 && family.type->name == like.type->name &&
                 family.fields.size() == like.fields.size() && !family.fields.empty() &&
                 !family.type->maker.empty();
    for (std::size_t f = 0; holds && f < family.fields.size(); ++f) {
      const View& view = family.fields[f].view;
      holds = view.size() == 1 && view.front().isRun() &&
              view.front().variable == like.fields[f].view.front().variable &&
              isShare(view.front(), family.tile);
    }
    if (!holds) throw wrongSet(set);
  }

  [[nodiscard]] bool isShare(const Section& section, TileId tile) const {
    const auto& intervals = old_.variable(section.variable).mapping.intervals();
    const auto at = std::lower_bound(
        intervals.begin(), intervals.end(), section.begin(),
        [](const MappedInterval& interval, std::uint64_t e) { return interval.begin < e; });
    return at != intervals.end() && at->begin == section.begin() && at->end == section.end() &&
           at->tile == tile;
  }

  [[nodiscard]] static ConfigError wrongSet(const ComputeSet& set) {
    return ConfigError(
        fmt::format("compute set {}: wanted vertices on the shares of their tile, "
                    "of a type whose size is its elements, found others",
                    oneLine(set.name)));
  }

  /// The type with its changes, for `elements` elements if that is said.
  SharedType typeFor(const SharedType& type, std::optional<std::uint64_t> elements) {
    if (!change_.halves && !elements && !isScaled(*type)) return type;
    SharedType& known = types_[{type.get(), elements.value_or(0)}];
    if (!known) known = shared(made(*type, elements));
    return known;
  }

  [[nodiscard]] VertexType made(const VertexType& type,
                                std::optional<std::uint64_t> elements) const {
    if (isScaled(type)) return scaled(type);
    if (type.maker.empty()) return halvedPlain(type);
    VertexType result = remade(type, machine_, [&](Param& param) {
      if (elements && param.name == "elements") param.value = *elements;
      auto* const word = std::get_if<std::string>(&param.value);
      const bool is_float = word != nullptr && *word == nameOf(ElementType::Float);
      if (change_.halves && is_float) *word = nameOf(ElementType::Half);
    });
    if (change_.halves) expectNoFloat(result);
    return result;
  }

  static void expectNoFloat(const VertexType& type) {
    const bool has_float = std::any_of(type.fields.begin(), type.fields.end(),
                                       [](const Field& f) { return f.type == ElementType::Float; });
    if (!has_float) return;
    throw ConfigError(fmt::format("--half: wanted vertices whose type is a parameter, found {}",
                                  oneLine(type.name)));
  }

  [[nodiscard]] bool isScaled(const VertexType& type) const {
    return change_.factor && (change_.scaled_type.empty() || change_.scaled_type == type.name);
  }

  [[nodiscard]] VertexType scaled(VertexType type) const {
    const double cycles = static_cast<double>(type.cycles(machine_).value()) * *change_.factor;
    constexpr double kMost = 1e15;
    if (cycles > kMost) {
      throw ConfigError(fmt::format("vertex {}: wanted at most {} cycles, found more",
                                    oneLine(type.name), kMost));
    }
    const Cycles rounded(static_cast<std::uint64_t>(std::llround(cycles)));
    type.maker.clear();
    type.params.clear();
    type.cost = [rounded](const Architecture&) { return rounded; };
    return type;
  }

  [[nodiscard]] static VertexType halvedPlain(VertexType type) {
    for (Field& field : type.fields) {
      if (field.type == ElementType::Float) field.type = ElementType::Half;
    }
    const std::uint64_t macs = type.work.half_macs + type.work.float_macs;
    type.work = withMacs(workOn(type.fields, type.work.flops), ElementType::Half, macs);
    return type;
  }

  void add(HostStream stream) {
    Bytes before;
    Bytes now;
    for (const VariableId id : stream.variables) {
      before += sizeOf(old_.variable(id).type) * old_.variable(id).elements;
      now += sizeOf(new_.variable(id).type) * new_.variable(id).elements;
    }
    // The bytes may leave out padding, so that they shrink with the variables.
    if (before != now)
      stream.bytes = Bytes(checkedProduct(stream.bytes.value(), now.value()) / before.value());
    new_.stream(std::move(stream));
  }

  void add(RemoteCopy copy) {
    const ElementType type = changed(copy.tensor.type(), change_);
    copy.tensor = flatTensor(copy.tensor.view(), type);
    new_.remoteCopy(std::move(copy));
  }

  const Graph& old_;
  const TraceChange change_;
  const Architecture& machine_;
  Graph new_;
  std::vector<bool> is_moved_;  ///< one entry per variable
  std::map<std::pair<const VertexType*, std::uint64_t>, SharedType> types_;
};

Trace transformed(const Trace& trace, const TraceChange& change, const Architecture& machine) {
  Trace result{trace.header, Transformation(trace, change, machine).run(), trace.below,
               trace.record};
  if (change.halves) {
    result.header.peak_flops_per_cycle = 0;
    result.header.peak_units.clear();
  }
  if (change.tiles) {
    result.header.peak_flops_per_cycle *=
        static_cast<double>(*change.tiles) / static_cast<double>(machine.tiles);
  }
  if (result.record) result.record->measured.clear();
  if (result.record == ExecutionRecord()) result.record.reset();
  return result;
}

}  // namespace

Trace retargeted(const Trace& trace, std::uint32_t tiles, const Architecture& machine) {
  TraceChange change;
  change.tiles = tiles;
  change.old_tiles = tilesNamed(trace.graph);
  return transformed(trace, change, machine);
}

Trace halved(const Trace& trace, const Architecture& machine) {
  TraceChange change;
  change.old_tiles = tilesNamed(trace.graph);
  change.halves = true;
  return transformed(trace, change, machine);
}

namespace {

/// Throws unless a vertex type has that name, or no type is asked for.
void expectType(const Graph& graph, const std::string& name) {
  std::set<std::string> names;
  for (const ComputeSet& set : graph.computeSets()) {
    for (const VertexFamily& family : set.families) names.insert(family.type->name);
  }
  if (name.empty() || names.count(name) != 0) return;
  throw ConfigError(fmt::format("--vertex: wanted a vertex type of the trace ({}), found {}",
                                oneLine(fmt::format("{}", fmt::join(names, ", "))),
                                inQuotes(name)));
}

}  // namespace

Trace withScaledCycles(const Trace& trace, double factor, const std::string& type_name,
                       const Architecture& machine) {
  TraceChange change;
  change.factor = factor;
  change.scaled_type = type_name;
  expectType(trace.graph, type_name);
  return transformed(trace, change, machine);
}

}  // namespace ipusim::workloads
