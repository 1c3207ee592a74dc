// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "workloads/graph/copy_moves.h"
#include "workloads/sources/tile_list.h"
#include "workloads/sources/trace/graph_writer.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

/// Moves on one line of a trace.
constexpr std::size_t kMovesOfLine = 256;

/// Writes moves. Moves that differ by equal steps only become one entry.
class MovesWriter {
 public:
  explicit MovesWriter(JsonText& json) : json_(json) {}

  void add(const Move& move) {
    if (first_ && continues(move)) {
      ++times_;
      last_ = move.walk.begin;
      return;
    }
    flush();
    first_ = move;
    last_ = move.walk.begin;
    times_ = 1;
  }

  void end() {
    flush();
    if (on_line_ > 0) json_.close(']').close('}').endLine();
  }

 private:
  [[nodiscard]] bool continues(const Move& move) {
    const bool alike = move.from == first_->from && move.to == first_->to &&
                       move.walk.levels == first_->walk.levels;
    if (!alike) return false;
    const std::int64_t from = distance(last_.from, move.walk.begin.from);
    const std::int64_t to = distance(last_.to, move.walk.begin.to);
    if (times_ > 1) return from == from_step_ && to == to_step_;
    from_step_ = from;
    to_step_ = to;
    return true;
  }

  static std::int64_t distance(VariableElements from, VariableElements to) {
    return static_cast<std::int64_t>(to.value()) - static_cast<std::int64_t>(from.value());
  }

  void flush() {
    if (!first_) return;
    if (on_line_ == kMovesOfLine) {
      json_.close(']').close('}').endLine();
      on_line_ = 0;
    }
    if (on_line_++ == 0) json_.open('{').key("moves").open('[');
    json_.open('[');
    writeSection({first_->from, fromEnd(first_->walk)}, json_);
    writeSection({first_->to, toEnd(first_->walk)}, json_);
    if (times_ > 1) json_.number(times_).number(from_step_).number(to_step_);
    json_.close(']');
    first_.reset();
  }

  JsonText& json_;
  std::optional<Move> first_;
  Ends<VariableElements, VariableElements> last_;
  std::uint64_t times_ = 0;
  std::int64_t from_step_ = 0;
  std::int64_t to_step_ = 0;
  std::size_t on_line_ = 0;
};

/// Writes a step. Steps of a Sequence inside another become steps of the other.
class StepWriter {
 public:
  explicit StepWriter(JsonText& json) : json_(json) {}

  void operator()(const Sequence& sequence) const { walk(sequence, *this); }
  void operator()(const Execute& step) const { reference("execute", indexOf(step.compute_set)); }
  void operator()(const Copy& step) const { reference("copy", indexOf(step.copy)); }
  void operator()(const Stream& step) const { reference("stream", indexOf(step.stream)); }
  void operator()(const Remote& step) const { reference("remote", indexOf(step.copy)); }
  void operator()(const Overlap& step) const {
    json_.open('{').numberAt("overlap", indexOf(step.copy));
    body("body", step.body);
    json_.close('}');
  }
  void operator()(const WriteUndef& step) const {
    json_.open('{').key("write_undef").open('[');
    for (const VariableId id : step.variables) json_.number(indexOf(id));
    json_.close(']').close('}');
  }
  void operator()(const Call& step) const { reference("call", indexOf(step.function)); }
  void operator()(const Repeat& step) const {
    json_.open('{').numberAt("repeat", step.count);
    body("body", step.body);
    json_.close('}');
  }
  void operator()(const If& step) const {
    json_.open('{');
    element("if", step.predicate);
    body("then", step.then);
    if (!step.otherwise.steps.empty()) body("else", step.otherwise);
    json_.close('}');
  }
  void operator()(const Switch& step) const {
    json_.open('{');
    element("switch", step.selector);
    json_.key("cases").open('[');
    for (const Switch::Case& one : step.cases) {
      json_.open('{').numberAt("value", one.value);
      body("body", one.body);
      json_.close('}');
    }
    json_.close(']');
    if (!step.otherwise.steps.empty()) body("else", step.otherwise);
    json_.close('}');
  }
  void operator()(const RepeatWhile& step) const {
    json_.open('{');
    element("while", step.predicate);
    if (!step.condition.steps.empty()) body("condition", step.condition);
    body("body", step.body);
    json_.close('}');
  }

 private:
  void reference(const char* key, std::size_t number) const {
    json_.open('{').numberAt(key, number).close('}');
  }
  void body(const char* key, const Sequence& steps) const {
    json_.key(key).open('[');
    walk(steps, *this);
    json_.close(']');
  }
  void element(const char* key, const Tensor& tensor) const {
    json_.key(key);
    writeSection(tensor.view().front(), json_);
  }

  JsonText& json_;
};

}  // namespace

void writeCopy(const CopyStep& copy, JsonText& json) {
  json.open('{').textAt("copy", copy.name).close('}').endLine();
  MovesWriter moves(json);
  visitMoves(copy, [&moves](const Move& move) { moves.add(move); });
  moves.end();
}

void writeStream(const HostStream& stream, JsonText& json) {
  json.open('{').textAt("stream", stream.name);
  json.textAt("direction", wordOf(stream.direction, kHostDirectionWords));
  json.textAt("path", wordOf(stream.path, kHostPathWords));
  json.numberAt("bytes", stream.bytes.value()).key("variables").open('[');
  for (const VariableId id : stream.variables) json.number(indexOf(id));
  json.close(']').close('}').endLine();
}

void writeRemoteBuffer(const RemoteBuffer& buffer, JsonText& json) {
  json.open('{').textAt("remote_buffer", buffer.name).textAt("type", nameOf(buffer.type));
  json.numberAt("elements", buffer.row_elements).numberAt("rows", buffer.rows);
  json.close('}').endLine();
}

void writeRemoteCopy(const RemoteCopy& copy, JsonText& json) {
  json.open('{').textAt("remote_copy", copy.name);
  json.textAt("direction", wordOf(copy.direction, kRemoteDirectionWords));
  json.numberAt("buffer", indexOf(copy.buffer));
  if (const auto* const row = std::get_if<std::uint64_t>(&copy.row)) {
    json.numberAt("row", *row);
  } else {
    json.key("row");
    writeSection(std::get<Tensor>(copy.row).view().front(), json);
  }
  json.key("tensor").open('[');
  for (const Section& section : copy.tensor.view()) writeSection(section, json);
  json.close(']').close('}').endLine();
}

void writeIoTiles(const std::vector<TileId>& tiles, JsonText& json) {
  TileList list;
  for (const TileId tile : tiles) list.add(tile.tile());
  json.open('{').textAt("io_tiles", list.text()).close('}').endLine();
}

void writeSteps(const Program& program, JsonText& json) {
  json.open('[');
  walk(program, StepWriter(json));
  json.close(']');
}

}  // namespace ipusim::workloads
