// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workloads/sources/trace/graph_reader.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

/// What a move counts as. Compiling a move takes more than the move itself.
std::uint64_t thingsOf(const Move& move) {
  constexpr std::uint64_t kMove = 3;
  return kMove + move.walk.levels.size();
}

}  // namespace

void ProgramReader::copy(const JsonRecord& line) {
  const JsonValue name = line.at("copy");
  parts_.keep(1, name);
  open_ = OpenCopy{std::string(name.text()), {}};
  if (const auto from = line.find("from")) {
    appendMove(open_->moves,
               moveOf(regions_.section(*from), regions_.section(line.at("to")), *from));
  }
  if (const auto moves = line.find("moves")) {
    moves->forEach([this](const JsonValue& move) { addMove(move); });
  }
  parts_.copies.add(name.text());
}

void ProgramReader::moves(const JsonRecord& line) {
  const JsonValue moves = line.at("moves");
  if (!open_) throw moves.error("a line with a copy before it");
  moves.forEach([this](const JsonValue& move) { addMove(move); });
}

/// Adds [from, to], or [from, to, times, step of from, step of to].
void ProgramReader::addMove(const JsonValue& value) {
  constexpr std::size_t kOne = 2;
  constexpr std::size_t kRepeated = 5;
  const std::size_t size = value.size();
  if (size != kOne && size != kRepeated) {
    throw value.error("[from, to] or [from, to, times, step of from, step of to]");
  }
  const Section from = regions_.section(value.at(0));
  const Section to = regions_.section(value.at(1));
  Move move = moveOf(from, to, value);
  if (size == kOne) {
    parts_.keep(thingsOf(move), value);
    appendMove(open_->moves, std::move(move));
    return;
  }
  const std::uint64_t times = value.at(2).whole(1, parts_.limits.number);
  const std::int64_t from_step = value.at(3).signedWhole(parts_.limits.number);
  const std::int64_t to_step = value.at(4).signedWhole(parts_.limits.number);
  regions_.expectInside(from, times, from_step, value);
  regions_.expectInside(to, times, to_step, value);
  parts_.keep(checkedProduct(times, thingsOf(move)), value);
  open_->moves.push_back({std::move(move), times, static_cast<std::uint64_t>(from_step),
                          static_cast<std::uint64_t>(to_step)});
}

Move ProgramReader::moveOf(const Section& from, const Section& to, const JsonValue& value) const {
  regions_.expectInside(from, 1, 0, value);
  regions_.expectInside(to, 1, 0, value);
  const Graph& graph = parts_.trace.graph;
  if (sizeOf(graph.variable(from.variable).type) != sizeOf(graph.variable(to.variable).type)) {
    throw value.error("variables whose elements are of one size");
  }
  const auto& from_levels = from.walk.levels;
  const auto& to_levels = to.walk.levels;
  bool is_alike = from_levels.size() == to_levels.size();
  Move move{from.variable, to.variable, {{from.walk.begin, to.walk.begin}, {}}};
  for (std::size_t l = 0; is_alike && l < from_levels.size(); ++l) {
    is_alike = from_levels[l].count == to_levels[l].count;
    move.walk.levels.push_back(
        {from_levels[l].count, {from_levels[l].stride, to_levels[l].stride}});
  }
  if (!is_alike) throw value.error("two regions with equal counts of their loops");
  return move;
}

void ProgramReader::endCopy() {
  if (!open_) return;
  parts_.in_order.push_back(parts_.trace.graph.copy(std::move(open_->moves), open_->name));
  open_.reset();
}

void ProgramReader::stream(const JsonRecord& line) {
  const JsonValue name = line.at("stream");
  parts_.keep(1, name);
  HostStream stream{std::string(name.text()),
                    line.at("direction").word(kHostDirectionWords),
                    HostPath::Link,
                    Bytes(0),
                    {}};
  if (const auto path = line.find("path")) stream.path = path->word(kHostPathWords);
  const JsonValue variables = line.at("variables");
  parts_.keep(variables.size(), variables);
  variables.forEach([&](const JsonValue& value) {
    const VariableId id = parts_.variables.at(value);
    const Variable& variable = parts_.trace.graph.variable(id);
    if (variable.lifetime != Lifetime::Always) {
      throw value.error("a variable with \"lifetime\": \"always\"");
    }
    stream.bytes += sizeOf(variable.type) * variable.elements;
    stream.variables.push_back(id);
  });
  if (const auto bytes = line.find("bytes")) {
    stream.bytes = Bytes(bytes->whole(0, parts_.limits.number));
  }
  parts_.streams.add(name.text());
  parts_.in_order.push_back(parts_.trace.graph.stream(std::move(stream)));
}

void ProgramReader::function(const JsonRecord& line) {
  const JsonValue name = line.at("function");
  parts_.keep(1, name);
  Program body{this->body(line.at("program"), 1)};
  parts_.trace.graph.addFunction(std::move(body));
  parts_.functions.add(name.text());
  steps_of_function_.push_back(std::exchange(steps_, 0));
  depth_of_function_.push_back(std::exchange(deepest_, 0));
  called_steps_ = 0;
}

void ProgramReader::program(const JsonRecord& line) {
  if (has_program_) throw line.at("program").error("one program");
  parts_.trace.graph.program() = Program{body(line.at("program"), 1)};
  deepest_ = 0;
  has_program_ = true;
}

void ProgramReader::end() {
  if (!has_program_) parts_.trace.graph.program() = sequence(std::move(parts_.in_order));
}

namespace {

/// Reads [value, times] pairs, or values that stand for one time each.
template <typename Value>
PerIteration<Value> perIteration(const JsonValue& array, std::uint64_t most, TraceParts& parts) {
  PerIteration<Value> values;
  parts.keep(array.size(), array);
  array.forEach([&](const JsonValue& item) {
    const bool is_pair = item.isArray();
    if (is_pair && item.size() != 2) throw item.error("a value, or [value, times]");
    const JsonValue value = is_pair ? item.at(0) : item;
    const std::uint64_t times = is_pair ? item.at(1).whole(1, parts.limits.number) : 1;
    values.append(static_cast<Value>(value.whole(0, most)), times);
  });
  return values;
}

}  // namespace

/// Reads {"step": name or number, "cycles": number or table}.
MeasuredStep ProgramReader::measuredStep(const JsonValue& value) {
  parts_.keep(1, value);
  const JsonRecord record(value);
  const JsonValue step = record.at("step");
  const JsonValue cycles = record.at("cycles");
  MeasuredStep measured;
  if (step.isText()) {
    measured.step = std::string(step.text());
  } else {
    measured.step = static_cast<StepId>(step.whole(0, ~std::uint32_t{0}));
  }
  if (cycles.isArray()) {
    measured.cycles = cyclesByTile(cycles);
  } else {
    measured.cycles = Cycles(cycles.whole(0, parts_.limits.number));
  }
  record.expectAllRead();
  return measured;
}

/// Reads [tiles, cycles] pairs.
CyclesByTile ProgramReader::cyclesByTile(const JsonValue& table) {
  CyclesByTile cycles;
  table.forEach([&](const JsonValue& pair) {
    if (!pair.isArray() || pair.size() != 2) throw pair.error("[tiles, cycles]");
    const TileList tiles = parts_.tiles(pair.at(0));
    parts_.keep(tiles.size(), pair);
    const Cycles each(pair.at(1).whole(0, parts_.limits.number));
    tiles.forEach([&](std::uint32_t tile) {
      if (cycles.emplace(TileId(tile), each).second) return;
      throw pair.at(0).error(fmt::format("each tile once, but for tile {}", tile));
    });
  });
  return cycles;
}

/// Reads the outcomes of all If and Switch steps, the trips of all RepeatWhile steps, and the steps
/// that were measured.
void ProgramReader::record(const JsonRecord& line) {
  constexpr std::uint64_t kMostOutcome = ~std::uint32_t{0};
  const JsonValue value = line.at("record");
  if (parts_.trace.record) throw value.error("one execution record");
  parts_.trace.record_line = value.place().line;
  ExecutionRecord& record = parts_.trace.record.emplace();
  const JsonRecord of(value);
  if (const auto branches = of.find("branches")) {
    branches->forEach([&](const JsonValue& one) {
      record.branches.push_back(perIteration<std::uint32_t>(one, kMostOutcome, parts_));
    });
  }
  if (const auto trips = of.find("trips")) {
    trips->forEach([&](const JsonValue& one) {
      record.trips.push_back(perIteration<std::uint64_t>(one, parts_.limits.number, parts_));
    });
  }
  if (const auto cycles = of.find("cycles")) {
    cycles->forEach([&](const JsonValue& one) { record.measured.push_back(measuredStep(one)); });
  }
  record.most_steps = parts_.limits.replayed_steps;
  of.expectAllRead();
}

Sequence ProgramReader::body(const JsonValue& value, std::uint64_t depth) {
  expectShallow(depth, value);
  Sequence sequence;
  parts_.keep(value.size(), value);
  value.forEach([&](const JsonValue& item) { sequence.steps.push_back(step(item, depth)); });
  return sequence;
}

/// Whoever walks a program goes into a body within itself, and so into the body of a function that
/// is called: `depth` counts both.
void ProgramReader::expectShallow(std::uint64_t depth, const JsonValue& value) {
  if (depth > parts_.limits.nesting) {
    throw value.error(
        fmt::format("steps at most {} deep in one another, the bodies of called functions included "
                    "(the limit nesting allows more)",
                    parts_.limits.nesting));
  }
  deepest_ = std::max(deepest_, depth);
}

Program ProgramReader::step(const JsonValue& value, std::uint64_t depth) {
  ++steps_;
  if (value.isText()) return named(value, depth);
  const JsonRecord record(value);
  std::optional<Program> program = stepAlone(record, depth);
  if (!program) program = stepWithBody(record, depth);
  if (!program) {
    throw value.error(
        "a step: execute, copy, stream, remote, overlap, call, write_undef, repeat, if, switch or "
        "while");
  }
  record.expectAllRead();
  return *std::move(program);
}

/// A step without steps inside; nothing for any other.
std::optional<Program> ProgramReader::stepAlone(const JsonRecord& record, std::uint64_t depth) {
  if (const auto set = record.find("execute")) return execute(parts_.compute_sets.at(*set));
  if (const auto copy = record.find("copy")) return Program{Copy{parts_.copies.at(*copy)}};
  if (const auto stream = record.find("stream")) {
    return Program{Stream{parts_.streams.at(*stream)}};
  }
  if (const auto function = record.find("call")) return callOf(*function, depth);
  if (const auto copy = record.find("remote")) {
    return Program{Remote{parts_.remote_copies.at(*copy)}};
  }
  if (const auto variables = record.find("write_undef")) return writeUndefOf(*variables);
  return std::nullopt;
}

Program ProgramReader::writeUndefOf(const JsonValue& variables) {
  WriteUndef undef;
  parts_.keep(variables.size(), variables);
  variables.forEach(
      [&](const JsonValue& value) { undef.variables.push_back(parts_.variables.at(value)); });
  return {std::move(undef)};
}

/// A step with steps inside; nothing for any other.
std::optional<Program> ProgramReader::stepWithBody(const JsonRecord& record, std::uint64_t depth) {
  if (record.contains("overlap")) return overlapStep(record, depth);
  if (record.contains("repeat")) return repeatStep(record, depth);
  if (record.contains("if")) return ifStep(record, depth);
  if (record.contains("switch")) return switchStep(record, depth);
  if (record.contains("while")) return whileStep(record, depth);
  return std::nullopt;
}

/// A step that is only a name: that of a compute set, a copy, a stream, a remote copy or a
/// function.
Program ProgramReader::named(const JsonValue& value, std::uint64_t depth) {
  const std::string_view name = value.text();
  const int known = static_cast<int>(parts_.compute_sets.knows(name)) +
                    static_cast<int>(parts_.copies.knows(name)) +
                    static_cast<int>(parts_.streams.knows(name)) +
                    static_cast<int>(parts_.remote_copies.knows(name)) +
                    static_cast<int>(parts_.functions.knows(name));
  if (known != 1) {
    throw value.error(
        "the name of one compute set, copy, stream, remote copy or function (execute, copy, "
        "stream, remote and call take numbers too)");
  }
  if (parts_.compute_sets.knows(name)) return execute(parts_.compute_sets.at(value));
  if (parts_.copies.knows(name)) return {Copy{parts_.copies.at(value)}};
  if (parts_.streams.knows(name)) return {Stream{parts_.streams.at(value)}};
  if (parts_.remote_copies.knows(name)) return {Remote{parts_.remote_copies.at(value)}};
  return callOf(value, depth);
}

/// A call of the function. Counts the steps that it stands for: calls of calls double them quickly.
Program ProgramReader::callOf(const JsonValue& function, std::uint64_t depth) {
  const FunctionId id = parts_.functions.at(function);
  expectShallow(depth + depth_of_function_[indexOf(id)], function);
  const std::uint64_t steps = steps_of_function_[indexOf(id)];
  called_steps_ = checkedSum(called_steps_, steps);
  if (called_steps_ > parts_.limits.steps) {
    throw function.error(
        fmt::format("calls that stand for at most {} steps (the limit steps allows more)",
                    parts_.limits.steps));
  }
  steps_ = checkedSum(steps_, steps);
  return call(id);
}

Program ProgramReader::repeatStep(const JsonRecord& step, std::uint64_t depth) {
  const std::uint64_t times = step.at("repeat").whole(1, parts_.limits.number);
  return {Repeat{times, body(step.at("body"), depth + 1)}};
}

Program ProgramReader::overlapStep(const JsonRecord& step, std::uint64_t depth) {
  const RemoteCopyId copy = parts_.remote_copies.at(step.at("overlap"));
  return {Overlap{copy, body(step.at("body"), depth + 1)}};
}

Program ProgramReader::ifStep(const JsonRecord& step, std::uint64_t depth) {
  If branch{oneElement(step.at("if")), body(step.at("then"), depth + 1), {}};
  if (const auto otherwise = step.find("else")) branch.otherwise = body(*otherwise, depth + 1);
  return {std::move(branch)};
}

Program ProgramReader::switchStep(const JsonRecord& step, std::uint64_t depth) {
  constexpr std::uint64_t kMostValue = 0x7fffffff;
  Switch branch{oneElement(step.at("switch")), {}, {}};
  step.at("cases").forEach([&](const JsonValue& value) {
    const JsonRecord one(value);
    branch.cases.push_back({static_cast<std::int32_t>(one.at("value").signedWhole(kMostValue)),
                            body(one.at("body"), depth + 1)});
    one.expectAllRead();
  });
  if (const auto otherwise = step.find("else")) branch.otherwise = body(*otherwise, depth + 1);
  return {std::move(branch)};
}

Program ProgramReader::whileStep(const JsonRecord& step, std::uint64_t depth) {
  Tensor predicate = oneElement(step.at("while"));
  Sequence condition;
  if (const auto before = step.find("condition")) condition = body(*before, depth + 1);
  return {
      RepeatWhile{std::move(condition), std::move(predicate), body(step.at("body"), depth + 1)}};
}

Tensor ProgramReader::oneElement(const JsonValue& value) const {
  const Section section = regions_.section(value);
  regions_.expectInside(section, 1, 0, value);
  if (section.elements() != 1) throw value.error("one element: [variable, begin]");
  return Tensor(section, parts_.trace.graph.variable(section.variable).type);
}

}  // namespace ipusim::workloads
