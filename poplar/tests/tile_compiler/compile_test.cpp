// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/compile.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "poplar/tests/tile_compiler/mini_language.h"

// Counted by hand from the rules in poplar/tile_compiler/select/rules.h and the headers beside it.

namespace ipusim::tile_compiler {
namespace {

/// The issues of a function in the small language, with a bar between blocks.
std::string issuesOf(const std::string& text, LoopForm form = LoopForm::CountDown) {
  std::string issues;
  for (const CompiledBlock& block : compileForTile(tests::parseMini(text, form), {}).blocks) {
    issues += block.sequence + '|';
  }
  issues.pop_back();
  return issues;
}

TEST(CompileForTile, LetsAReturnShareTheSlotOfTheLastAuxInstruction) {
  EXPECT_EQ(issuesOf("x:f32 y:f32 -> f32 | r=fadd x y | ret r"), "B");
  EXPECT_EQ(issuesOf("x:i32 y:i32 -> i32 | r=add x y | ret r"), "MM");
}

TEST(CompileForTile, PairsNoInstructionWithTheOneThatNeedsIt) {
  EXPECT_EQ(issuesOf("p:p x:f32 -> f32 | a=load.f32.4 p | r=fmul a x | ret r"), "MB");
}

TEST(CompileForTile, TurnsASelectOfFloatsIntoABranch) {
  EXPECT_EQ(issuesOf("c:i1 t:f32 f:f32 -> f32 | r=sel c t f | ret r"), "M|A|M");
  EXPECT_EQ(issuesOf("c:i1 t:i32 f:i32 -> i32 | r=sel c t f | ret r"), "MMM");
}

TEST(CompileForTile, CallsARoutineForAStoreBelowAWord) {
  // add sp, store link | call | load link, add sp, return: the arguments are in their places.
  EXPECT_EQ(issuesOf("p:p v:i16 -> void | store.i16.2 v p | ret"), "MMMMMM");
  // Three moves exchange them.
  EXPECT_EQ(issuesOf("v:i16 p:p -> void | store.i16.2 v p | ret"), "MMMMMMMMM");
}

TEST(CompileForTile, StepsPointersForNothing) {
  // ld64, ld64, fadd, st64, brnzdec
  EXPECT_EQ(issuesOf("loop 8 { a=load.v2f32.8 p | b=load.v2f32.8 q | c=fadd a b | "
                     "store.v2f32.8 c r | p+=8 | q+=8 | r+=8 }"),
            "|M|MMAMM|");
}

TEST(CompileForTile, CountsADotProductAsFourSlotsATurn) {
  const std::string loop =
      "acc:f32=0.0 | loop 8 { a=load.f32.4 p | b=load.f32.4 q | m=fmul a b | acc=fadd acc m | "
      "p+=4 | q+=4 }";
  EXPECT_EQ(issuesOf(loop), "|B|MMAB|");
  EXPECT_EQ(issuesOf(loop, LoopForm::AddBranch), "|B|MMBB|");
}

TEST(CompileForTile, FillsTheBundlesOfARepeat) {
  EXPECT_EQ(issuesOf("loop 8 { a=load.v2f32.8 p | store.v2f32.8 a q }", LoopForm::Repeat),
            "|B|BB|");
}

TEST(CompileForTile, ReloadsWhatItsRegistersCannotHold) {
  std::string text = "p:p -> f32 | a0=load.f32.4 p";
  std::string sum;
  for (int n = 1; n < 10; ++n) {
    const std::string at = std::to_string(n);
    text.append(" | q").append(at).append("=gep.f32 p ").append(at);
    text.append(" | a").append(at).append("=load.f32.4 q").append(at);
  }
  // Ten floats are alive before the first call and after it; two of them fit the saved registers.
  text += " | call sink";
  std::string last = "a0";
  for (int n = 1; n < 10; ++n) {
    const std::string at = std::to_string(n);
    text.append(" | s").append(at).append("=fadd ").append(last).append(" a").append(at);
    last = "s" + at;
  }
  const CompiledFunction compiled = compileForTile(tests::parseMini(text + " | ret " + last), {});
  // Eight spilled floats, the link, and the saved pair: 32 + 4 + 8 bytes, in steps of eight.
  EXPECT_EQ(compiled.stack, Bytes(48));
}

TEST(CompileForTile, CountsCodeAndStack) {
  const CompiledFunction convert =
      compileForTile(tests::parseMini("x:i32 -> f32 | r=sitofp.f32 x | ret r"), {});
  EXPECT_EQ(convert.code, Bytes(24));
  EXPECT_EQ(convert.stack, Bytes(8));
}

TEST(CompileForTile, ChecksTheStackWhereThatIsAsked) {
  TileCompiler popc;
  popc.stack_check = StackCheck::On;
  const Function function = tests::parseMini("x:i32 -> f32 | r=sitofp.f32 x | ret r");
  EXPECT_EQ(compileForTile(function, popc).blocks[0].slots, Slots(5 + 3));
}

TEST(CompileForTile, HoldsAWorkerForTheWholeOfADivision) {
  const CompiledFunction divide =
      compileForTile(tests::parseMini("x:f32 y:f32 -> f32 | r=fdiv x y | ret r"), {});
  EXPECT_EQ(divide.blocks[0].sequence, "B");
  EXPECT_EQ(divide.blocks[0].slots, Slots(6));
}

TEST(MiniLanguage, NamesWhatItDoesNotKnow) {
  EXPECT_THROW(tests::parseMini("x:f32 -> f32 | r=frobnicate x | ret r"), std::invalid_argument);
  EXPECT_THROW(tests::parseMini("x:f33 -> f32 | ret x"), std::invalid_argument);
  EXPECT_THROW(tests::parseMini("x:f32 -> f32 | store.f32.4 x"), std::invalid_argument);
}

}  // namespace
}  // namespace ipusim::tile_compiler
