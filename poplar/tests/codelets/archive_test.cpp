// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using CodeletArchive = WithClang;

TEST_F(CodeletArchive, BringsBackWhatWasCompiled) {
  const Codelets codelets = compileText(R"(
    struct Add : Vertex { int n; Input<Vector<half_t>> in; bool compute() { n += 5; return false; } };)",
                                        {{"-Dhalf_t=_Float16"}});
  const std::string bytes = toArchive(codelets);
  EXPECT_TRUE(isArchive(bytes));
  const Codelets back = fromArchive(bytes, "add.gp");
  EXPECT_EQ(toArchive(back), bytes);
  EXPECT_EQ(back.find("Add")->field("in")->element.name, "half");
  TileCode code(back);
  EXPECT_FALSE(code.run("Add").result);
  EXPECT_EQ(code.read<int>(0), 5);
}

TEST_F(CodeletArchive, RefusesOneThatIsCutOff) {
  const std::string bytes = toArchive(compileText("struct A : Vertex { void compute() {} };"));
  for (const std::size_t length : {bytes.size() - 1, bytes.size() / 2, std::size_t{20}}) {
    EXPECT_THROW(fromArchive(bytes.substr(0, length), "a.gp"), ConfigError) << length;
  }
}

TEST_F(CodeletArchive, JoinsPartsAndRefusesTwoOfOneName) {
  const Codelets a = compileText("struct A : Vertex { void compute() {} };");
  const Codelets b = compileText("struct B : Vertex { void compute() {} };");
  EXPECT_EQ(join({a, b, a}).vertices().size(), 2U);
  const Codelets other = compileText("\nstruct A : Vertex { int n; void compute() {} };");
  EXPECT_THROW(join({a, other}), ConfigError);
}

TEST(CodeletArchiveText, IsNoOtherFile) {
  EXPECT_FALSE(isArchive("#include <poplar/Vertex.hpp>"));
  EXPECT_THROW(fromArchive("other", "x.gp"), ConfigError);
}

}  // namespace
}  // namespace ipusim::codelets
