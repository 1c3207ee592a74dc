// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/trace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/verify.h"
#include "workloads/sources/trace/graph_reader.h"
#include "workloads/sources/trace/line_reader.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

/// A level of JSON that steps inside steps take: the object, and its array.
constexpr std::uint64_t kLevelsPerStep = 2;
constexpr std::uint64_t kLevelsAround = 8;

constexpr std::uint64_t kTraceReaderMostFlops = ~std::uint64_t{0} >> 1U;

class TraceReader {
 public:
  TraceReader(ByteSource& source, const std::string& name, const Architecture& machine,
              const TraceLimits& limits)
      : source_(source),
        name_(name),
        parts_(machine, limits),
        vertices_(parts_),
        programs_(parts_),
        lines_(source, name, limits.line_bytes, kLevelsPerStep * limits.nesting + kLevelsAround) {}

  /// Reads the first line alone.
  TraceHeader header() {
    if (const auto line = lines_.next()) readLine(*line);
    expectHeader();
    return std::move(parts_.trace.header);
  }

  Trace read() {
    while (const auto line = lines_.next()) {
      parts_.budget.grow(source_.fileBytes() - grown_);
      grown_ = source_.fileBytes();
      locatedAt(lines_.place(), [&] { readLine(*line); });
    }
    expectHeader();
    locatedAt(lines_.place(), [&] {
      programs_.endCopy();
      programs_.end();
    });
    verifyComputeSets();
    return std::move(parts_.trace);
  }

 private:
  void expectHeader() const {
    if (has_header_) return;
    throw errorAt({&name_, 1}, "ipt: wanted the version in the first line, found an empty file");
  }

  /// Turns an error of the graph into one that names the line.
  template <typename Work>
  static void locatedAt(LinePlace place, const Work& work) {
    const auto counted = [&] {
      translateErrors<CountError>(work, [&](const CountError& error) {
        return errorAt(place,
                       fmt::format("wanted sizes that 64 bits count, found {}", error.what()));
      });
    };
    translateErrors<GraphError>(
        counted, [&](const GraphError& error) { return errorAt(place, error.what()); });
  }

  void readLine(const JsonValue& line) {
    const JsonRecord record(line);
    if (!has_header_) {
      readHeader(record);
      has_header_ = true;
    } else {
      readThing(record);
    }
    record.expectAllRead();
  }

  void readHeader(const JsonRecord& line) {
    const JsonValue version = line.at("ipt");
    const std::uint64_t found = version.whole(1, ~std::uint64_t{0} >> 1U);
    if (found != kTraceVersion) {
      throw version.error(fmt::format("version {}, which this program reads", kTraceVersion));
    }
    TraceHeader& header = parts_.trace.header;
    const auto said = [&line](const char* key) {
      const auto value = line.find(key);
      return value ? std::string(value->text()) : std::string();
    };
    header.written_by = said("written_by");
    readMachineOf(line, header);
    header.workload = said("workload");
    if (const auto timing = line.find("timing")) header.timing = timing->word(kTimingWords);
    if (const auto flops = line.find("flops")) {
      header.flops = Flops(flops->whole(0, kTraceReaderMostFlops));
    }
    if (const auto flops = line.find("nonzero_flops")) {
      header.nonzero_flops = Flops(flops->whole(0, kTraceReaderMostFlops));
    }
    if (const auto peak = line.find("peak_flops_per_cycle")) {
      header.peak_flops_per_cycle = peak->real();
      if (header.peak_flops_per_cycle < 0) throw peak->error("a number from 0 on");
    }
    header.peak_units = said("peak_units");
  }

  static void readMachineOf(const JsonRecord& line, TraceHeader& header) {
    const auto machine = line.find("machine");
    if (!machine) return;
    if (machine->isRecord()) {
      header.machine_table = machine->json();
    } else {
      header.machine = machine->text();
    }
  }

  void readThing(const JsonRecord& line) {
    const std::string_view kind = line.firstKey();
    if (kind == "moves") return programs_.moves(line);
    if (kind == "vertices") return vertices_.vertices(line);
    programs_.endCopy();
    if (kind == "variable") return readVariable(line, parts_);
    if (kind == "vertex") return readVertexType(line, parts_);
    if (kind == "compute_set") {
      compute_set_lines_.push_back(lines_.place().line);
      return vertices_.computeSet(line);
    }
    if (kind == "copy") return programs_.copy(line);
    if (kind == "stream") return programs_.stream(line);
    if (kind == "remote_buffer") return programs_.remoteBuffer(line);
    if (kind == "remote_copy") return programs_.remoteCopy(line);
    if (kind == "io_tiles") return programs_.ioTiles(line);
    if (kind == "function") return programs_.function(line);
    if (kind == "program") return programs_.program(line);
    if (kind == "record") return programs_.record(line);
    throw line.error("line",
                     "variable, vertex, compute_set, vertices, copy, moves, stream, remote_buffer, "
                     "remote_copy, io_tiles, function, program or record as its first key",
                     inQuotes(kind));
  }

  void verifyComputeSets() {
    const Graph& graph = parts_.trace.graph;
    for (std::size_t s = 0; s < graph.computeSets().size(); ++s) {
      locatedAt({&name_, compute_set_lines_[s]},
                [&] { verifyWriters(graph, graph.computeSets()[s]); });
    }
  }

  ByteSource& source_;
  const std::string& name_;
  TraceParts parts_;
  VertexReader vertices_;
  ProgramReader programs_;
  LineReader lines_;
  std::vector<std::uint64_t> compute_set_lines_;
  std::uint64_t grown_ = 0;
  bool has_header_ = false;
};

}  // namespace

Trace readTrace(const std::filesystem::path& file, const Architecture& machine,
                const TraceLimits& limits) {
  const std::unique_ptr<ByteSource> source = openBytes(file);
  const std::string name = file.string();
  return TraceReader(*source, name, machine, limits).read();
}

Trace parseTrace(std::string_view text, const std::string& name, const Architecture& machine,
                 const TraceLimits& limits) {
  const std::unique_ptr<ByteSource> source = bytesInMemory(text);
  return TraceReader(*source, name, machine, limits).read();
}

TraceHeader readTraceHeader(const std::filesystem::path& file, const TraceLimits& limits) {
  const std::unique_ptr<ByteSource> source = openBytes(file);
  const std::string name = file.string();
  return TraceReader(*source, name, Architecture(), limits).header();
}

TraceLimits readTraceLimits(const ConfigReader& config) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0} >> 1U;
  TraceLimits limits;
  limits.tiles = config.whole("tiles", 1, 1U << TileId::kTileBits, limits.tiles);
  limits.variables = config.whole("variables", 1, ~std::uint32_t{0} - 1, limits.variables);
  limits.vertices = config.whole("vertices", 1, kMost, limits.vertices);
  limits.edges = config.whole("edges", 1, kMost, limits.edges);
  limits.nesting = config.whole("nesting", 1, 1000, limits.nesting);
  limits.number = config.whole("number", 1, std::uint64_t{1} << 53U, limits.number);
  limits.steps = config.whole("steps", 1, kMost, limits.steps);
  limits.replayed_steps = config.whole("replayed_steps", 1, kMost, limits.replayed_steps);
  limits.line_bytes = config.whole("line_bytes", 1, std::uint64_t{1} << 31U, limits.line_bytes);
  return limits;
}

std::uint32_t tilesNamed(const Graph& graph) {
  std::uint32_t tiles = 0;
  for (const Variable& variable : graph.variables()) {
    for (const MappedInterval& interval : variable.mapping.intervals()) {
      tiles = std::max(tiles, interval.tile.tile() + 1);
    }
  }
  for (const ComputeSet& set : graph.computeSets()) {
    for (const VertexFamily& family : set.families) {
      tiles = std::max(tiles, family.tile.tile() + 1);
    }
  }
  return tiles;
}

}  // namespace ipusim::workloads
