// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/control.h"

#include <gmock/gmock.h>

#include <string>

#include "ipusim/error.h"
#include "tests/compile/toy_graph.h"
#include "tests/support/thrown.h"

namespace ipusim::compiler {
namespace {

using testing::ElementsAre;

/// Prints steps and, in brackets, loops: "0 3( 1 )".
struct Printer {
  std::string text;

  void operator()(StepId step) { text += std::to_string(indexOf(step)) + ' '; }
  void operator()(const Loop& loop) {
    text += std::to_string(loop.iterations) + "( ";
    walk(loop.body, *this);
    text += ") ";
  }
};

std::string textOf(const std::vector<Control>& control) {
  Printer printer;
  walk(control, printer);
  return printer.text;
}

const std::vector<Control> kNested = {StepId{0}, Loop{3, {StepId{1}, Loop{2, {StepId{0}}}}},
                                      StepId{2}};

TEST(Control, IsWalkedInOrder) {
  EXPECT_EQ(textOf(kNested), "0 3( 1 2( 0 ) ) 2 ");
}

TEST(Control, HasTheBodyOfALoopOnceInItsOrder) {
  EXPECT_THAT(programOrder(kNested), ElementsAre(StepId{0}, StepId{1}, StepId{0}, StepId{2}));
  EXPECT_TRUE(programOrder({}).empty());
}

/// Two vertices, each one step of the compiled program, and a predicate.
class LoweredControl : public testing::Test {
 protected:
  LoweredControl() { toy_.graph.setTileMapping(flag_, TileId(0)); }

  [[nodiscard]] std::string lowered(Program program, const ExecutionRecord& record = {}) {
    toy_.graph.program() = std::move(program);
    return textOf(
        compile(toy_.graph, models::toyMachine(), TimingMode::Program, record).lowered.control);
  }
  [[nodiscard]] std::string refused(const Program& program) {
    return graphErrorOf([&] { (void)lowered(program); });
  }

  ToyGraph toy_;
  Program a_ = toy_.scale(0, toy_.on(0, 4), toy_.on(0, 4));
  Program b_ = toy_.scale(0, toy_.on(0, 4), toy_.on(0, 4));
  Program nothing_ = execute(toy_.graph.addComputeSet("nothing"));
  Tensor flag_ = toy_.graph.addVariable(ElementType::Bool, {1}, "converged");
};

TEST_F(LoweredControl, HasTheLoopsOfTheProgram) {
  EXPECT_EQ(lowered(sequence({a_, repeat(3, {repeat(2, {b_})})})), "0 3( 2( 1 ) ) ");
}

TEST_F(LoweredControl, HasNoLoopOfNothing) {
  EXPECT_EQ(lowered(repeat(3, {nothing_, repeat(2, {nothing_})})), "");
}

TEST_F(LoweredControl, HasTheStepsOfAFunctionAtEachCall) {
  const auto function = toy_.graph.addFunction(repeat(2, {b_}));
  const Program again = call(function);
  EXPECT_EQ(lowered(sequence({again, a_, repeat(4, {a_, again}), again})),
            "2( 0 ) 1 4( 2 2( 0 ) ) 2( 0 ) ");
}

TEST_F(LoweredControl, RefusesWhatDependsOnDataAndIsNotRecorded) {
  const auto wanted = [](const char* step) {
    return std::string("execution record: wanted what ") + step +
           " on variable converged (number 0) does the 1. time, found nothing";
  };
  EXPECT_EQ(refused({If{flag_, {{a_}}, {{b_}}}}), wanted("If"));
  EXPECT_EQ(refused({Switch{flag_, {{1, {{a_}}}}, {}}}), wanted("Switch"));
  EXPECT_EQ(refused({RepeatWhile{{{a_}}, flag_, {{b_}}}}), wanted("RepeatWhile"));
}

TEST_F(LoweredControl, RefusesItInsideOfALoopAndAFunction) {
  const auto function = toy_.graph.addFunction({If{flag_, {}, {}}});
  EXPECT_THAT(refused(repeat(2, {a_, call(function)})),
              testing::HasSubstr("wanted what If on variable converged"));
}

// Steps 0 and 1 are the sync and the exchange of the decision, 2 is a_ and 3 is b_.
TEST_F(LoweredControl, HasTheBodiesThatTheRecordNames) {
  ExecutionRecord record;
  record.branches.resize(1);
  record.branches[0].append(0, 2);
  record.branches[0].append(1);
  EXPECT_EQ(lowered(repeat(3, {{If{flag_, {{a_}}, {{b_}}}}}), record), "2( 0 1 2 ) 0 1 3 ");
}

TEST_F(LoweredControl, NumbersStepsInTheOrderOfFunctionsAndProgram) {
  ExecutionRecord record;
  record.branches.resize(2);
  record.branches[0].append(1);  // the function's
  record.branches[1].append(0);  // the program's
  const auto function = toy_.graph.addFunction({If{flag_, {}, {{a_}}}});
  const Program own{If{flag_, {{b_}}, {}}};
  EXPECT_EQ(lowered(sequence({own, call(function)}), record), "0 1 2 3 4 5 ");
}

// Steps 0 is a_, 1 and 2 are the decision, 3 is b_.
TEST_F(LoweredControl, RunsTheConditionOfAWhileOnceMoreThanItsBody) {
  ExecutionRecord record;
  record.trips.resize(1);
  record.trips[0].append(4);
  EXPECT_EQ(lowered({RepeatWhile{{{a_}}, flag_, {{b_}}}}, record), "0 1 2 4( 3 0 1 2 ) ");
}

}  // namespace
}  // namespace ipusim::compiler
