// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/program_text.h"

#include <fmt/format.h>

#include <utility>

namespace ipusim {

namespace {

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}

  [[nodiscard]] std::string take() { return std::move(text_); }

  void operator()(const Sequence& step) { addLine("Sequence", step); }
  void operator()(const Execute& step) {
    addLine("Execute " + graph_.computeSets().at(indexOf(step.compute_set)).name);
  }
  void operator()(const Copy& step) { addLine("Copy " + graph_.copy(step.copy).name); }
  void operator()(const Stream& step) {
    const HostStream& stream = graph_.stream(step.stream);
    const bool to_chip = stream.direction == HostDirection::ToChip;
    addLine("Stream " + stream.name + (to_chip ? " to the chip" : " to the host"));
  }
  void operator()(const Remote& step) { addLine(textOf(step.copy)); }
  void operator()(const Overlap& step) { addLine("Overlap " + textOf(step.copy), step.body); }
  void operator()(const Repeat& step) {
    addLine(fmt::format("Repeat {} times", step.count), step.body);
  }
  void operator()(const Call& step) { addLine(fmt::format("Call {}", indexOf(step.function))); }
  void operator()(const WriteUndef& step) {
    std::string names;
    for (const VariableId id : step.variables) {
      names += (names.empty() ? " " : ", ") + graph_.variable(id).name;
    }
    addLine("WriteUndef" + names);
  }
  void operator()(const If& step) {
    addLine("If " + nameOf(step.predicate, graph_), step.then);
    addLine("Else", step.otherwise);
  }
  void operator()(const Switch& step) {
    addLine("Switch " + nameOf(step.selector, graph_));
    for (const Switch::Case& each : step.cases) {
      addLine(fmt::format("Case {}", each.value), each.body);
    }
    addLine("Otherwise", step.otherwise);
  }
  void operator()(const RepeatWhile& step) {
    addLine("RepeatWhile " + nameOf(step.predicate, graph_) + ", set by", step.condition);
    addLine("Do", step.body);
  }

 private:
  [[nodiscard]] std::string textOf(RemoteCopyId id) const {
    const RemoteCopy& copy = graph_.remoteCopy(id);
    const bool loads = copy.direction == RemoteDirection::Load;
    return (loads ? "Load " : "Store ") + copy.name;
  }
  void addLine(const std::string& line, const Sequence& inside = {}) {
    text_ += std::string(2 * depth_, ' ') + line + '\n';
    ++depth_;
    walk(inside, *this);
    --depth_;
  }

  const Graph& graph_;
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string toText(const Program& program, const Graph& graph) {
  Printer printer(graph);
  walk(program, printer);
  return printer.take();
}

}  // namespace ipusim
