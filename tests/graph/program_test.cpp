// SPDX-License-Identifier: Apache-2.0
#include "ipusim/program.h"

#include <gmock/gmock.h>

#include <functional>

#include "ipusim/error.h"
#include "tests/support/test_vertices.h"
#include "workloads/graph/fixed_control.h"
#include "workloads/graph/program_text.h"

namespace ipusim::workloads {
namespace {

/// Three compute sets of 8, 16 and 32 operations, a tensor that the host knows, and a predicate.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    for (const char* name : {"a", "b", "c"}) sets_.push_back(graph_.addComputeSet(name));
    std::uint64_t flops = 8;
    for (const ComputeSetId set : sets_) {
      VertexType type = scaleVertex(2.0F, 8);
      type.work.flops = Flops(flops);
      graph_.addVertices(set, {shared(type), TileId(0), 1, {{data_.view()}, {data_.view()}}});
      flops *= 2;
    }
  }

  [[nodiscard]] Program run(std::size_t set) const { return execute(sets_[set]); }

  Graph graph_;
  Tensor data_ = graph_.addVariable(ElementType::Float, {8}, "data", Lifetime::Always);
  Tensor flag_ = graph_.addVariable(ElementType::Bool, {1}, "converged");
  std::vector<ComputeSetId> sets_;
};

/// Writes down the steps that it visits, and where loops open and close.
class Diary : public FixedControl<void> {
 public:
  using FixedControl::FixedControl;
  using FixedControl::operator();

  void operator()(const Sequence& step) { walk(step, *this); }
  void operator()(const Execute& step) {
    met.push_back(graph().computeSets()[indexOf(step.compute_set)].name);
  }
  void operator()(const Copy& step) { met.push_back(graph().copy(step.copy).name); }
  void operator()(const Stream& step) { met.push_back(graph().stream(step.stream).name); }
  void operator()(const Remote& step) { met.push_back(graph().remoteCopy(step.copy).name); }
  void operator()(const WriteUndef& step) {
    for (const VariableId id : step.variables) met.push_back("undef " + graph().variable(id).name);
  }
  void operator()(const Overlap& step) {
    met.push_back(graph().remoteCopy(step.copy).name + "(");
    walk(step.body, *this);
    met.emplace_back(")");
  }
  void operator()(const Repeat& step) {
    met.push_back(std::to_string(step.count) + "(");
    walk(step.body, *this);
    met.emplace_back(")");
  }
  void operator()(const Call& step) { walk(graph().function(step.function), *this); }

  std::vector<std::string> met;
};

TEST_F(ProgramTest, IsWalkedInOrderThroughLoopsAndCalls) {
  const FunctionId function = graph_.addFunction(sequence({run(2), run(0)}));
  Program& program = graph_.program();
  program.add(graph_.stream("in", {data_}, HostDirection::ToChip, HostPath::Link));
  program.add(repeat(3, {run(0), repeat(2, {run(1), call(function)}), run(2)}));
  program.add(graph_.copy(data_.slice(0, 4, 0), data_.slice(4, 8, 0), "halves"));
  program.add(call(function));
  Diary diary(graph_);
  walk(program, diary);
  EXPECT_THAT(diary.met, testing::ElementsAre("in", "3(", "a", "2(", "b", "c", "a", ")", "c", ")",
                                              "halves", "c", "a"));
}

TEST_F(ProgramTest, CountsItsWorkThroughLoopsAndCalls) {
  const FunctionId function = graph_.addFunction(sequence({run(1), run(1)}));
  const Program program = sequence({run(0), repeat(10, {run(2), call(function)}), call(function)});
  EXPECT_EQ(graph_.flops(program), Flops(8 + 10 * (32 + 2 * 16) + 2 * 16));
  EXPECT_EQ(graph_.flops(Program{}), Flops(0));
}

TEST_F(ProgramTest, AStreamHasTheNameAndTheDataThatItWasGiven) {
  graph_.program().add(graph_.stream("weights", {data_.slice(2, 5, 0), data_.slice(6, 7, 0)},
                                     HostDirection::ToHost, HostPath::Framework));
  ASSERT_EQ(graph_.streams().size(), 1U);
  const HostStream& stream = graph_.streams().front();
  EXPECT_EQ(stream.name, "weights");
  EXPECT_EQ(stream.direction, HostDirection::ToHost);
  EXPECT_EQ(stream.path, HostPath::Framework);
  EXPECT_EQ(stream.bytes, Bytes(4 * 4));
  EXPECT_EQ(stream.variables, std::vector<VariableId>{VariableId{0}});
}

TEST_F(ProgramTest, OnlyASequenceTakesAStepMore) {
  Program program = run(0);
  EXPECT_THROW(program.add(run(1)), GraphError);
  program = sequence({run(0)});
  program.add(run(1));
  EXPECT_EQ(std::get<Sequence>(program.step).steps.size(), 2U);
}

TEST_F(ProgramTest, IsPrintedAsATree) {
  const FunctionId function = graph_.addFunction(run(0));
  const Program program =
      sequence({graph_.stream("in", {data_}, HostDirection::ToChip, HostPath::Link),
                repeat(3, {run(0), call(function)}),
                {If{flag_, {{run(1)}}, {}}},
                writeUndef(concat({data_.slice(0, 1, 0), data_.slice(4, 8, 0)}, 0)),
                {Switch{flag_, {{4, {{run(0)}}}, {-1, {}}}, {{run(2)}}}},
                {RepeatWhile{{{run(2)}}, flag_, {{graph_.copy(data_, data_, "turn")}}}},
                graph_.stream("out", {data_}, HostDirection::ToHost, HostPath::Link)});
  EXPECT_EQ(toText(program, graph_),
            "Sequence\n"
            "  Stream in to the chip\n"
            "  Repeat 3 times\n"
            "    Execute a\n"
            "    Call 0\n"
            "  If variable converged\n"
            "    Execute b\n"
            "  Else\n"
            "  WriteUndef data\n"
            "  Switch variable converged\n"
            "  Case 4\n"
            "    Execute a\n"
            "  Case -1\n"
            "  Otherwise\n"
            "    Execute c\n"
            "  RepeatWhile variable converged, set by\n"
            "    Execute c\n"
            "  Do\n"
            "    Copy turn\n"
            "  Stream out to the host\n");
}

TEST_F(ProgramTest, HasNoWorkThatIsKnownWhereDataDecides) {
  EXPECT_EQ(graph_.flops(run(1)), Flops(16));
  EXPECT_THROW((void)graph_.flops(repeat(2, {{If{flag_, {{run(1)}}, {}}}})), GraphError);
  EXPECT_THROW((void)graph_.flops({Switch{flag_, {}, {}}}), GraphError);
  EXPECT_THROW((void)graph_.flops({RepeatWhile{{}, flag_, {}}}), GraphError);
}

}  // namespace
}  // namespace ipusim::workloads
