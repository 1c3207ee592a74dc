// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>

#include "base/files/write_file.h"
#include "poplar/codelets/compile/clang_command.h"
#include "poplar/codelets/compile/text_cache.h"
#include "poplar/codelets/module.h"
#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using CodeletCompile = WithClang;

std::string errorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST_F(CodeletCompile, PassesErrorsOnWithFileAndLine) {
  EXPECT_THAT(
      errorOf([] { compileText("\nstruct Foo : Vertex { bool compute() { return x; } };"); }),
      AllOf(HasSubstr("codelet.cpp:4:"), HasSubstr("undeclared identifier 'x'")));
}

TEST_F(CodeletCompile, RefusesInlineAssembly) {
  const std::string said = errorOf([] {
    compileText(R"(
    struct Foo : Vertex { bool compute() {
      __asm__ volatile("setzi $m1, 3");
      return true; } };)");
  });
  EXPECT_THAT(said, AllOf(HasSubstr("codelet.cpp:5: "), HasSubstr("inline assembly")));
  EXPECT_THAT(errorOf([] {
                compileText(R"(
    struct Foo : Vertex { bool compute() {
      __asm__ volatile("add $a0, $a1" : : : "$a0");
      return true; } };)");
              }),
              AllOf(HasSubstr("codelet.cpp:5:"), HasSubstr("inline assembly")));
}

TEST_F(CodeletCompile, AllowsAnEmptyAssemblyAsABarrier) {
  EXPECT_NE(compileText(R"(
    struct Foo : Vertex { int n; void compute() { n = 1; __asm__ volatile("" : : : "memory"); } };)")
                .find("Foo"),
            nullptr);
}

TEST_F(CodeletCompile, SaysWhichSymbolNoTileHas) {
  const Codelets codelets = compileText(R"(
    struct Heap : Vertex { int* p; void compute() { p = new int[n]; } int n; };)");
  EXPECT_THAT(errorOf([&] { Execution(codelets, 1); }),
              AllOf(HasSubstr("undefined symbol _Znaj"), HasSubstr("vertex Heap")));
}

TEST_F(CodeletCompile, SaysWhichSymbolAnInitialValueWants) {
  const Codelets codelets = compileText(R"(
    extern "C" int elsewhere();
    static int number = elsewhere();
    struct Foo : Vertex { int n; void compute() { n = number; } };)");
  EXPECT_THAT(errorOf([&] { Execution(codelets, 1); }),
              HasSubstr("undefined symbol elsewhere: the initial"));
}

TEST_F(CodeletCompile, TakesHeadersOfTheLibraryThatATileHasNoUseFor) {
  const Codelets codelets = compileText(R"(
    #include <functional>
    #include <iostream>
    #include <memory>
    #include <string>
    #include <vector>
    struct Foo : Vertex {
      std::uint32_t n;
      void print() { std::cout << n; }
      void compute() { n = 1; }
    };)");
  EXPECT_NO_THROW(Execution(codelets, 1));
}

TEST_F(CodeletCompile, TakesNamesThatOtherHeadersBring) {
  EXPECT_NE(compileText(R"(
    #include <algorithm>
    struct Foo : Vertex { int n; void compute() { n = std::numeric_limits<int>::max(); } };)")
                .find("Foo"),
            nullptr);
}

TEST_F(CodeletCompile, TakesTheFlagsOfPopc) {
  const Codelets codelets =
      compileText(R"(
    #if SIZE == 3 && __IPU_ARCH_VERSION__ == 1 && defined(__IPU__) && defined(__POPC__)
    struct Foo : Vertex { void compute() {} };
    #endif)",
                  {{"-O3", "-D", "SIZE=3", "-target=ipu1,ipu2", "-Wall"}, Architecture::Ipu1});
  EXPECT_NE(codelets.find("Foo"), nullptr);
  EXPECT_EQ(errorOf([] { compileText("", {{"-march=native"}}); }),
            "popc: unknown option -march=native");
}

TEST_F(CodeletCompile, FindsHeadersBesideAFileAndSeesThemChange) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "ipusim_codelet_headers";
  writeFile(folder / "size.h", "constexpr int kSize = 3;\n");
  writeFile(folder / "codelet.cpp",
            "#include <poplar/Vertex.hpp>\n#include \"size.h\"\n"
            "struct Foo : poplar::Vertex { int data[kSize]; void compute() { data[0] = 1; } };\n");
  const CodeletSource source{(folder / "codelet.cpp").string(), std::nullopt};
  EXPECT_EQ(compile({source}).find("Foo")->bytes, 12U);
  writeFile(folder / "size.h", "constexpr int kSize = 5;\n");
  EXPECT_EQ(compile({source}).find("Foo")->bytes, 20U);
  std::filesystem::remove_all(folder);
  EXPECT_THAT(errorOf([&] { compile({source}); }), HasSubstr("wanted a codelet file, found none"));
}

TEST_F(CodeletCompile, ComesWithoutTheCompilerWhereAProcessHasTheTextAlready) {
  const std::string text = "#include <poplar/Vertex.hpp>\nstruct A : poplar::Vertex {};\n";
  const CodeletSource source{"codelet.cpp", text};
  const auto key = textKey(source, {});
  ASSERT_TRUE(key);
  const Codelets first = compile({source});
  ASSERT_TRUE(findByText(*key));
  EXPECT_EQ(&compile({source}).module(), &first.module());
  EXPECT_NE(textKey(source, {{"-O3"}}), key);
  EXPECT_NE(textKey({"other.cpp", text}, {}), key);
  // These look at files of the user, or at the time.
  EXPECT_FALSE(textKey(source, {{"-I/tmp"}}));
  EXPECT_FALSE(textKey({"codelet.cpp", std::nullopt}, {}));
  EXPECT_FALSE(textKey({"codelet.cpp", text + "#include \"size.h\"\n"}, {}));
  EXPECT_FALSE(textKey({"codelet.cpp", text + "const char* now = __TIME__;\n"}, {}));
}

TEST_F(CodeletCompile, LinksTheFilesOfOneCall) {
  const std::string head = "#include <poplar/Vertex.hpp>\n";
  TileCode code(
      compile({{"a.cpp",
                head + "int twice(int n);\nstruct A : poplar::Vertex { int n; void compute() { n = "
                       "twice(n); } };\n"},
               {"b.cpp", "int twice(int n) { return 2 * n; }\n"}}));
  code.setMember("A", "n", 21);
  code.run("A");
  EXPECT_EQ(code.read<int>(0), 42);
}

TEST_F(CodeletCompile, KeepsFunctionsOfOneNameApart) {
  const std::string head = "#include <poplar/Vertex.hpp>\n";
  TileCode code(join(
      {compile({{"a.cpp", head + "__attribute__((noinline)) int number() { return 1; }\nstruct A : "
                                 "poplar::Vertex { int n; void compute() { n = number(); } };\n"}}),
       compile(
           {{"b.cpp", head + "__attribute__((noinline)) int number() { return 2; }\nstruct B : "
                             "poplar::Vertex { int n; void compute() { n = number(); } };\n"}})}));
  code.run("A", 0);
  code.run("B", 1);
  EXPECT_EQ(code.read<int>(0, 0), 1);
  EXPECT_EQ(code.read<int>(0, 1), 2);
}

TEST_F(CodeletCompile, LeavesOutWhatNoOtherFileSees) {
  EXPECT_TRUE(
      compileText("namespace { struct A : Vertex { void compute() {} }; }").vertices().empty());
}

TEST(CodeletFlags, AreSplitAtSpacesOutsideQuotes) {
  EXPECT_THAT(splitFlags("  -O3 -I \"my dir\" -DX='a b' "),
              ElementsAre("-O3", "-I", "my dir", "-DX=a b"));
}

}  // namespace
}  // namespace ipusim::codelets
