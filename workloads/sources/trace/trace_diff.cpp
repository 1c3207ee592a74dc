// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/trace_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "workloads/graph/copy_moves.h"
#include "workloads/graph/program_text.h"
#include "workloads/sources/tile_list.h"
#include "workloads/sources/trace/graph_writer.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

/// An item of a trace: what to say of it, and all that is to be equal.
struct TraceItem {
  std::string name;
  std::string summary;
  std::string whole;
};

std::string textOf(const Connection& data, const Graph& graph) {
  std::string text = fmt::format("+{}", data.step);
  for (const Section& section : data.view) {
    text += ' ' + graph.variable(section.variable).name + ' ';
    JsonText json(text);
    Section unnamed = section;
    unnamed.variable = VariableId(0);
    writeSection(unnamed, json);
  }
  return text;
}

std::string tilesText(const std::set<std::uint32_t>& tiles) {
  TileList list;
  for (const std::uint32_t tile : tiles) list.add(tile);
  return list.text();
}

TraceItem itemOf(const Variable& variable, std::uint64_t below) {
  std::set<std::uint32_t> tiles;
  for (const MappedInterval& interval : variable.mapping.intervals()) {
    tiles.insert(interval.tile.tile());
  }
  const bool always = variable.lifetime == Lifetime::Always;
  const std::string summary =
      fmt::format("{} {}{} on tiles {}", variable.elements, nameOf(variable.type),
                  always ? ", always live," : "", tilesText(tiles));
  std::string whole;
  JsonText json(whole);
  writeVariable(variable, below, json);
  return {"variable " + variable.name, summary, whole};
}

TraceItem itemOf(const ComputeSet& set, const Graph& graph, const Architecture& machine) {
  std::set<std::uint32_t> tiles;
  std::map<std::string, std::uint64_t> counts;
  std::string whole;
  for (const VertexFamily& family : set.families) {
    tiles.insert(family.tile.tile());
    counts[family.type->name] += family.count;
    whole += fmt::format("{}x{}@{}{} ", family.count, typeText(*family.type, machine),
                         family.tile.tile(), family.round_robin ? " in turns" : "");
    if (family.apart) whole += "apart ";
    for (const Connection& data : family.fields) whole += textOf(data, graph);
  }
  std::string summary;
  for (const auto& [name, count] : counts) {
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, name);
  }
  summary += " on tiles " + tilesText(tiles);
  return {"compute set " + set.name, summary, summary + whole};
}

TraceItem itemOf(const CopyStep& copy, const Graph& graph) {
  std::uint64_t elements = 0;
  std::uint64_t moves = 0;
  std::string whole;
  visitMoves(copy, [&](const Move& move) {
    ++moves;
    elements += move.walk.elements();
    whole += textOf({{{move.from, fromEnd(move.walk)}}}, graph) + " to " +
             textOf({{{move.to, toEnd(move.walk)}}}, graph);
  });
  const std::string summary = fmt::format("{} elements in {} moves", elements, moves);
  return {"copy " + copy.name, summary, summary + whole};
}

TraceItem itemOf(const HostStream& stream, const Graph& graph) {
  std::string whole = stream.direction == HostDirection::ToChip ? "to the chip" : "to the host";
  if (stream.path == HostPath::Framework) whole += " by a framework";
  const std::string summary = fmt::format("{} bytes {}", stream.bytes.value(), whole);
  for (const VariableId id : stream.variables) whole += ' ' + graph.variable(id).name;
  return {"stream " + stream.name, summary, summary + whole};
}

TraceItem itemOf(const RemoteBuffer& buffer) {
  const std::string summary =
      fmt::format("{} rows of {} {}", buffer.rows, buffer.row_elements, nameOf(buffer.type));
  return {"remote buffer " + buffer.name, summary, summary};
}

TraceItem itemOf(const RemoteCopy& copy, const Graph& graph) {
  const bool loads = copy.direction == RemoteDirection::Load;
  std::string whole;
  JsonText json(whole);
  writeRemoteCopy(copy, json);
  const std::string summary =
      fmt::format("{} {} elements {} {}", loads ? "loads" : "stores", copy.tensor.elements(),
                  loads ? "from" : "to", graph.remoteBuffer(copy.buffer).name);
  return {"remote copy " + copy.name, summary, whole};
}

TraceItem ioTilesOf(const Graph& graph) {
  std::set<std::uint32_t> tiles;
  for (const TileId tile : graph.ioTiles()) tiles.insert(tile.tile());
  return {"I/O tiles", tilesText(tiles), tilesText(tiles)};
}

TraceItem programOf(const std::string& name, const Program& program, const Graph& graph) {
  const std::string text = toText(program, graph);
  return {name, fmt::format("{} steps", std::count(text.begin(), text.end(), '\n')), text};
}

/// What the first line says of the work and of its timing. Who wrote the trace, and for which
/// machine, makes no other program.
void addHead(const TraceHeader& header, std::vector<TraceItem>& items) {
  const auto add = [&items](const char* key, const std::string& value) {
    items.push_back({key, value, value});
  };
  const auto work = [](const std::optional<Flops>& flops) {
    return flops ? std::to_string(flops->value()) : "not said";
  };
  add("timing", std::string(wordOf(header.timing, kTimingWords)));
  add("flops", work(header.flops));
  add("nonzero_flops", work(header.nonzero_flops));
  add("peak_flops_per_cycle", fmt::format("{}", header.peak_flops_per_cycle));
  add("peak_units", header.peak_units.empty() ? "not said" : header.peak_units);
}

TraceItem recordOf(const ExecutionRecord& record) {
  std::string whole;
  JsonText json(whole);
  writeRecord(record, json);
  return {"record",
          fmt::format("{} branches, {} loops, {} measured steps", record.branches.size(),
                      record.trips.size(), record.measured.size()),
          whole};
}

std::vector<TraceItem> itemsOf(const Trace& trace, const Architecture& machine) {
  const Graph& graph = trace.graph;
  std::vector<TraceItem> items;
  addHead(trace.header, items);
  for (std::size_t v = 0; v < graph.variables().size(); ++v) {
    const auto below = trace.below.find(static_cast<VariableId>(v));
    items.push_back(itemOf(graph.variables()[v], below == trace.below.end() ? 0 : below->second));
  }
  for (const ComputeSet& set : graph.computeSets()) items.push_back(itemOf(set, graph, machine));
  for (const CopyStep& copy : graph.copies()) items.push_back(itemOf(copy, graph));
  for (const HostStream& stream : graph.streams()) items.push_back(itemOf(stream, graph));
  for (const RemoteBuffer& buffer : graph.remoteBuffers()) items.push_back(itemOf(buffer));
  for (const RemoteCopy& copy : graph.remoteCopies()) items.push_back(itemOf(copy, graph));
  if (!graph.ioTiles().empty()) items.push_back(ioTilesOf(graph));
  for (std::size_t f = 0; f < graph.functions().size(); ++f) {
    items.push_back(programOf(fmt::format("function {}", f), graph.functions()[f], graph));
  }
  items.push_back(programOf("program", graph.program(), graph));
  if (trace.record) items.push_back(recordOf(*trace.record));
  std::map<std::string, std::size_t> met;
  for (TraceItem& item : items) {
    const std::size_t before = met[item.name]++;
    if (before > 0) item.name += fmt::format(" (number {})", before + 1);
  }
  return items;
}

}  // namespace

std::vector<TraceDifference> differences(const Trace& first, const Trace& second,
                                         const Architecture& machine) {
  const std::vector<TraceItem> ours = itemsOf(first, machine);
  const std::vector<TraceItem> others = itemsOf(second, machine);
  std::map<std::string, const TraceItem*> by_name;
  for (const TraceItem& item : others) by_name[item.name] = &item;
  std::vector<TraceDifference> found;
  for (const TraceItem& item : ours) {
    const auto other = by_name.find(item.name);
    if (other == by_name.end()) {
      found.push_back({item.name, item.summary, ""});
      continue;
    }
    if (other->second->whole != item.whole) {
      const bool alike = other->second->summary == item.summary;
      found.push_back({item.name, item.summary,
                       other->second->summary + (alike ? ", not the same in detail" : "")});
    }
    by_name.erase(other);
  }
  for (const TraceItem& item : others) {
    if (by_name.count(item.name) > 0) found.push_back({item.name, "", item.summary});
  }
  return found;
}

}  // namespace ipusim::workloads
